import { exhaustedPart } from '#core/budget.ts';
import type { ExplorationConfig, StopRule } from '#core/exploration/config.ts';
import type { RoundReading } from '#core/exploration/reading-record.ts';

/** Readings in the plateau of Chao1. */
export const plateauReadings = 7;
/** How far they may differ from their mean, as a share of it. */
const plateauTolerance = 0.01;

/** Why a stop rule applies. */
export type StopReason = 'probe-target' | 'chao1-reached' | 'chao1-plateau';

/**
 * Returns why a rule applies after a round; null while it does not. `probe`: the anytime lower bound has reached the
 * target. `chao1` (Table 5 of the paper; fires at its batch 31): nothing is left unseen, or the estimate has settled.
 */
export const stopRuleReason = (
  rule: StopRule,
  reading: Pick<RoundReading, 'transitions' | 'f1' | 'probeCoverage'>,
  recentChao1: readonly number[],
): StopReason | null => {
  switch (rule.rule) {
    case 'probe':
      return reading.probeCoverage && reading.probeCoverage.anytimeLow >= rule.target ? 'probe-target' : null;
    case 'chao1':
      // S reaches the estimate if f1 is 0. It also does with one singleton and no doubleton, which is no evidence at
      // all.
      if (reading.transitions > 0 && reading.f1 === 0) return 'chao1-reached';
      return isOnPlateau(recentChao1) ? 'chao1-plateau' : null;
    case 'none':
      return null;
  }
};

/**
 * Returns why a run ends after a round: its stop rule applies, or a part of its budget is used up. Null while it
 * continues.
 */
export function explorationEndReason(
  { stop, budget }: Pick<ExplorationConfig, 'stop' | 'budget'>,
  reading: Pick<RoundReading, 'transitions' | 'f1' | 'probeCoverage'>,
  recentChao1: readonly number[],
  spent: Readonly<Record<'rounds' | 'tokens' | 'costUsd' | 'wallMs', number>>,
): string | null {
  const rule = stopRuleReason(stop, reading, recentChao1);
  if (rule !== null) return `stop rule: ${rule}`;
  const part = exhaustedPart(budget, spent);
  return part === null ? null : `budget: ${part} used up`;
}

/** Returns whether the last 7 estimates lie within 1% of their mean. */
export const isOnPlateau = (estimates: readonly number[]): boolean => {
  const last = estimates.slice(-plateauReadings);
  const mean = last.reduce((sum, estimate) => sum + estimate, 0) / plateauReadings;
  return (
    last.length === plateauReadings && last.every((estimate) => Math.abs(estimate - mean) <= plateauTolerance * mean)
  );
};
