import { createRoute, z } from '@hono/zod-openapi';
import { submissionRecord } from '#core/submissions/record.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import { visibleSubmission } from './find.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/submissions/{id}',
  tags: ['submissions'],
  summary: 'Read a submission: its state and why',
  description: 'For its submitter and for the moderators of its leaderboard.',
  middleware: [requires('read')] as const,
  request: { params: z.object({ id: z.string().max(100) }) },
  responses: {
    200: {
      description: 'The submission',
      content: { 'application/json': { schema: submissionRecord.openapi('Submission') } },
    },
    ...problems('not-found'),
  },
});

export const getSubmission: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const submission = await visibleSubmission(c, c.req.valid('param').id);
    return c.json(unwrap(await submission.get()), 200);
  });
