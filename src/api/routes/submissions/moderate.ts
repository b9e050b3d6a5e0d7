import { createRoute, z } from '@hono/zod-openapi';
import { moderation, submissionRecord } from '#core/submissions/record.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import { moderatedSubmission } from './find.ts';

const route = createRoute({
  method: 'post',
  path: '/v1/submissions/{id}/moderate',
  tags: ['submissions'],
  summary: 'Decide on a submission to a leaderboard of the workspace',
  description:
    '`publish` and `reject` decide on one in moderation; `hide` takes a published entry off and `show` puts it back. Each is told in the log, with its reason.',
  middleware: [requires('admin')] as const,
  request: {
    params: z.object({ id: z.string().max(100) }),
    body: { required: true, content: { 'application/json': { schema: moderation.openapi('Moderation') } } },
  },
  responses: {
    200: {
      description: 'The submission',
      content: { 'application/json': { schema: submissionRecord.openapi('Submission') } },
    },
    ...problems('malformed-json', 'unsupported-media-type', 'body-too-large', 'not-found', 'wrong-state'),
  },
});

export const moderateSubmission: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const submission = await moderatedSubmission(c, c.req.valid('param').id);
    return c.json(unwrap(await submission.moderate(c.req.valid('json'))), 200);
  });
