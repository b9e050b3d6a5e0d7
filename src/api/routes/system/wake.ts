import { createRoute, z } from '@hono/zod-openapi';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { rootKey } from '../../middleware/identify.ts';
import { problems } from '../../problem.ts';
import { wakeRuns } from '../../wake-runs.ts';

const route = createRoute({
  method: 'post',
  path: '/v1/wake',
  tags: ['system'],
  summary: 'Drive runs that have not ended anew',
  description:
    'For after a crash of the whole service: each run of the workspace gets a new driver at once, which goes on where the run stands; with the root key, each run of all workspaces. A run that was woken within the last minute is left alone. Without it a schedule does the same for runs that have been silent for ten minutes.',
  middleware: [requires('admin')] as const,
  responses: {
    200: {
      description: 'How many runs got a new driver',
      content: { 'application/json': { schema: z.object({ runs: z.int() }) } },
    },
    ...problems('unsupported-media-type', 'body-too-large'),
  },
});

export const wake: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { services, caller } = c.var;
    const workspace = caller.key === rootKey ? null : caller.workspace;
    const runs = await services.directory.takeRunsToWake(workspace, Date.now());
    return c.json({ runs: await wakeRuns(services, runs, true) }, 200);
  });
