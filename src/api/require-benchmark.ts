import type { Context } from 'hono';
import type { ApiEnv } from './context.ts';
import { refusal } from './problem.ts';
import type { BenchmarkService } from './services.ts';

/** Returns the benchmark with this id in any workspace, or refuses. The caller may show nothing of its private units. */
export async function requireBenchmarkOfAnyWorkspace(
  { var: { services } }: Context<ApiEnv>,
  id: string,
): Promise<BenchmarkService> {
  const found = await services.directory.findBenchmark(id);
  if (found === null) throw refusal('not-found', `there is no benchmark ${id}`);
  return services.object('benchmark', found.object);
}
