import { type Abundance, countClassesSeenTimes } from './abundance.ts';
import { z95 } from '../normal.ts';
import type { Interval } from '../wilson.ts';

export interface Chao1 extends Interval {
  /** Estimated number of classes, seen or not; at least S. */
  readonly estimate: number;
  /** Standard error of the estimate, in classes. */
  readonly standardError: number;
}

/** `S + f1 (f1 - 1) / (2 (f2 + 1))`: the bias-corrected form, which needs no doubletons. Source: EstimateS, appendix B, eq. 2. */
export const biasCorrectedChao1 = (S: number, f1: number, f2: number): number => S + (f1 * (f1 - 1)) / (2 * (f2 + 1));

/**
 * Estimates the number of classes from those seen once (f1) and twice (f2): `S + f1^2 / (2 f2)`, and the bias-corrected
 * form for f2 = 0. It is in expectation a lower bound as long as nothing steers away from classes already seen.
 * Sources: Chao 1984; its variance and the log-normal 95% interval `S + T/K .. S + T K`, T = estimate - S: Chao 1987;
 * the variance for f2 = 0: EstimateS, appendix B, eq. 7 (Colwell 2013).
 */
export const chao1WithInterval = (abundance: Abundance): Chao1 => {
  const { S } = abundance;
  const f1 = countClassesSeenTimes(abundance, 1);
  const f2 = countClassesSeenTimes(abundance, 2);
  if (S === 0) return { estimate: 0, standardError: 0, low: 0, high: 0 };
  const estimate = f2 > 0 ? S + (f1 * f1) / (2 * f2) : biasCorrectedChao1(S, f1, f2);
  const unseen = estimate - S;
  if (unseen === 0) return chao1WithIntervalOfCompleteSample(abundance);
  const variance = f2 > 0 ? chao1VarianceWithDoubletons(f1, f2) : chao1VarianceWithoutDoubletons(f1, estimate);
  const spread = Math.exp(z95 * Math.sqrt(Math.log(1 + variance / (unseen * unseen))));
  return { estimate, standardError: Math.sqrt(variance), low: S + unseen / spread, high: S + unseen * spread };
};

const chao1VarianceWithDoubletons = (f1: number, f2: number): number => {
  const r = f1 / f2;
  return f2 * (r ** 2 / 2 + r ** 3 + r ** 4 / 4);
};

const chao1VarianceWithoutDoubletons = (f1: number, estimate: number): number =>
  Math.max(0, (f1 * (f1 - 1)) / 2 + (f1 * (2 * f1 - 1) ** 2) / 4 - f1 ** 4 / (4 * estimate));

/**
 * If the estimate is S itself, the log-normal interval does not exist. Then each class is assumed to have been missed
 * with probability P = exp(-n/S). Source: EstimateS, appendix B, eqs. 8 and 14, as in scikit-bio's chao1_ci.
 */
const chao1WithIntervalOfCompleteSample = ({ S, n }: Abundance): Chao1 => {
  const missed = Math.exp(-n / S);
  const likely = S / (1 - missed);
  const half = z95 * Math.sqrt(likely * missed);
  return {
    estimate: S,
    standardError: Math.sqrt(S * missed * (1 - missed)),
    low: Math.max(S, likely - half),
    high: likely + half,
  };
};
