import type { Context } from 'hono';
import { allows } from '#core/access.ts';
import type { Split } from '#core/benchmarks/benchmark.ts';
import type { ApiEnv } from '../../context.ts';
import { ownedObject } from '../../owned.ts';
import { refusal } from '../../problem.ts';
import type { BenchmarkService } from '../../services.ts';

/** The benchmark with this id in the caller's workspace. */
export const findBenchmark = async (c: Context<ApiEnv>, id: string): Promise<BenchmarkService> =>
  c.var.services.benchmark(await ownedObject(c, 'benchmark', id));

/** Refuses private units to a key that may run things, but not everything: what is read once is private no more. */
export function requireForPrivate(c: Context<ApiEnv>, split: Split | 'all'): void {
  if (split !== 'public' && !allows(c.var.caller, 'admin'))
    throw refusal('forbidden', 'private units need a key with the scope "admin"; other keys have the split "public"');
}
