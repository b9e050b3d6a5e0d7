import { makeRandom } from '#core/values/random.ts';
import { getScorerOrThrow, type ScorerKey } from './scorers.ts';
import type { Scorer } from '#core/scoring/scorer.ts';
import { comparePairedUnitValues, type PairedComparison, type UnitValues } from '#core/statistics/paired.ts';
import { leastPairs } from '#core/statistics/verdict.ts';
import type { Decision, PairDecision } from './decision.ts';
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
export function compareMetricForGate(
  scorer: ScorerKey,
  baseline: readonly UnitResult[],
  candidate: readonly UnitResult[],
  { minEffect, seed }: { readonly minEffect: number; readonly seed: number },
): GatedMetric {
  const { direction } = getScorerOrThrow(scorer);
  const scored = (result: UnitResult): boolean => result.scores[scorer] !== null;
  const unitsOf = (results: readonly UnitResult[]): Set<string> =>
    new Set(results.filter(scored).map(({ unit }) => unit));
  const common = unitsOf(baseline).intersection(unitsOf(candidate));
  const pairedMean = (results: readonly UnitResult[]): number | null =>
    meanScore(
      results.filter(({ unit }) => common.has(unit)),
      scorer,
    );
  const comparison = comparePairedUnitValues(
    unitValuesSignedSoHigherIsBetter(candidate, scorer, direction),
    unitValuesSignedSoHigherIsBetter(baseline, scorer, direction),
    makeRandom(seed, 'gate', scorer),
  );
  return {
    scorer,
    baseline: pairedMean(baseline),
    candidate: pairedMean(candidate),
    comparison,
    verdict: decideGateVerdict(comparison, minEffect),
  };
}

function decideGateVerdict({ low, high, n }: PairedComparison, minEffect: number): GateVerdict {
  if (n < leastPairs || low === null || high === null) return 'insufficient';
  if (low > -minEffect) return 'holds';
  return high < 0 ? 'worse' : 'insufficient';
}

/** Two agents whose units were drawn until they were told apart, and the headline that told. */
export interface DecidedPair {
  readonly scorer: ScorerKey;
  readonly decision: Decision;
  readonly baseline: string;
  readonly candidate: string;
}

/**
 * Returns what the decision between two agents of one evaluation says of the candidate; null if it did not compare them. An ordinary
 * interval over the drawn units would not hold, because they were drawn with different chances until there was something to say.
 */
export function gateMetricOfDecision(
  { scorer, decision, baseline, candidate }: DecidedPair,
  minEffect: number,
): GatedMetric | null {
  const isOfBoth = ({ a, b }: PairDecision): boolean =>
    (a === baseline && b === candidate) || (a === candidate && b === baseline);
  const pair = decision.pairs.find(isOfBoth);
  if (pair === undefined) return null;
  const { difference, units, unscored } = pair;
  const sign = pair.b === candidate ? 1 : -1;
  const [low, high] = sign === 1 ? [pair.low, pair.high] : [-pair.high, -pair.low];
  const isBetter = pair.verdict === (sign === 1 ? 'better' : 'worse');
  const isWorse = pair.verdict === (sign === 1 ? 'worse' : 'better');
  const meanOf = (name: string): number | null => decision.means.find(({ agent }) => agent === name)?.mean ?? null;
  return {
    scorer,
    baseline: meanOf(baseline),
    candidate: meanOf(candidate),
    comparison: {
      difference: difference === null ? null : sign * difference,
      low,
      high,
      n: units,
      leftOut: unscored,
      verdict: isBetter ? 'better' : isWorse ? 'worse' : 'no-difference',
    },
    verdict: isBetter || low > -minEffect ? 'holds' : isWorse ? 'worse' : 'insufficient',
  };
}

/** Returns the verdict on several metrics: that of the worst one. */
export const worstGateVerdict = (metrics: readonly Pick<GatedMetric, 'verdict'>[]): GateVerdict => {
  const of = (verdict: GateVerdict): boolean => metrics.some((each) => each.verdict === verdict);
  return of('worse') ? 'worse' : of('insufficient') ? 'insufficient' : 'holds';
};

/** What alone fails a gate: that the candidate is worse in this metric, or in `any` that is compared. */
export type GateFailure = ScorerKey | 'any';

/** Returns whether a metric fails a gate by its verdict; without named failures every worse or undecided metric does. */
export function failsGate({ scorer, verdict }: GatedMetric, failIf: readonly GateFailure[]): boolean {
  if (failIf.length === 0) return verdict !== 'holds';
  return verdict === 'worse' && failIf.some((named) => named === 'any' || named === scorer);
}

/** The mean of a metric over the units that are scored on it; null without any. */
export function meanScore(results: readonly UnitResult[], scorer: ScorerKey): number | null {
  const values = results.flatMap(({ scores }) => scores[scorer] ?? []);
  return values.length === 0 ? null : values.reduce((sum, each) => sum + each, 0) / values.length;
}

/** Returns values of which a higher one is better. */
const unitValuesSignedSoHigherIsBetter = (
  results: readonly UnitResult[],
  scorer: ScorerKey,
  direction: Scorer['direction'],
): UnitValues =>
  new Map(
    results.map(({ unit, scores }) => {
      const value = scores[scorer] ?? null;
      if (value === null || direction === 'higher') return [unit, value];
      return [unit, direction === 'zero' ? -Math.abs(value) : -value];
    }),
  );
