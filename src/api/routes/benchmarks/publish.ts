import type { Context } from 'hono';
import type { BenchmarkRecord } from '#core/benchmarks/benchmark.ts';
import type { Result } from '#core/errors.ts';
import type { ApiEnv } from '../../context.ts';
import { unwrap } from '../../problem.ts';
import type { BenchmarkService } from '../../services.ts';

/**
 * Lists a benchmark that was just made under its id. One that failed is discarded, and one that the workspace has already
 * gives way to it.
 */
export async function publish(
  c: Context<ApiEnv>,
  object: string,
  benchmark: BenchmarkService,
  made: Result<BenchmarkRecord>,
): Promise<BenchmarkRecord> {
  if (!made.ok) await benchmark.discard();
  const record = unwrap(made);
  const { workspace: id } = c.var.caller;
  const workspace = c.var.services.workspace(id);
  await workspace.addResource('benchmark', { id: record.id, object, json: JSON.stringify(record) });
  const held = await workspace.findResource('benchmark', record.id);
  // Two that freeze the same at once agree on the object that stays before the directory leads anyone to it.
  await c.var.services.directory.benchmarkAdded(record.id, id, held?.object ?? object);
  if (held === null || held.object === object) return record;
  await benchmark.discard();
  return unwrap(await c.var.services.benchmark(held.object).get());
}
