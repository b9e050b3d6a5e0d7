import { makeRandom } from '#core/random.ts';
import { getScorer, type ScorerKey } from '#core/scoring/scorers.ts';
import type { Scorer } from '#core/scoring/scorer.ts';
import { comparePaired, type PairedComparison, type UnitValues } from '#core/statistics/paired.ts';
import { leastPairs } from '#core/statistics/verdict.ts';
import type { UnitResult } from './breakdown-record.ts';

/**
 * `holds`: the candidate is better, or worse by less than the smallest effect that matters. `worse`: it is worse, and by that
 * much for all that is known. `insufficient`: the units are too few to say.
 */
export const gateVerdicts = ['holds', 'worse', 'insufficient'] as const;
export type GateVerdict = (typeof gateVerdicts)[number];

/** A metric of a candidate and of the baseline that it is compared with. */
export interface GatedMetric {
  readonly scorer: ScorerKey;
  /** Means over the units that both are scored on; null without any. */
  readonly baseline: number | null;
  readonly candidate: number | null;
  /** How much better the candidate is, whichever direction of the metric is better. */
  readonly comparison: PairedComparison;
  readonly verdict: GateVerdict;
}

/**
 * Compares the results of a candidate with those of a baseline on the units that both are scored on. `minEffect`, above 0, is the
 * smallest difference that matters, in units of the metric. The candidate holds if the 95% interval of its advantage lies
 * above -minEffect (non-inferiority), and is worse if the whole interval lies below 0 otherwise.
 */
export function gateMetric(
  scorer: ScorerKey,
  baseline: readonly UnitResult[],
  candidate: readonly UnitResult[],
  { minEffect, seed }: { readonly minEffect: number; readonly seed: number },
): GatedMetric {
  const { direction } = getScorer(scorer);
  const [first, second] = [baseline, candidate].map((results) => valuesOf(results, scorer));
  const common = new Set([...(first ?? [])].flatMap(([unit, value]) => (value === null ? [] : [unit])));
  const both = [...(second ?? [])].flatMap(([unit, value]) => (value !== null && common.has(unit) ? [unit] : []));
  const comparison = comparePaired(
    orient(second ?? new Map(), direction),
    orient(first ?? new Map(), direction),
    makeRandom(seed, 'gate', scorer),
  );
  return {
    scorer,
    baseline: meanOf(both, first),
    candidate: meanOf(both, second),
    comparison,
    verdict: decide(comparison, minEffect),
  };
}

function decide({ low, high, n }: PairedComparison, minEffect: number): GateVerdict {
  if (n < leastPairs || low === null || high === null) return 'insufficient';
  if (low > -minEffect) return 'holds';
  return high < 0 ? 'worse' : 'insufficient';
}

/** Returns the verdict on several metrics: that of the worst one. */
export const gateAll = (metrics: readonly Pick<GatedMetric, 'verdict'>[]): GateVerdict => {
  const of = (verdict: GateVerdict): boolean => metrics.some((each) => each.verdict === verdict);
  return of('worse') ? 'worse' : of('insufficient') ? 'insufficient' : 'holds';
};

const valuesOf = (results: readonly UnitResult[], scorer: ScorerKey): UnitValues =>
  new Map(results.map(({ unit, scores }) => [unit, scores[scorer] ?? null]));

/** Returns values of which a higher one is better. */
const orient = (values: UnitValues, direction: Scorer['direction']): UnitValues =>
  new Map(
    [...values].map(([unit, value]) => {
      if (value === null || direction === 'higher') return [unit, value];
      return [unit, direction === 'zero' ? -Math.abs(value) : -value];
    }),
  );

const meanOf = (units: readonly string[], values: UnitValues | undefined): number | null =>
  units.length === 0 ? null : units.reduce((sum, unit) => sum + (values?.get(unit) ?? 0), 0) / units.length;
