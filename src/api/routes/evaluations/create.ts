import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { agentChoice, evaluationConfig, type EvaluationConfig } from '#core/evaluation/config.ts';
import { createOnBasis } from '#core/evaluation/creation.ts';
import { evaluationRecord } from '#core/evaluation/record.ts';
import { modelChoice } from '#core/models/choices.ts';
import type { ApiEnv, Endpoint } from '../../context.ts';
import { creatingCall, idempotencyHeader } from '../../idempotency.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, refusal } from '../../problem.ts';
import { requireForPrivate } from '../benchmarks/find.ts';
import { basisOf } from './basis.ts';
import { storedModels } from './models.ts';

const newEvaluation = evaluationConfig
  .extend({
    agents: z.array(agentChoice).min(1).max(20),
    judge: modelChoice.optional(),
    embedder: modelChoice.optional(),
  })
  .refine(({ recording, recordingId }) => (recording === 'replay') === (recordingId !== undefined), {
    path: ['recordingId'],
    message: 'the recording to replay; with no other mode of recording',
  })
  .refine(({ agents }) => new Set(agents.map(({ name }) => name)).size === agents.length, {
    path: ['agents'],
    message: 'every agent has a name of its own',
  });

const route = createRoute({
  method: 'post',
  path: '/v1/evaluations',
  tags: ['evaluations'],
  summary: 'Evaluate agents on a benchmark',
  description:
    'Every agent gets both requests of every unit, as often as `trials` says: model agents by themselves, agents with the loop `external` when they claim attempts. Follow the run at `/v1/evaluations/{id}/events`. With an `Idempotency-Key` the call can be repeated.',
  middleware: [requires('run')] as const,
  request: {
    headers: idempotencyHeader,
    body: { required: true, content: { 'application/json': { schema: newEvaluation.openapi('NewEvaluation') } } },
  },
  responses: {
    202: {
      description: 'The run',
      headers: z.object({ Location: z.string() }),
      content: { 'application/json': { schema: evaluationRecord.openapi('Evaluation') } },
    },
    ...problems(
      'malformed-json',
      'unsupported-media-type',
      'body-too-large',
      'not-found',
      'address-forbidden',
      'nothing-to-evaluate',
      'evaluation-too-large',
      'forbidden',
      'catalog-changed',
      'model-not-found',
      'model-unauthorized',
      'model-unreachable',
      'idempotency-mismatch',
    ),
  },
});

export const createEvaluation: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const body = c.req.valid('json');
    const { agents: choices, judge, embedder, ...config } = body;
    const { services, caller } = c.var;
    const workspace = services.workspace(caller.workspace);
    const call = creatingCall(workspace, 'evaluation', c.req.valid('header')['idempotency-key'], body);
    const earlier = await call.earlier((id) => services.evaluation(id).get());
    if (earlier !== null) {
      c.header('Location', `/v1/evaluations/${earlier.id}`);
      return c.json(earlier, 202);
    }
    requireForPrivate(c, config.split);
    const { servers, ...basis } = await basisOf(c, config, choices.length);
    const models = await storedModels(choices, config.judges, { judge, embedder }, services.settings, c.var.admission);
    const now = new Date();
    const at = now.toISOString();
    const id = await call.newId('evl', now);
    c.header('Location', `/v1/evaluations/${id}`);
    const recording = await recordingOf(id, config, at, c);
    // Listed before it is born: a run that goes on must never be one that nobody can find.
    await workspace.addResource('evaluation', { id, object: id, json: JSON.stringify({ createdAt: at }) });
    const record = await createOnBasis(
      services.evaluation(id),
      {
        id,
        workspace: caller.workspace,
        config: { ...config, ...recording },
        ...models,
        servers,
        offline: services.settings.OFFLINE_MODELS,
        submission: null,
        at,
      },
      basis,
    );
    return c.json(record, 202);
  });

/** Makes the recording that an evaluation writes, or finds the one that it replays. */
async function recordingOf(
  id: string,
  { recording, recordingId, benchmark, split }: EvaluationConfig,
  at: string,
  c: Context<ApiEnv>,
): Promise<Pick<EvaluationConfig, 'recordingId'>> {
  if (recording === 'off') return {};
  const workspace = c.var.services.workspace(c.var.caller.workspace);
  if (recording === 'replay') {
    if (recordingId === undefined || (await workspace.findResource('recording', recordingId)) === null)
      throw refusal('not-found', `there is no recording ${recordingId ?? ''}`);
    return { recordingId };
  }
  const made = `rec_${id.slice(id.indexOf('_') + 1)}`;
  await c.var.services.recording(made).begin({ id: made, benchmark, createdAt: at, private: split !== 'public' });
  await workspace.addResource('recording', { id: made, object: made, json: JSON.stringify({ createdAt: at }) });
  return { recordingId: made };
}
