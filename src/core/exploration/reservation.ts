import type { UnitCounts } from './counts.ts';
import { sumPromptAndCompletionTokens, type Usage } from '#core/models/usage.ts';

/** What the units of a run use up while they are under way; the other parts of a budget grow between units. */
export interface UnitCost {
  readonly tokens: number;
  readonly costUsd: number;
}

type CostLimits = { readonly [Part in keyof UnitCost]?: number | undefined };

const limitedParts = (limits: CostLimits): (keyof UnitCost)[] =>
  (['tokens', 'costUsd'] as const).filter((part) => limits[part] !== undefined);

/** What a run has spent, what its finished units took on average (null before the first), and how many are under way. */
interface Commitments {
  readonly spent: UnitCost;
  readonly mean: UnitCost | null;
  readonly open: number;
}

/**
 * Returns whether another unit may start: what is spent, and what the units under way will take by the mean, is below
 * every limit. So less than the limit is spent when a unit starts, and a budget is overrun by less than one unit for
 * each lane, whatever the units turn out to take.
 */
export const mayStartUnit = (limits: CostLimits, { spent, mean, open }: Commitments): boolean =>
  limitedParts(limits).every((part) => spent[part] + open * (mean?.[part] ?? 0) < (limits[part] ?? Infinity));

/**
 * Returns how many units may start together, at most `most` and at least 1: as many as `mayStartUnit` lets start one
 * after the other. Before anything is known of their cost it is one, if there is a limit at all.
 */
export function countUnitsToStart(
  limits: CostLimits,
  { spent, mean }: Pick<Commitments, 'spent' | 'mean'>,
  most: number,
): number {
  const parts = limitedParts(limits);
  if (parts.length === 0) return most;
  if (mean === null) return 1;
  const room = parts.map((part) => {
    const left = (limits[part] ?? Infinity) - spent[part];
    return mean[part] > 0 ? Math.ceil(left / mean[part]) : Infinity;
  });
  return Math.max(1, Math.min(most, ...room));
}

/** Returns what usage takes of a budget. */
export const tokensAndCostOfUsage = (usage: Usage): UnitCost => ({
  tokens: sumPromptAndCompletionTokens(usage),
  costUsd: usage.costUsd,
});

/** Returns what units took on average; null if there are none. */
export const meanCostPerUnit = ({ tokens, costUsd }: UnitCost, units: number): UnitCost | null =>
  units === 0 ? null : { tokens: tokens / units, costUsd: costUsd / units };

/** Returns the number of units in all their final states. */
export const sumUnitCountsOfAllStates = (counts: { readonly [state in keyof UnitCounts]?: number }): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
