import type { Context } from 'hono';
import type { ApiEnv } from '../../context.ts';
import { ownedObject } from '../../owned.ts';
import type { BenchmarkService } from '../../services.ts';

/** The benchmark with this id in the caller's workspace. */
export const findBenchmark = async (c: Context<ApiEnv>, id: string): Promise<BenchmarkService> =>
  c.var.services.benchmark(await ownedObject(c, 'benchmark', id));
