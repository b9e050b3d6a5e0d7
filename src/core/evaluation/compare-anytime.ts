import { z } from 'zod';
import { getProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { scorerKeys } from './scorers.ts';
import { detectableBySequenceOrNull } from '#core/statistics/power.ts';
import { AnytimeMean } from '#core/statistics/anytime-mean.ts';
import type { UnitResult } from './breakdown-record.ts';

/**
 * `improved`, `worse`: the second agent's mean is above, or below, the first one's. `no-difference`: they differ by at most d.
 * `undecided`: the units so far are too few to say.
 */
export const anytimeVerdicts = ['improved', 'worse', 'no-difference', 'undecided'] as const;
export type AnytimeVerdict = (typeof anytimeVerdicts)[number];

/** The largest difference that does not matter, where nobody says another. */
export const defaultIrrelevance = 0.05;

/** A comparison of two agents on the same units that holds however often one looks at it while the evaluation continues. */
export const anytimeComparison = z.object({
  a: z.string(),
  b: z.string(),
  /** What is compared: the headline of the protocol, 0..1. */
  scorer: z.enum(scorerKeys),
  /** The largest difference that does not matter. */
  d: z.number(),
  /** Units that count: those that both agents have finished, as far as no unit before them is open. */
  units: z.int(),
  /** Units among them that are not scored for both agents, which are left out. */
  leftOut: z.int(),
  /** All units of the evaluation. */
  of: z.int(),
  /** Means over the units that count and are scored; null without any. */
  meanA: z.number().nullable(),
  meanB: z.number().nullable(),
  /** The mean of B minus A; null without such units. */
  difference: z.number().nullable(),
  /** The 95% confidence sequence of the difference at this moment. */
  low: z.number(),
  high: z.number(),
  /** The true difference that it shows at this moment in four of five; null for fewer than six units. Absent in earlier releases. */
  detectable: z.number().nullable().optional(),
  verdict: z.enum(anytimeVerdicts),
  /** After how many units it was decided first; null if it is not. */
  decidedAfter: z.int().nullable(),
});
export type AnytimeComparison = z.infer<typeof anytimeComparison>;

/** Two agents, and the largest difference that does not matter. */
export type AnytimeQuestion = Pick<AnytimeComparison, 'a' | 'b' | 'd'>;

/** The result of an agent in a unit, as far as it is compared. */
export type ComparedResult = Pick<UnitResult, 'trials' | 'scores'>;

/**
 * Compares two agents on the units of an evaluation in the order in which it takes them, up to the first that is not finished: a
 * unit that takes long counts like any other. A unit's value is the mean over its trials.
 */
export function compareAnytime(
  { a, b, d }: AnytimeQuestion,
  {
    protocol,
    trials,
    order,
  }: { readonly protocol: ProtocolKey; readonly trials: number; readonly order: readonly string[] },
  [ofA, ofB]: readonly [ReadonlyMap<string, ComparedResult>, ReadonlyMap<string, ComparedResult>],
): AnytimeComparison {
  const scorer = getProtocol(protocol).headline;
  const sequence = new AnytimeMean();
  const differences: number[] = [];
  const counted = { units: 0, scored: 0, sumA: 0, sumB: 0 };
  let decidedAfter: number | null = null;
  for (const unit of order) {
    const [first, second] = [ofA.get(unit), ofB.get(unit)];
    if (first === undefined || second === undefined || first.trials < trials || second.trials < trials) break;
    counted.units += 1;
    const [valueA, valueB] = [first.scores[scorer], second.scores[scorer]];
    if (valueA === null || valueB === null) continue;
    sequence.add(valueB - valueA);
    differences.push(valueB - valueA);
    counted.scored += 1;
    counted.sumA += valueA;
    counted.sumB += valueB;
    if (decidedAfter === null && decideAnytimeVerdict(sequence.interval, d) !== 'undecided')
      decidedAfter = counted.units;
  }
  const meanOf = (sum: number): number | null => (counted.scored === 0 ? null : sum / counted.scored);
  const { interval } = sequence;
  return {
    a,
    b,
    scorer,
    d,
    units: counted.units,
    leftOut: counted.units - counted.scored,
    of: order.length,
    meanA: meanOf(counted.sumA),
    meanB: meanOf(counted.sumB),
    difference: meanOf(counted.sumB - counted.sumA),
    ...interval,
    detectable: detectableBySequenceOrNull(interval, differences),
    verdict: decideAnytimeVerdict(interval, d),
    decidedAfter,
  };
}

function decideAnytimeVerdict(
  { low, high }: { readonly low: number; readonly high: number },
  d: number,
): AnytimeVerdict {
  if (low > 0) return 'improved';
  if (high < 0) return 'worse';
  return low >= -d && high <= d ? 'no-difference' : 'undecided';
}
