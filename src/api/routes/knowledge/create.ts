import { createRoute, z } from '@hono/zod-openapi';
import type { Admission } from '#adapters/network/admission.ts';
import { indexEmbedder } from '#adapters/vector/index-embedder.ts';
import { unfit } from '#adapters/vector/index-fitness.ts';
import { upstashOf } from '#adapters/vector/stores.ts';
import { deploymentIndex, type Settings } from '#adapters/settings.ts';
import { knowledgeRecord, newKnowledge, vectorDimensions, type KnowledgeConnection } from '#core/knowledge/record.ts';
import type { Endpoint } from '../../context.ts';
import { creatingCall, idempotencyHeader } from '../../idempotency.ts';
import { indexProblem, unwrapReached } from '../../index-fault.ts';
import { requires } from '../../middleware/authenticate.ts';
import { requireModels } from '../../model-check.ts';
import { sealedStore } from '../../sealed-store.ts';
import { problems, refusal, Refusal, unwrap } from '../../problem.ts';
import { storeModel } from '../../stored-model.ts';

const route = createRoute({
  method: 'post',
  path: '/v1/knowledge',
  tags: ['knowledge'],
  summary: 'Make a knowledge index',
  description:
    "The deployment's embedder is asked for one vector: the index keeps its model and its dimension for good. With an `Idempotency-Key` the call can be repeated: the same key gives the same index.",
  middleware: [requires('run')] as const,
  request: {
    headers: idempotencyHeader,
    body: { required: true, content: { 'application/json': { schema: newKnowledge.openapi('NewKnowledge') } } },
  },
  responses: {
    201: {
      description: 'The index, which is empty',
      headers: z.object({ Location: z.string() }),
      content: { 'application/json': { schema: knowledgeRecord.openapi('Knowledge') } },
    },
    ...problems(
      'malformed-json',
      'unsupported-media-type',
      'body-too-large',
      'model-not-found',
      'model-unauthorized',
      'model-unreachable',
      'address-forbidden',
      'dimension-mismatch',
      'index-unreachable',
      'idempotency-mismatch',
    ),
  },
});

export const createKnowledge: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const body = c.req.valid('json');
    const { settings } = c.var.services;
    const {
      name,
      embedding,
      store = { kind: deploymentIndex(settings) === undefined ? 'embedded' : 'upstash' },
    } = body;
    const workspace = c.var.services.workspace(c.var.caller.workspace);
    const call = creatingCall(workspace, 'knowledge', c.req.valid('header')['idempotency-key'], body);
    const earlier = await call.earlier((id) => c.var.services.knowledge(id).get());
    if (earlier !== null) {
      c.header('Location', `/v1/knowledge/${earlier.id}`);
      return c.json(earlier, 201);
    }
    if (store.kind === 'embedded' && embedding === 'store')
      throw refusal('invalid-request', 'embedding: an embedded index needs the embedder');
    const stored = await sealedStore(store, settings);
    const embedder = embedding === 'store' ? null : await requireEmbedder(settings, c.var.admission);
    const now = new Date();
    const id = await call.newId('kn', now);
    const dimension =
      stored.kind === 'embedded'
        ? embedder?.dimension
        : await requireFit(id, stored, embedder, settings, c.var.admission);
    const at = { model: embedder?.model ?? null, dimension: dimension ?? null };
    const summary = { id, name, store: store.kind, embedding, ...at, createdAt: now.toISOString() };
    // Listed before it is made: an index that holds something must never be one that nobody can find.
    await workspace.addResource('knowledge', { id, object: id, json: JSON.stringify(summary) });
    const connection = { id, store: stored, embedding, ...at };
    const record = unwrap(await c.var.services.knowledge(id).create({ summary, connection }));
    c.header('Location', `/v1/knowledge/${id}`);
    return c.json(record, 201);
  });

/** Whether an index at Upstash holds what is wanted; its dimension, where it does. */
async function requireFit(
  id: string,
  store: KnowledgeConnection['store'],
  embedder: { readonly model: string; readonly dimension: number } | null,
  settings: Settings,
  admission: Admission,
): Promise<number> {
  const index = unwrapReached(await upstashOf({ id, store }, settings, admission));
  const description = unwrapReached(await index.describe());
  const wanted =
    embedder === null
      ? ({ embedding: 'store' } as const)
      : ({ embedding: 'embedder', dimension: embedder.dimension } as const);
  switch (unfit(description, wanted)) {
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

/** The deployment's embedder and the dimension of its vectors, found out by asking it once. */
async function requireEmbedder(
  settings: Settings,
  admission: Admission,
): Promise<{ model: string; dimension: number }> {
  const stored = await storeModel('embedder', undefined, settings);
  await requireModels([{ name: 'the embedder', role: 'embedder', model: stored }], settings, admission);
  const { model } = stored;
  const answer = await indexEmbedder(settings, model, admission).embed(['How long is a vector?']);
  if (!answer.ok) throw new Refusal(indexProblem(answer.fault));
  const dimension = answer.vectors[0]?.length ?? 0;
  const { least, most } = vectorDimensions;
  if (dimension >= least && dimension <= most) return { model, dimension };
  throw refusal('dimension-mismatch', `${model} gives vectors of ${dimension}; an index takes ${least} to ${most}`);
}
