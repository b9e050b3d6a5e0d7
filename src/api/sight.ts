import type { Context } from 'hono';
import { allows } from '#core/access.ts';
import type { Split } from '#core/benchmarks/benchmark.ts';
import type { Sight } from '#core/exploration/record.ts';
import type { ApiEnv } from './context.ts';
import { refusal } from './problem.ts';

/** Whether the caller may see units that a benchmark holds out. */
export const sightOf = (c: Context<ApiEnv>): Sight => (allows(c.var.caller, 'admin') ? 'everything' : 'public');

/** Refuses private units to a key that may run things, but not everything: what is read once is private no more. */
export function requireForPrivate(c: Context<ApiEnv>, split: Split | 'all'): void {
  if (split !== 'public' && !allows(c.var.caller, 'admin'))
    throw refusal('forbidden', 'private units need a key with the scope "admin"; other keys have the split "public"');
}
