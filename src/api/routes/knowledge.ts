import { documented } from '#api/documented.ts';
import type { Context } from 'hono';
import type { Admission } from '#adapters/network/admission.ts';
import { getDeploymentVectorIndex, type Settings } from '#adapters/settings.ts';
import { makeIndexEmbedder } from '#adapters/vector/index-embedder.ts';
import { findReasonIndexIsUnfit } from '#adapters/vector/index-fitness.ts';
import { type OpenedStore, openKnowledgeStore, openUpstashStore } from '#adapters/vector/stores.ts';
import {
  type KnowledgeConnection,
  knowledgeRecord,
  knowledgeSummary,
  newKnowledge,
  vectorDimensions,
} from '#core/similarity/knowledge/record.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import {
  makeEndpoint,
  idParams,
  describeJsonResponse,
  describeJsonBody,
  describeCreatedResponse,
} from '../endpoint.ts';
import { makeRepeatableCreatingCall, idempotencyHeader } from '../idempotency.ts';
import { problemOfIndexFault, unwrapIndexAnswer } from '../index-fault.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { requireOwnedObject } from '../owned.ts';
import { makePageFromItemsAndOneMore, pageSchema, pageQuery } from '../pages.ts';
import { bodyProblems, describeProblemResponses, refusal, Refusal, unwrap } from '../problem.ts';
import { checkAndEncryptStoreSettings } from '../knowledge-store-settings.ts';
import type { KnowledgeService } from '../services.ts';
import { prepareModelForStorage } from '../stored-model.ts';
import { makeEventsEndpoint } from './runs.ts';

/** Returns the index with this id in the caller's workspace, with its store opened. */
export async function requireKnowledgeWithOpenedStore(
  c: Context<ApiEnv>,
  id: string,
): Promise<{ index: KnowledgeService; connection: KnowledgeConnection; opened: OpenedStore }> {
  const index = await requireOwnedObject(c, 'knowledge', id);
  const connection = unwrap(await index.connection());
  const opened = unwrapIndexAnswer(
    await openKnowledgeStore(connection, c.var.services.settings, index, c.var.admission),
  );
  return { index, connection, opened };
}

/** Returns how a run reaches an index to search it. */
export async function requireKnowledgeConnection(c: Context<ApiEnv>, id: string): Promise<KnowledgeConnection> {
  return unwrap(await (await requireOwnedObject(c, 'knowledge', id)).connection());
}

const createKnowledge = makeEndpoint(
  {
    method: 'post',
    path: '/v1/knowledge',
    tags: ['knowledge'],
    summary: 'Make a knowledge index',
    description:
      "The deployment's embedder is asked for one vector: the index keeps its model and its dimension for good. With an `Idempotency-Key` the call can be repeated: the same key gives the same index.",
    middleware: [admitCallerWithScope('run')],
    request: {
      headers: idempotencyHeader,
      body: describeJsonBody(documented(newKnowledge, 'NewKnowledge')),
    },
    responses: {
      201: describeCreatedResponse('The index, which is empty', documented(knowledgeRecord, 'Knowledge')),
      ...describeProblemResponses(
        ...bodyProblems,
        'model-refused',
        'model-unreachable',
        'address-forbidden',
        'dimension-mismatch',
        'index-unreachable',
        'idempotency-mismatch',
      ),
    },
  },
  async (c) => {
    const body = c.req.valid('json');
    const { settings } = c.var.services;
    const {
      name,
      embedding,
      store = { kind: getDeploymentVectorIndex(settings) === undefined ? 'embedded' : 'upstash' },
    } = body;
    const workspace = c.var.services.object('workspace', c.var.caller.workspace);
    const call = makeRepeatableCreatingCall(workspace, 'knowledge', c.req.valid('header')['idempotency-key'], body);
    const earlier = await call.findEarlier((id) => c.var.services.object('knowledge', id).get());
    if (earlier !== null) return c.json(earlier, 201, { Location: `/v1/knowledge/${earlier.id}` });
    if (store.kind === 'embedded' && embedding === 'store')
      throw refusal('invalid-request', 'embedding: an embedded index needs the embedder');
    const stored = await checkAndEncryptStoreSettings(store, settings);
    const embedder = embedding === 'store' ? null : await measureEmbedderModelAndDimension(settings, c.var.admission);
    const now = new Date();
    const id = await call.newId('kn', now);
    const dimension =
      stored.kind === 'embedded'
        ? embedder?.dimension
        : await readDimensionOfFittingIndex(id, stored, embedder, settings, c.var.admission);
    const at = { model: embedder?.model ?? null, dimension: dimension ?? null };
    const summary = { id, name, store: store.kind, embedding, ...at, createdAt: now.toISOString() };
    // Listed before it is created, so that there is never an index with content that nobody can find.
    await workspace.addResource('knowledge', { id, object: id, json: JSON.stringify(summary) });
    const connection = { id, store: stored, embedding, ...at };
    const record = unwrap(await c.var.services.object('knowledge', id).create({ summary, connection }));
    return c.json(record, 201, { Location: `/v1/knowledge/${id}` });
  },
);

/** Returns the dimension of an Upstash index, or refuses if it does not fit. */
async function readDimensionOfFittingIndex(
  id: string,
  store: KnowledgeConnection['store'],
  embedder: { readonly model: string; readonly dimension: number } | null,
  settings: Settings,
  admission: Admission,
): Promise<number> {
  const index = unwrapIndexAnswer(await openUpstashStore({ id, store }, settings, admission));
  const description = unwrapIndexAnswer(await index.describe());
  const wanted =
    embedder === null
      ? ({ embedding: 'store' } as const)
      : ({ embedding: 'embedder', dimension: embedder.dimension } as const);
  switch (findReasonIndexIsUnfit(description, wanted)) {
    case undefined:
      return description.dimension;
    case 'not-dense':
      throw refusal('invalid-request', `store: the index at Upstash is ${description.kind}; a dense one is needed`);
    case 'not-cosine':
      throw refusal(
        'invalid-request',
        `store: the index at Upstash compares by ${description.similarity}; cosine is needed`,
      );
    case 'no-embedding-model':
      throw refusal('invalid-request', 'embedding: the index at Upstash has no model of its own; use the embedder');
    case 'other-dimension':
      throw refusal(
        'dimension-mismatch',
        `the index at Upstash has ${description.dimension} dimensions, ${embedder?.model} gives ${embedder?.dimension}`,
      );
  }
}

/** Returns the deployment's embedder and the dimension of its vectors, which one call determines. */
async function measureEmbedderModelAndDimension(
  settings: Settings,
  admission: Admission,
): Promise<{ model: string; dimension: number }> {
  const stored = await prepareModelForStorage('embedder', undefined, settings);
  const { model } = stored;
  const answer = await makeIndexEmbedder(settings, model, admission).embed(['How long is a vector?']);
  if (!answer.ok) throw new Refusal(problemOfIndexFault(answer.fault));
  const dimension = answer.vectors[0]?.length ?? 0;
  const { least, most } = vectorDimensions;
  if (dimension >= least && dimension <= most) return { model, dimension };
  throw refusal('dimension-mismatch', `${model} gives vectors of ${dimension}; an index takes ${least} to ${most}`);
}

const listKnowledge = makeEndpoint(
  {
    method: 'get',
    path: '/v1/knowledge',
    tags: ['knowledge'],
    summary: 'List the knowledge indexes, oldest first',
    middleware: [admitCallerWithScope('read')],
    request: { query: pageQuery },
    responses: {
      200: describeJsonResponse('A page of indexes', pageSchema(documented(knowledgeSummary, 'KnowledgeSummary'))),
      ...describeProblemResponses(),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const workspace = c.var.services.object('workspace', c.var.caller.workspace);
    const read = await workspace.listResourcesOfKind('knowledge', cursor, limit + 1);
    const items = read.map(({ json }) => knowledgeSummary.parse(JSON.parse(json)));
    return c.json(
      makePageFromItemsAndOneMore(items, limit, ({ id }) => id),
      200,
    );
  },
);

const getKnowledge = makeEndpoint(
  {
    method: 'get',
    path: '/v1/knowledge/{id}',
    tags: ['knowledge'],
    summary: 'Read what an index is and how many passages it has',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse('The index', documented(knowledgeRecord, 'Knowledge')),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => c.json(unwrap(await (await requireOwnedObject(c, 'knowledge', c.req.valid('param').id)).get()), 200),
);

const idsPerCall = 1_000;

const removeKnowledge = makeEndpoint(
  {
    method: 'delete',
    path: '/v1/knowledge/{id}',
    tags: ['knowledge'],
    summary: 'Delete a knowledge index',
    description: 'Of an index at Upstash only what was loaded through Sextant is taken out.',
    middleware: [admitCallerWithScope('run')],
    request: { params: idParams },
    responses: {
      204: { description: 'The index and its passages are gone' },
      ...describeProblemResponses('not-found', 'index-unreachable'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const index = await requireOwnedObject(c, 'knowledge', id);
    for (let some = await index.listSomeExternalIds(idsPerCall); some !== null;) {
      const { opened } = await requireKnowledgeWithOpenedStore(c, id);
      unwrapIndexAnswer(await opened.store.remove(some.namespace, some.ids));
      unwrap(await index.recordExternalPassages('forget', some.namespace, some.ids));
      some = await index.listSomeExternalIds(idsPerCall);
    }
    // Stays listed until the end, so that an interrupted deletion can be repeated.
    await index.discard();
    await c.var.services.object('workspace', c.var.caller.workspace).removeResource('knowledge', id);
    return c.body(null, 204);
  },
);

const followKnowledge = makeEventsEndpoint({
  resource: 'knowledge',
  summary: 'Follow what is loaded into an index',
  end: 'The stream ends with an event `end` where the index is deleted.',
  path: '/v1/knowledge/{id}',
  params: idParams,
  find: (c, params) => requireOwnedObject(c, 'knowledge', idParams.parse(params).id),
});

export const knowledgeEndpoints: readonly Endpoint[] = [
  createKnowledge,
  listKnowledge,
  getKnowledge,
  removeKnowledge,
  followKnowledge,
];
