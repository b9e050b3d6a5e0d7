import { z } from 'zod';
import { agentLimits } from '#core/models/limits.ts';
import { namespaceName } from '../knowledge/record.ts';

/** How candidate tools are drawn, and what the writer is told. */
export const strategyName = z.enum(['frontier', 'sgvef', 'sgve', 'gve', 'inverse-frequency', 'hierarchical']);
export type StrategyName = z.infer<typeof strategyName>;

/** When a run ends by itself; each holds on its own, and `rounds` always does. */
export const budget = z.strictObject({
  rounds: z.int().min(1).max(1_000).default(60),
  tokens: z.int().min(1).optional(),
  costUsd: z.number().positive().optional(),
  wallMs: z.int().min(1_000).optional(),
});
export type Budget = z.infer<typeof budget>;

export const stopRule = z.strictObject({
  rule: z.enum(['none', 'probe', 'chao1']).default('none'),
  /** For `probe`: the share of a fresh unit's transitions that should be known. */
  target: z.number().gt(0).lt(1).default(0.8),
});
export type StopRule = z.infer<typeof stopRule>;

/** What a client may decide about an exploration. */
export const explorationConfig = z.strictObject({
  catalog: z.string().min(1).max(100),
  name: z.string().max(200).default(''),
  strategy: strategyName.default('frontier'),
  /** The same seed, catalog and model answers give the same units in the same order. */
  seed: z.int().min(0).max(2_147_483_647).default(1),
  /** Steered units in a round; one probe comes on top. */
  batch: z.int().min(1).max(50).default(10),
  budget: budget.prefault({}),
  stop: stopRule.prefault({}),
  review: z.enum(['park', 'wait', 'accept', 'reject']).default('park'),
  /** With `wait`: how long a round waits for the decision on a unit. */
  reviewTimeoutMs: z.int().min(1_000).max(604_800_000).default(86_400_000),
  /** The index that units are grounded in; without one, they are not. */
  knowledge: z.strictObject({ index: z.string().min(1).max(100), namespace: namespaceName.default('main') }).optional(),
  /** Scores from which a unit is usable, and from which nobody needs to look at it; 0..100. */
  passScore: z.number().min(0).max(100).default(80),
  acceptScore: z.number().min(0).max(100).default(90),
  maxRefinements: z.int().min(0).max(10).default(3),
  agent: agentLimits.prefault({}),
});
export type ExplorationConfig = z.infer<typeof explorationConfig>;
