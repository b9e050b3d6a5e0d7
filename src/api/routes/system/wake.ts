import { createRoute, z } from '@hono/zod-openapi';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems } from '../../problem.ts';
import { wakeRuns } from '../../wake-runs.ts';

const route = createRoute({
  method: 'post',
  path: '/v1/wake',
  tags: ['system'],
  summary: 'Drive every run that has not ended anew',
  description:
    'For after a crash of the whole service: each run gets a new driver at once, which goes on where the run stands. Without it a schedule does the same for runs that have been silent for ten minutes.',
  middleware: [requires('admin')] as const,
  responses: {
    200: { description: 'How many runs', content: { 'application/json': { schema: z.object({ runs: z.int() }) } } },
    ...problems('unsupported-media-type', 'body-too-large'),
  },
});

export const wake: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    return c.json({ runs: await wakeRuns(c.var.services, true) }, 200);
  });
