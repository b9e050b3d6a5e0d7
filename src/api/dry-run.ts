import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import { costEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import type { Result } from '#core/values/result.ts';
import type { Context } from 'hono';
import type { ApiEnv } from './context.ts';
import { describeJsonResponse } from './endpoint.ts';

/** The query of endpoints that create runs. */
export const dryRunQuery = z.object({
  dryRun: documented(
    z
      .enum(['true', 'false'])
      .default('false')
      .transform((given) => given === 'true'),
    {
      description: 'With `true` nothing is created, no model is asked, and the answer is the estimate alone.',
    },
  ),
});

/** The answer to a dry run. */
export const dryRunResponse = describeJsonResponse(
  'With `dryRun=true`: what the run is expected to take',
  documented(z.object({ estimate: costEstimate }), 'DryRun'),
);

/** How many of a workspace's latest runs are looked at for one that shows what another takes. */
const lookedAt = 5;

/** Returns the latest run of the caller's workspace that shows what another takes; null if the latest few do not. */
export async function findLatestSimilarRun<Run>(
  c: Context<ApiEnv>,
  kind: 'exploration' | 'evaluation',
  read: (object: string) => Promise<Result<Run>>,
  isLike: (run: Run) => boolean,
): Promise<Run | null> {
  const { services, caller } = c.var;
  const latest = await services.object('workspace', caller.workspace).listLatestResourcesOfKind(kind, '', lookedAt);
  const found = await Promise.all(latest.map(({ object }) => read(object)));
  for (const run of found) if (run.ok && isLike(run.value)) return run.value;
  return null;
}
