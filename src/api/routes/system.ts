import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import { harnessVersion } from '#core/values/harness-version.ts';
import type { Endpoint } from '../context.ts';
import { makeEndpoint, describeJsonResponse } from '../endpoint.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { rootKey } from '../middleware/identify.ts';
import { describeProblemResponses } from '../problem.ts';
import { wakeRunsAndCount } from '../wake-runs.ts';

/** Generated with the first answer, because a Worker may not use randomness while it is loaded. */
let instance: string | null = null;

const health = makeEndpoint(
  {
    method: 'get',
    path: '/health',
    tags: ['system'],
    summary: 'Whether the service is up',
    security: [],
    responses: {
      200: describeJsonResponse(
        'It is',
        documented(
          z.object({
            status: z.literal('ok'),
            harness: z.string(),
            offline: z.boolean(),
            instance: documented(z.string(), { description: 'The process that answers: another one after a restart' }),
          }),
          'Health',
        ),
      ),
    },
  },
  (c) => {
    const { OFFLINE_MODELS: offline } = c.var.services.settings;
    instance ??= crypto.randomUUID();
    return c.json({ status: 'ok' as const, harness: harnessVersion, offline, instance }, 200);
  },
);

const wake = makeEndpoint(
  {
    method: 'post',
    path: '/v1/wake',
    tags: ['system'],
    summary: 'Start drivers of runs that have not ended',
    description:
      'For after a crash of the whole service: each run of the workspace gets a new driver at once, which goes on where the run stands; with the root key, each run of all workspaces. A run that was woken within the last minute is left alone. Without it a schedule does the same for runs that have been silent for ten minutes.',
    middleware: [admitCallerWithScope('admin')],
    responses: {
      200: describeJsonResponse('How many runs got a new driver', z.object({ runs: z.int() })),
      ...describeProblemResponses('unsupported-media-type', 'body-too-large'),
    },
  },
  async (c) => {
    const { services, caller } = c.var;
    const workspace = caller.key === rootKey ? null : caller.workspace;
    const runs = await services.directory.takeRunsToWake(workspace, Date.now());
    return c.json({ runs: await wakeRunsAndCount(services, runs, true) }, 200);
  },
);

export const systemEndpoints: readonly Endpoint[] = [health, wake];
