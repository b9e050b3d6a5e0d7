import { createRoute, z } from '@hono/zod-openapi';
import { refuse, type Result } from '#core/errors.ts';
import { loadRecord, namespaceName } from '#core/knowledge/record.ts';
import type { Endpoint } from '../../context.ts';
import { newId } from '../../ids.ts';
import { requires } from '../../middleware/authenticate.ts';
import { PassageLoad } from '../../passage-load.ts';
import { problems, refusal, unwrap } from '../../problem.ts';
import { uploadLines } from '../../upload.ts';
import { findKnowledge, openKnowledge } from './find.ts';

const route = createRoute({
  method: 'post',
  path: '/v1/knowledge/{id}/passages',
  tags: ['knowledge'],
  summary: 'Load passages',
  description:
    'The body is JSON Lines up to 64 MiB, a line up to 1 MiB: `{"text", "id"?, "source"?, "licence"?, "vector"?}`. Lines go in by the hundred, and what is in already is neither embedded nor written again, so whatever broke off can be sent once more. A bad line ends the load; the passages before it are in.',
  middleware: [requires('run')] as const,
  request: {
    params: z.object({ id: z.string().max(100) }),
    query: z.object({
      namespace: namespaceName.default('main'),
      line: z.coerce.number().int().min(1).max(1_000_000_000).default(1).openapi({
        description: 'The number of the first line, where the body is a part of a file',
      }),
    }),
    body: { required: true, content: { 'text/jsonl': { schema: z.string() } } },
  },
  responses: {
    200: {
      description: 'What was loaded',
      content: { 'application/json': { schema: loadRecord.openapi('LoadRecord') } },
    },
    ...problems(
      'not-found',
      'invalid-passage',
      'body-too-large',
      'dimension-mismatch',
      'index-full',
      'index-unreachable',
      'model-unreachable',
    ),
  },
});

export const loadPassages: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { namespace, line: first } = c.req.valid('query');
    const { index, connection, opened } = await openKnowledge(c, c.req.valid('param').id);
    const { body } = c.req.raw;
    if (body === null) throw refusal('invalid-passage', 'the file is empty');
    const load = newId('load', new Date());
    const isElsewhere = connection.store.kind !== 'embedded';
    const loading = new PassageLoad({
      load,
      namespace,
      opened,
      tell: (event) => index.tell([event]),
      note: async (what, ids) => {
        if (isElsewhere) unwrap(await index.noteElsewhere(what, namespace, ids));
      },
    });
    const done = await uploadLines(body, (lines) => loading.write(lines), first).catch(
      async (error: unknown): Promise<Result<null>> => {
        const detail = error instanceof Error ? error.message : String(error);
        // The stub that threw may stay broken.
        const anew = await findKnowledge(c, c.req.valid('param').id);
        await anew.tell([{ type: 'load.failed', load, namespace, line: loading.line, detail }]);
        throw error;
      },
    );
    if (done.ok) {
      await index.tell([{ type: 'load.ended', load, namespace, ...loading.totals }]);
      return c.json(loading.totals, 200);
    }
    const { code, detail } = done.problem;
    await index.tell([{ type: 'load.failed', load, namespace, line: loading.line, detail }]);
    const { loaded, unchanged } = loading.totals;
    const before = `before it ${loaded} passages were loaded and ${unchanged} were in already`;
    return unwrap(refuse(code === 'invalid-line' ? 'invalid-passage' : code, `${detail}; ${before}`));
  });
