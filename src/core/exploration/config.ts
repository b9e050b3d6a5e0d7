import { z } from 'zod';
import { agentLimits } from '#core/models/limits.ts';
import { namespaceName } from '../knowledge/record.ts';

/** How candidate tools are drawn, and what the writer is told. */
export const strategyName = z.enum(['frontier', 'sgvef', 'sgve', 'gve', 'inverse-frequency', 'hierarchical']);
export type StrategyName = z.infer<typeof strategyName>;

/** The rules that end a run; `rounds` always applies as well. */
export const budget = z.strictObject({
  rounds: z.int().min(1).max(1_000).default(60),
  tokens: z.int().min(1).optional(),
  costUsd: z.number().positive().optional(),
  wallMs: z.int().min(1_000).optional(),
});
export type Budget = z.infer<typeof budget>;

export const stopRule = z.strictObject({
  rule: z.enum(['none', 'probe', 'chao1']).default('none'),
  /** For `probe`: the target share of a fresh unit's transitions that are known. */
  target: z.number().gt(0).lt(1).default(0.8),
});
export type StopRule = z.infer<typeof stopRule>;

/** What a client chooses for an exploration. */
export const explorationConfig = z.strictObject({
  catalog: z.string().min(1).max(100),
  name: z.string().max(200).default(''),
  strategy: strategyName.default('frontier'),
  /** The same seed, catalog and model answers give the same units in the same order. */
  seed: z.int().min(0).max(2_147_483_647).default(1),
  /** Steered units per round, without the probe. */
  batch: z.int().min(1).max(50).default(10),
  budget: budget.prefault({}),
  stop: stopRule.prefault({}),
  review: z.enum(['park', 'wait', 'accept', 'reject']).default('park'),
  /** With `wait`: how long a round waits for the decision on a unit. */
  reviewTimeoutMs: z.int().min(1_000).max(604_800_000).default(86_400_000),
  /** The index in which units are grounded; without it they are not grounded. */
  knowledge: z.strictObject({ index: z.string().min(1).max(100), namespace: namespaceName.default('main') }).optional(),
  /** Scores, 0..100, from which a unit is usable, and from which it needs no reviewer. */
  passScore: z.number().min(0).max(100).default(80),
  acceptScore: z.number().min(0).max(100).default(90),
  maxRefinements: z.int().min(0).max(10).default(3),
  agent: agentLimits.prefault({}),
});
export type ExplorationConfig = z.infer<typeof explorationConfig>;
