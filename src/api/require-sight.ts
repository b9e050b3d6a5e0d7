import type { Context } from 'hono';
import { refuseSplitBeyondSight, unitSightOfCaller } from '#core/access/access.ts';
import type { Split } from '#core/units/split.ts';
import type { ApiEnv } from './context.ts';
import { unwrap } from './problem.ts';

/** Refuses a split with private units to a caller that may not see them. */
export const requireSightOfSplit = (c: Context<ApiEnv>, split: Split | 'all'): null =>
  unwrap(refuseSplitBeyondSight(unitSightOfCaller(c.var.caller), split));
