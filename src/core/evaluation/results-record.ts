import { z } from 'zod';
import { unscoredReasons } from '#core/scoring/score.ts';
import { pairedComparison } from '#core/statistics/paired.ts';
import { summary } from '#core/statistics/summary.ts';
import { verdicts } from '#core/statistics/verdict.ts';
import { failureCategory, failureClass, failureLayer } from '#core/traces/failure.ts';
import { attemptScorerKeys } from '#core/scoring/scorers.ts';

/** A scorer's mean over units. If values near 0 are best, the spread of the values is added. */
export const scoreSummary = summary
  .extend({
    /** Mean of the absolute values; null without scored units. */
    meanAbsolute: z.number().nullable().optional(),
    /** Divisor n - 1; null for fewer than two scored units. */
    standardDeviation: z.number().nullable().optional(),
  })
  .meta({ id: 'ScoreSummary' });
export type ScoreSummary = z.infer<typeof scoreSummary>;

/** How reliably an agent passes units; a trial passes if both of its attempts pass. */
export const passes = z.object({
  /** Trials per unit. */
  trials: z.int(),
  atK: z.array(
    z.object({
      k: z.int(),
      /** The probability that at least one of k trials passes, 0..1, over units with k scored trials. */
      passAtK: summary,
      /** The probability that all of k trials pass, 0..1. */
      passHatK: summary,
    }),
  ),
});
export type Passes = z.infer<typeof passes>;

/** Attempts without a score by reason, for each scorer that has any. */
export const unscoredAttempts = z.partialRecord(
  z.enum(attemptScorerKeys),
  z.partialRecord(z.enum(unscoredReasons), z.int()),
);
export type UnscoredAttempts = z.infer<typeof unscoredAttempts>;

/** The failed calls of evaluated attempts. Calls with a class and undecided ones add up to `failedCalls`. */
export const failureCounts = z.object({
  /** Answered calls; calls that an infrastructure fault broke are not included. */
  calls: z.int(),
  failedCalls: z.int(),
  byClass: z.record(failureClass, z.int()),
  byCategory: z.record(failureCategory, z.int()),
  byLayer: z.record(failureLayer, z.int()),
  /** Failed calls whose class was not decided. */
  undecided: z.int(),
});
export type FailureCounts = z.infer<typeof failureCounts>;

/** Duration of an evaluated attempt in milliseconds; null if there is none. */
export const durations = z.object({ median: z.number(), p95: z.number() }).nullable();
export type Durations = z.infer<typeof durations>;

export const paired = pairedComparison.meta({ id: 'PairedDifference' });

/** McNemar's exact test on the attempts for which both agents have a pass or fail. */
export const passComparison = z.object({
  both: z.int(),
  neither: z.int(),
  onlyA: z.int(),
  onlyB: z.int(),
  /** Two-sided, 0..1. */
  p: z.number(),
  leftOut: z.int(),
  verdict: z.enum(verdicts),
});
