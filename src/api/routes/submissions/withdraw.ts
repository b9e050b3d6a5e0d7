import { createRoute, z } from '@hono/zod-openapi';
import { submissionRecord } from '#core/submissions/record.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import { ownSubmission } from './find.ts';

const route = createRoute({
  method: 'post',
  path: '/v1/submissions/{id}/withdraw',
  tags: ['submissions'],
  summary: 'Take a submission back',
  description:
    "Wherever it stands. What was published of it leaves the leaderboard; the leaderboard's log keeps that it was there.",
  middleware: [requires('submit')] as const,
  request: {
    params: z.object({ id: z.string().max(100) }),
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z.strictObject({ reason: z.string().max(500).default('') }).openapi('Withdrawal'),
        },
      },
    },
  },
  responses: {
    200: {
      description: 'The submission',
      content: { 'application/json': { schema: submissionRecord.openapi('Submission') } },
    },
    ...problems('malformed-json', 'unsupported-media-type', 'body-too-large', 'not-found', 'wrong-state'),
  },
});

export const withdrawSubmission: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const submission = await ownSubmission(c, c.req.valid('param').id);
    const { reason } = c.req.valid('json');
    const why = reason === '' ? 'withdrawn by its submitter' : `withdrawn by its submitter: ${reason}`;
    return c.json(unwrap(await submission.withdraw(why)), 200);
  });
