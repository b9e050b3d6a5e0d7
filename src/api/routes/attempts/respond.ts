import { createRoute, z } from '@hono/zod-openapi';
import { attemptEnd, attemptResponse } from '#core/evaluation/claim.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, refusal, unwrap } from '../../problem.ts';
import { attemptNamed } from './find.ts';

const route = createRoute({
  method: 'post',
  path: '/v1/attempts/{id}/response',
  tags: ['attempts'],
  summary: "End an attempt with the agent's response",
  description:
    'Once, and before the deadline; the same response may be sent again, and gets the same answer. The calls are those that the recording gateway saw.',
  middleware: [requires('run', 'submit')] as const,
  request: {
    params: z.object({ id: z.string().max(100) }),
    body: { required: true, content: { 'application/json': { schema: attemptResponse.openapi('AttemptResponse') } } },
  },
  responses: {
    200: {
      description: 'What the attempt counts as',
      content: { 'application/json': { schema: attemptEnd.openapi('AttemptEnd') } },
    },
    ...problems('malformed-json', 'unsupported-media-type', 'body-too-large', 'not-found', 'attempt-over'),
  },
});

export const respondToAttempt: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const attempt = await attemptNamed(c, id);
    if (attempt === null) throw refusal('not-found', `there is no attempt ${id}`);
    const { response } = c.req.valid('json');
    return c.json(unwrap(await attempt.respond(c.var.caller.workspace, response)), 200);
  });
