import type { Random } from '#core/random.ts';
import { defaultConfidence, defaultResamples } from '#core/statistics/bootstrap.ts';
import { yesNoKappa, type Ratings } from '#core/statistics/kappa.ts';
import { z95 } from '#core/statistics/normal.ts';
import { quantile } from '#core/statistics/quantile.ts';
import type { Verdict } from '#core/scoring/votes.ts';
import { wilsonInterval, type Interval } from '#core/statistics/wilson.ts';

/** What a person said of an attempt, and what a judge did. */
export interface LabelledVerdict {
  readonly label: boolean;
  readonly verdict: Verdict;
}

type DecidedPair = LabelledVerdict & { readonly verdict: boolean };

/** A figure with its 95% interval; null where there is none. */
export interface AgreementFigure {
  readonly value: number | null;
  readonly interval: Interval | null;
}

/** How far a judge agrees with people. */
export interface JudgeAgreement {
  /** Attempts with a label and a verdict; the figures are about them. */
  readonly n: number;
  /** Attempts with a label whose verdict is null. They count neither for the judge nor against it. */
  readonly unparsed: number;
  /** Share of attempts with the verdict of the label, with Wilson's interval. */
  readonly accuracy: AgreementFigure;
  /** Cohen's kappa, with a percentile bootstrap interval over attempts. */
  readonly kappa: AgreementFigure;
  /** Share of successes among the verdicts. */
  readonly successRate: number | null;
}

/** Returns how far a judge agrees with people on the same attempts. The stream decides what the bootstrap draws. */
export function judgeAgreement(pairs: readonly LabelledVerdict[], random: Random): JudgeAgreement {
  const read = pairs.filter((pair): pair is DecidedPair => pair.verdict !== null);
  const n = read.length;
  const agreed = read.filter(({ label, verdict }) => label === verdict).length;
  const share = n === 0 ? null : agreed / n;
  return {
    n,
    unparsed: pairs.length - n,
    accuracy: { value: share, interval: share === null ? null : wilsonInterval(share, n, z95) },
    kappa: { value: yesNoKappa(countRatings(read, read.keys())), interval: kappaInterval(read, random) },
    successRate: n === 0 ? null : read.filter(({ verdict }) => verdict).length / n,
  };
}

/** Null where most resamples have no kappa, as with a judge that always says the same. */
function kappaInterval(pairs: readonly DecidedPair[], random: Random): Interval | null {
  const n = pairs.length;
  if (n < 2) return null;
  const drawn = new Uint32Array(n);
  const values: number[] = [];
  for (let resample = 0; resample < defaultResamples; resample += 1) {
    random.fillBelow(n, drawn);
    const value = yesNoKappa(countRatings(pairs, drawn));
    if (value !== null) values.push(value);
  }
  if (values.length < defaultResamples / 2) return null;
  const sorted = Float64Array.from(values).toSorted();
  const tail = (1 - defaultConfidence) / 2;
  return { low: quantile(sorted, tail), high: quantile(sorted, 1 - tail) };
}

/** Counts the pairs at these places. */
function countRatings(pairs: readonly DecidedPair[], places: Iterable<number>): Ratings {
  const ratings = { both: 0, first: 0, second: 0, neither: 0 };
  for (const at of places) {
    const pair = pairs[at];
    if (pair === undefined) continue;
    const { label, verdict } = pair;
    ratings[label ? (verdict ? 'both' : 'first') : verdict ? 'second' : 'neither'] += 1;
  }
  return ratings;
}
