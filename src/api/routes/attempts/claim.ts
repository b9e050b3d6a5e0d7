import { createRoute } from '@hono/zod-openapi';
import { attemptId, attemptToken } from '#adapters/secrets/attempt-tokens.ts';
import { allows } from '#core/access.ts';
import { claimRequest, claimResponse } from '#core/evaluation/claim.ts';
import type { Endpoint } from '../../context.ts';
import { idempotencyHeader } from '../../idempotency.ts';
import { newId } from '../../ids.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, refusal, unwrap } from '../../problem.ts';
import { findWithUnits } from '../evaluations/find.ts';
import { ownSubmission } from '../submissions/find.ts';

const route = createRoute({
  method: 'post',
  path: '/v1/attempts/claim',
  tags: ['attempts'],
  summary: 'Claim the next attempt of an external agent',
  description:
    "Gives a request, an MCP endpoint that belongs to this attempt alone, and a deadline. Answer at `/v1/attempts/{id}/response`. Those of an evaluation on private units need the scope `admin`. Of an evaluation, a claim that runs out goes back to the queue; at the third time the agent counts as too slow. Of a submission an attempt is had once: a claim that runs out is its result, with an empty response. Requests of a submission's private units are handed out one at a time. With an `Idempotency-Key` the call can be repeated.",
  middleware: [requires('run', 'submit')] as const,
  request: {
    headers: idempotencyHeader,
    body: { required: true, content: { 'application/json': { schema: claimRequest.openapi('ClaimRequest') } } },
  },
  responses: {
    200: {
      description: 'An attempt, or that there is none',
      content: { 'application/json': { schema: claimResponse.openapi('Claim') } },
    },
    ...problems('malformed-json', 'unsupported-media-type', 'body-too-large', 'not-found', 'wrong-state'),
  },
});

export const claimAttempt: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const wanted = c.req.valid('json');
    const key = c.req.valid('header')['idempotency-key'] ?? null;
    // A key that may submit works on submissions alone.
    if (!('submission' in wanted) && !allows(c.var.caller, 'run'))
      throw refusal('forbidden', 'attempts of an evaluation need a key with the scope "run"');
    const { ENCRYPTION_KEY } = c.var.services.settings;
    const made = await attemptId(ENCRYPTION_KEY, newId('att', new Date()));
    const answer = unwrap(
      'submission' in wanted
        ? await (await ownSubmission(c, wanted.submission)).claim(made, key)
        : await (await findWithUnits(c, wanted.evaluation)).claim({ agent: wanted.agent, attempt: made, key }),
    );
    if (answer.kind === 'wait') return c.json({ status: 'wait' as const, retryAfterMs: answer.retryAfterMs }, 200);
    if (answer.kind === 'finished') return c.json({ status: 'finished' as const }, 200);
    const { attempt: id, request, deadline } = answer;
    const token = await attemptToken(ENCRYPTION_KEY, id);
    const url = new URL(`/mcp/attempts/${id}`, c.req.url).href;
    const mcp = { url, headers: { Authorization: `Bearer ${token}` } };
    return c.json({ status: 'claimed' as const, attempt: { id, request, mcp, deadline } }, 200);
  });
