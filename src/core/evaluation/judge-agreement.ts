import { z } from 'zod';
import type { Random } from '#core/values/random.ts';
import { makeBinomialDrawer } from '#core/statistics/binomial.ts';
import { defaultConfidence, defaultResamples } from '#core/statistics/bootstrap.ts';
import { agreementShare, yesNoKappa, type Ratings } from '#core/statistics/kappa.ts';
import { z95 } from '#core/statistics/normal.ts';
import { quantileOfSorted } from '#core/statistics/quantile.ts';
import type { Verdict } from '#core/scoring/votes.ts';
import { wilsonInterval, type Interval } from '#core/statistics/wilson.ts';

/** A figure with its 95% interval; null where there is none. */
export const agreementFigure = z.object({
  value: z.number().nullable(),
  interval: z.object({ low: z.number(), high: z.number() }).nullable(),
});
type AgreementFigure = z.infer<typeof agreementFigure>;

/** Attempts by what people said of them, and what the judge said. */
export const confusionCounts = z.object({
  bothSuccess: z.int(),
  /** People found a success, the judge a failure. */
  missed: z.int(),
  /** People found a failure, the judge a success. */
  falseSuccess: z.int(),
  bothFailure: z.int(),
});
type ConfusionCounts = z.infer<typeof confusionCounts>;

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
  /** What people said, and then the judge; these four are the confusion matrix and sum to n. */
  readonly counts: ConfusionCounts;
  /** The F1 of the judge's successes against people's, 0..1; null where neither found one. */
  readonly f1: number | null;
}

/** Counts what people and a judge said of the same attempts: all that the agreement depends on. */
export class VerdictCounts {
  readonly #ratings = { both: 0, first: 0, second: 0, neither: 0 };
  #unparsed = 0;

  /** Counts an attempt that people found to be a success or not, and the judge's verdict on it; null if that cannot be read. */
  countLabelAndVerdict(label: boolean, verdict: Verdict): void {
    if (verdict === null) this.#unparsed += 1;
    else this.#ratings[label ? (verdict ? 'both' : 'first') : verdict ? 'second' : 'neither'] += 1;
  }

  /** Returns how far the judge agrees with people. The stream decides what the bootstrap draws. */
  computeAgreement(random: Random): JudgeAgreement {
    const { both, first, second, neither } = this.#ratings;
    const n = both + first + second + neither;
    const share = agreementShare(this.#ratings);
    return {
      n,
      unparsed: this.#unparsed,
      accuracy: { value: share, interval: share === null ? null : wilsonInterval(share, n, z95) },
      kappa: { value: yesNoKappa(this.#ratings), interval: bootstrapKappaInterval(this.#ratings, random) },
      successRate: n === 0 ? null : (both + second) / n,
      counts: { bothSuccess: both, missed: first, falseSuccess: second, bothFailure: neither },
      f1: n === neither ? null : (2 * both) / (2 * both + first + second),
    };
  }
}

/**
 * Returns the percentile bootstrap interval of kappa (Efron 1979). Drawing n of n attempts with replacement counts the four
 * combinations by a multinomial distribution, so the counts are drawn and not the attempts. Null where most resamples have
 * no kappa, as with a judge that always says the same.
 */
function bootstrapKappaInterval(counted: Ratings, random: Random): Interval | null {
  const n = counted.both + counted.first + counted.second + counted.neither;
  if (n < 2) return null;
  const drawBinomial = makeBinomialDrawer(n, random);
  const values: number[] = [];
  for (let resample = 0; resample < defaultResamples; resample += 1) {
    const value = yesNoKappa(drawResampledRatings(counted, n, drawBinomial));
    if (value !== null) values.push(value);
  }
  if (values.length < defaultResamples / 2) return null;
  const sorted = Float64Array.from(values).toSorted();
  const tail = (1 - defaultConfidence) / 2;
  return { low: quantileOfSorted(sorted, tail), high: quantileOfSorted(sorted, 1 - tail) };
}

/** Draws how often each combination is among n attempts: one after another, each among those that the ones before leave. */
function drawResampledRatings(
  { both, first, second }: Ratings,
  n: number,
  drawBinomial: ReturnType<typeof makeBinomialDrawer>,
): Ratings {
  const drawnBoth = drawBinomial(n, both / n);
  const drawnFirst = drawBinomial(n - drawnBoth, shareOrZero(first, n - both));
  const left = n - drawnBoth - drawnFirst;
  const drawnSecond = drawBinomial(left, shareOrZero(second, n - both - first));
  return { both: drawnBoth, first: drawnFirst, second: drawnSecond, neither: left - drawnSecond };
}

const shareOrZero = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
