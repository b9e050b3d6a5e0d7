import { documented } from '#api/documented.ts';
import { foundPassage } from '#core/similarity/knowledge/passage-record.ts';
import { z } from '@hono/zod-openapi';
import { makeFactIndex } from '#adapters/vector/fact-index.ts';
import { refuse } from '#core/values/errors.ts';
import type { Result } from '#core/values/result.ts';
import { loadRecord, namespaceName } from '#core/similarity/knowledge/record.ts';
import type { Endpoint } from '../context.ts';
import { idSchema, makeEndpoint, idParams, describeJsonResponse, jsonLinesBody } from '../endpoint.ts';
import { newId } from '../ids.ts';
import { unwrapIndexAnswer } from '../index-fault.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { requireOwnedObject } from '../owned.ts';
import { PassageLoad } from '../passage-load.ts';
import { describeProblemResponses, refusal, unwrap } from '../problem.ts';
import { writeUploadInPiecesUntilRefused } from '../forward-upload.ts';
import { makeUploadPace } from '../upload-pace.ts';
import { requireKnowledgeWithOpenedStore } from './knowledge.ts';

const loadPassages = makeEndpoint(
  {
    method: 'post',
    path: '/v1/knowledge/{id}/passages',
    tags: ['knowledge'],
    summary: 'Load passages',
    description:
      'The body is JSON Lines up to 64 MiB, a line up to 1 MiB: `{"text", "id"?, "source"?, "licence"?, "vector"?}`. Lines go in by the hundred, and what is in already is neither embedded nor written again, so whatever broke off can be sent once more. A bad line ends the load; the passages before it are in.',
    middleware: [admitCallerWithScope('run')],
    request: {
      params: idParams,
      query: z.object({
        namespace: namespaceName.default('main'),
        line: documented(z.coerce.number().int().min(1).max(1_000_000_000).default(1), {
          description: 'The number of the first line, where the body is a part of a file',
        }),
      }),
      body: jsonLinesBody,
    },
    responses: {
      200: describeJsonResponse('What was loaded', documented(loadRecord, 'LoadRecord')),
      ...describeProblemResponses(
        'not-found',
        'invalid-passage',
        'body-too-large',
        'dimension-mismatch',
        'index-full',
        'index-unreachable',
        'model-unreachable',
      ),
    },
  },
  async (c) => {
    const { namespace, line: first } = c.req.valid('query');
    const { index, connection, opened } = await requireKnowledgeWithOpenedStore(c, c.req.valid('param').id);
    const { body } = c.req.raw;
    if (body === null) throw refusal('invalid-passage', 'the file is empty');
    const load = newId('load', new Date());
    const isElsewhere = connection.store.kind !== 'embedded';
    const giveWay = makeUploadPace(c.var.caller.key);
    const loading = new PassageLoad({
      load,
      namespace,
      opened,
      rest: () => giveWay({ lines: 0, bytes: 0 }),
      emit: (event) => index.emit([event]),
      note: async (what, ids) => {
        if (isElsewhere) unwrap(await index.recordExternalPassages(what, namespace, ids));
      },
    });
    const readAndLoad = async (): Promise<Result<null>> => {
      const read = await writeUploadInPiecesUntilRefused(
        body,
        giveWay,
        (lines) => loading.readLinesUntilInvalid(lines),
        first,
      );
      const loaded = await loading.loadWaiting();
      return loaded.ok ? read : loaded;
    };
    const done = await readAndLoad().catch(async (error: unknown): Promise<Result<null>> => {
      const detail = error instanceof Error ? error.message : String(error);
      // The stub that threw may stay broken.
      const anew = await requireOwnedObject(c, 'knowledge', c.req.valid('param').id);
      await anew.emit([{ type: 'load.failed', load, namespace, line: loading.lastLine, detail }]);
      throw error;
    });
    if (done.ok) {
      await index.emit([{ type: 'load.ended', load, namespace, ...loading.totals }]);
      return c.json(loading.totals, 200);
    }
    const { code, detail } = done.problem;
    await index.emit([{ type: 'load.failed', load, namespace, line: loading.lastLine, detail }]);
    const { loaded, unchanged } = loading.totals;
    const before = `before it ${loaded} passages were loaded and ${unchanged} were in already`;
    return unwrap(refuse(code === 'invalid-line' ? 'invalid-passage' : code, `${detail}; ${before}`));
  },
);

const searchKnowledge = makeEndpoint(
  {
    method: 'get',
    path: '/v1/knowledge/{id}/search',
    tags: ['knowledge'],
    summary: 'Find the passages nearest to a text',
    description:
      'Best first, by the plain cosine. Nearness is no proof: a false statement lies near the passage that refutes it. Asks the embedder for one vector.',
    middleware: [admitCallerWithScope('read')],
    request: {
      params: idParams,
      query: z.object({
        query: z
          .string()
          .max(8_000)
          .refine((text) => text.trim() !== '', 'a text that says something'),
        namespace: namespaceName.default('main'),
        limit: documented(z.coerce.number().int().min(1).max(100).default(10), { description: 'How many at most' }),
      }),
    },
    responses: {
      200: describeJsonResponse('The passages', z.object({ items: z.array(documented(foundPassage, 'FoundPassage')) })),
      ...describeProblemResponses('not-found', 'dimension-mismatch', 'index-unreachable', 'model-unreachable'),
    },
  },
  async (c) => {
    const { query, namespace, limit } = c.req.valid('query');
    const { opened } = await requireKnowledgeWithOpenedStore(c, c.req.valid('param').id);
    const found = unwrapIndexAnswer(await makeFactIndex(opened, namespace).search(query, limit));
    return c.json({ items: [...found] }, 200);
  },
);

const clearNamespace = makeEndpoint(
  {
    method: 'delete',
    path: '/v1/knowledge/{id}/namespaces/{namespace}',
    tags: ['knowledge'],
    summary: 'Take all passages out of a namespace',
    description:
      'At Upstash also those that others have put in. A namespace without passages is no different from none.',
    middleware: [admitCallerWithScope('run')],
    request: { params: z.object({ id: idSchema, namespace: namespaceName }) },
    responses: { 204: { description: 'It is empty' }, ...describeProblemResponses('not-found', 'index-unreachable') },
  },
  async (c) => {
    const { id, namespace } = c.req.valid('param');
    const { index, opened } = await requireKnowledgeWithOpenedStore(c, id);
    unwrapIndexAnswer(await opened.store.clear(namespace));
    await index.recordNamespaceCleared(namespace);
    await index.emit([{ type: 'namespace.cleared', namespace }]);
    return c.body(null, 204);
  },
);

export const passageEndpoints: readonly Endpoint[] = [loadPassages, searchKnowledge, clearNamespace];
