import { createRoute, z } from '@hono/zod-openapi';
import { indexEmbedder } from '#adapters/vector/index-embedder.ts';
import type { Settings } from '#adapters/settings.ts';
import { knowledgeRecord, newKnowledge, vectorDimensions } from '#core/knowledge/record.ts';
import type { Endpoint } from '../../context.ts';
import { creatingCall, idempotencyHeader } from '../../idempotency.ts';
import { indexProblem } from '../../index-fault.ts';
import { requires } from '../../middleware/authenticate.ts';
import { requireModels } from '../../model-check.ts';
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
      'dimension-mismatch',
      'index-unreachable',
      'idempotency-mismatch',
    ),
  },
});

export const createKnowledge: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const body = c.req.valid('json');
    const { name, store = { kind: 'embedded' }, embedding } = body;
    const { settings } = c.var.services;
    const workspace = c.var.services.workspace(c.var.caller.workspace);
    const call = creatingCall(workspace, 'knowledge', c.req.valid('header')['idempotency-key'], body);
    const earlier = await call.earlier((id) => c.var.services.knowledge(id).get());
    if (earlier !== null) {
      c.header('Location', `/v1/knowledge/${earlier.id}`);
      return c.json(earlier, 201);
    }
    if (store.kind === 'upstash') throw refusal('index-unreachable', 'this deployment knows no Upstash');
    if (embedding === 'store') throw refusal('invalid-request', 'embedding: an embedded index needs the embedder');
    const { model, dimension } = await requireEmbedder(settings);
    const now = new Date();
    const id = await call.newId('kn', now);
    const summary = { id, name, store: store.kind, embedding, model, dimension, createdAt: now.toISOString() };
    // Listed before it is made: an index that holds something must never be one that nobody can find.
    await workspace.addResource('knowledge', { id, object: id, json: JSON.stringify(summary) });
    const connection = { id, store, embedding, model, dimension };
    const record = unwrap(await c.var.services.knowledge(id).create({ summary, connection }));
    c.header('Location', `/v1/knowledge/${id}`);
    return c.json(record, 201);
  });

/** The deployment's embedder and the dimension of its vectors, found out by asking it once. */
async function requireEmbedder(settings: Settings): Promise<{ model: string; dimension: number }> {
  const stored = await storeModel('embedder', undefined, settings);
  await requireModels([{ name: 'the embedder', role: 'embedder', model: stored }], settings);
  const { model } = stored;
  const answer = await indexEmbedder(settings, model).embed(['How long is a vector?']);
  if (!answer.ok) throw new Refusal(indexProblem(answer.fault));
  const dimension = answer.vectors[0]?.length ?? 0;
  const { least, most } = vectorDimensions;
  if (dimension >= least && dimension <= most) return { model, dimension };
  throw refusal('dimension-mismatch', `${model} gives vectors of ${dimension}; an index takes ${least} to ${most}`);
}
