import type { Context } from 'hono';
import type { ApiEnv } from '../../context.ts';
import { refusal } from '../../problem.ts';
import type { BenchmarkService } from '../../services.ts';

/** The benchmark with this id in the caller's workspace; a foreign one looks like none at all. */
export async function findBenchmark(c: Context<ApiEnv>, id: string): Promise<BenchmarkService> {
  const found = await c.var.services.workspace(c.var.caller.workspace).findResource('benchmark', id);
  if (found === null) throw refusal('not-found', `there is no benchmark ${id}`);
  return c.var.services.benchmark(found.object);
}
