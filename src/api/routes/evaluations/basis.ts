import type { Context } from 'hono';
import type { EvaluationConfig } from '#core/evaluation/config.ts';
import { gatherBasis, type GatheredBasis } from '#core/evaluation/gather.ts';
import type { ApiEnv } from '../../context.ts';
import { refusal, unwrap } from '../../problem.ts';
import type { BenchmarkService } from '../../services.ts';

/** What an evaluation needs of its benchmark and of the workspace's servers. A replay needs no server, and is true to what was recorded. */
export async function basisOf(c: Context<ApiEnv>, config: EvaluationConfig, agents: number): Promise<GatheredBasis> {
  const benchmark = await readableBenchmark(c, config);
  const servers = config.recording === 'replay' ? null : c.var.services.workspace(c.var.caller.workspace);
  return unwrap(await gatherBasis(benchmark, servers, config, agents));
}

/** The benchmark of the caller's workspace; of another one only its public units, where it is known to the deployment. */
async function readableBenchmark(
  c: Context<ApiEnv>,
  { benchmark: id, split }: EvaluationConfig,
): Promise<BenchmarkService> {
  const { services, caller } = c.var;
  const own = await services.workspace(caller.workspace).findResource('benchmark', id);
  if (own !== null) return services.benchmark(own.object);
  const foreign = await services.directory.findBenchmark(id);
  if (foreign === null) throw refusal('not-found', `there is no benchmark ${id}`);
  if (split !== 'public') {
    throw refusal(
      'forbidden',
      `the private units of ${id} belong to another workspace; evaluate on the split "public"`,
    );
  }
  return services.benchmark(foreign.object);
}
