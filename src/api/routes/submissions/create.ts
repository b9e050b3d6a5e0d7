import { createRoute, z } from '@hono/zod-openapi';
import { externalLimits, type StoredAgent } from '#core/evaluation/config.ts';
import { agentLimits } from '#core/models/limits.ts';
import type { LeaderboardBirth } from '#core/leaderboards/record.ts';
import { newSubmission, submissionRecord, type NewSubmissionBody } from '#core/submissions/record.ts';
import type { ApiEnv, Endpoint } from '../../context.ts';
import { idempotencyHeader } from '../../idempotency.ts';
import { requires } from '../../middleware/authenticate.ts';
import { requireModels } from '../../model-check.ts';
import { problems, refusal } from '../../problem.ts';
import { storeModel } from '../../stored-model.ts';
import { locationOf, receive, submittingCall, wantedLeaderboard } from './receive.ts';
import type { Context } from 'hono';

const route = createRoute({
  method: 'post',
  path: '/v1/submissions',
  tags: ['submissions'],
  summary: 'Submit an agent to a leaderboard',
  description:
    'With the tier `service` we run the agent, with the model that the submitter names and whose key is used for this run only. With `gateway` the submitter claims the attempts (`/v1/attempts/claim`) and works through the recording gateway. Follow the submission at `/v1/submissions/{id}/events`. With an `Idempotency-Key` the call can be repeated.',
  middleware: [requires('submit')] as const,
  request: {
    headers: idempotencyHeader,
    body: { required: true, content: { 'application/json': { schema: newSubmission.openapi('NewSubmission') } } },
  },
  responses: {
    202: {
      description: 'The submission',
      headers: z.object({ Location: z.string() }),
      content: { 'application/json': { schema: submissionRecord.openapi('Submission') } },
    },
    ...problems(
      'malformed-json',
      'unsupported-media-type',
      'body-too-large',
      'not-found',
      'benchmark-mismatch',
      'name-taken',
      'quota-exceeded',
      'address-forbidden',
      'model-not-found',
      'model-unauthorized',
      'model-unreachable',
      'idempotency-mismatch',
    ),
  },
});

/** What the one agent of a submission is called in its evaluation: what chance decides must not hang on a name that a submitter chose. */
const agentName = 'agent';

export const createSubmission: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const body = c.req.valid('json');
    const { call, earlier } = await submittingCall(c, c.req.valid('header')['idempotency-key'], body);
    if (earlier !== null) return c.json(earlier, 202, { Location: locationOf(earlier) });
    const leaderboard = await wantedLeaderboard(c, body.leaderboard, body.benchmark);
    const agent = await agentOf(c, body, leaderboard);
    const now = new Date();
    const id = await call.newId('sub', now);
    const { name, tier } = body;
    const record = await receive(c, leaderboard, { id, name, tier, agent, at: now.toISOString() });
    return c.json(record, 202, { Location: locationOf(record) });
  });

async function agentOf(
  c: Context<ApiEnv>,
  body: NewSubmissionBody,
  leaderboard: LeaderboardBirth,
): Promise<StoredAgent> {
  if (body.tier === 'gateway') return { name: agentName, loop: 'external', limits: externalLimits.parse(body.limits) };
  const { loop, model, endpoint, limits } = body.agent;
  if (endpoint === undefined && leaderboard.workspace !== c.var.caller.workspace)
    throw refusal('invalid-request', 'agent.endpoint: give the address of the model, and its key');
  const { settings } = c.var.services;
  const stored = { ...(await storeModel('agent', endpoint && { ...endpoint, model }, settings)), model };
  await requireModels([{ name: 'the agent', role: 'agent', model: stored }], settings, c.var.admission);
  return { name: agentName, loop, limits: agentLimits.parse(limits), model: stored };
}
