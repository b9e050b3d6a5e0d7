import { createRoute, z } from '@hono/zod-openapi';
import { recordingRecord } from '#core/evaluation/recording.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import { findRecording } from './find.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/recordings/{id}',
  tags: ['recordings'],
  summary: 'Read what a recording holds',
  description: 'An evaluation with `recording: record` makes one and names it in `recordingId`.',
  middleware: [requires('read')] as const,
  request: { params: z.object({ id: z.string().max(100) }) },
  responses: {
    200: {
      description: 'The recording',
      content: { 'application/json': { schema: recordingRecord.openapi('Recording') } },
    },
    ...problems('not-found'),
  },
});

export const getRecording: Endpoint = (api) =>
  void api.openapi(route, async (c) =>
    c.json(unwrap(await (await findRecording(c, c.req.valid('param').id)).get()), 200),
  );
