import { z } from 'zod';

/** How often something happened among observations that belong together, such as one visit, or one week. */
const rateBlock = z.object({ n: z.int().min(0), k: z.int().min(0) });
export type RateBlock = Readonly<z.infer<typeof rateBlock>>;

/** Observations of one thing in their order: the old ones as a sum, the latest ones block by block. */
export const rateSeries = z.object({ old: rateBlock, recent: z.array(rateBlock) });
export type RateSeries = Readonly<z.infer<typeof rateSeries>>;

export const emptySeries: RateSeries = { old: { n: 0, k: 0 }, recent: [] };

/** Blocks among which the beginning of a rise is looked for. */
export const mostRecentBlocks = 60;

const sumOf = (one: RateBlock, other: RateBlock): RateBlock => ({ n: one.n + other.n, k: one.k + other.k });

/** Returns a series with a further block. */
export function addBlock({ old, recent }: RateSeries, block: RateBlock): RateSeries {
  const blocks = [...recent, block];
  const [first] = blocks;
  return blocks.length <= mostRecentBlocks || first === undefined
    ? { old, recent: blocks }
    : { old: sumOf(old, first), recent: blocks.slice(1) };
}

/** Returns a series without its last blocks. */
export const withoutLastBlocks = ({ old, recent }: RateSeries, blocks: number): RateSeries => ({
  old,
  recent: recent.slice(0, Math.max(0, recent.length - blocks)),
});

/** Beta priors of the rate before and after a rise, which weigh the evidence and cannot make it invalid. */
export interface RatePriors {
  readonly before: readonly [of: number, against: number];
  readonly after: readonly [of: number, against: number];
}

/** Something rare becomes the rule. */
export const rareToUsual: RatePriors = { before: [0.5, 10], after: [5, 0.5] };
/** A rate of any size becomes a larger one. */
export const anyRates: RatePriors = { before: [0.5, 0.5], after: [0.5, 0.5] };

/** The evidence that a rate has risen. */
export interface RateRise {
  /** The logarithm of the sum of the evidence for a rise at each of the recent blocks. */
  readonly logEvidence: number;
  /** How many of the last blocks the likeliest rise covers; 0 without one. */
  readonly blocks: number;
}

/**
 * Returns the evidence that a rate is higher since some recent block. If the rate has always been the same, large or small, and observations
 * are independent, the evidence exceeds A within n blocks with a probability of at most n / A, however often one looks.
 *
 * For a rise at one block: the likelihood under the priors, over the highest likelihood of one rate for all (universal inference, Wasserman,
 * Ramdas and Balakrishnan 2020), an e-process. Summed over blocks it is a detector of changes as by Shiryaev and Roberts (Shin, Ramdas and
 * Rinaldo 2024, "E-detectors").
 */
export function findRateRise({ old, recent }: RateSeries, { before, after }: RatePriors): RateRise {
  const all = recent.reduce(sumOf, old);
  const one = all.k === 0 || all.k === all.n ? 0 : logLikelihood(all, all.k / all.n);
  let past = old;
  let sum = -Infinity;
  let best = { log: -Infinity, blocks: 0 };
  for (const [index, block] of recent.entries()) {
    const since = { n: all.n - past.n, k: all.k - past.k };
    if (past.n > 0 && since.n > 0 && since.k * past.n > past.k * since.n) {
      const log = logMarginal(past, before) + logMarginal(since, after) - one;
      sum = logSum(sum, log);
      if (log > best.log) best = { log, blocks: recent.length - index };
    }
    past = sumOf(past, block);
  }
  return { logEvidence: sum, blocks: best.blocks };
}

const logLikelihood = ({ n, k }: RateBlock, rate: number): number => k * Math.log(rate) + (n - k) * Math.log1p(-rate);

/** The logarithm of the likelihood of a block's sequence, averaged over a Beta prior of its rate. */
function logMarginal({ n, k }: RateBlock, [of, against]: readonly [number, number]): number {
  return logRising(of, k) + logRising(against, n - k) - logRising(of + against, n);
}

/** The logarithm of a (a + 1) ... (a + n - 1). */
const logRising = (a: number, n: number): number => logGamma(a + n) - logGamma(a);

/** The logarithm of the gamma function above 0, by Stirling's series from 10 on; the error is below 1e-9. */
function logGamma(x: number): number {
  let shift = 0;
  let at = x;
  for (; at < 10; at += 1) shift += Math.log(at);
  const square = 1 / (at * at);
  return (
    (at - 0.5) * Math.log(at) -
    at +
    0.5 * Math.log(2 * Math.PI) +
    (1 / 12 - square * (1 / 360 - square / 1260)) / at -
    shift
  );
}

const logSum = (one: number, other: number): number => {
  const most = Math.max(one, other);
  return most === -Infinity ? -Infinity : most + Math.log(Math.exp(one - most) + Math.exp(other - most));
};
