import { z } from 'zod';
import { unscoredReasons } from '#core/scoring/score.ts';
import { pairedComparison } from '#core/statistics/paired.ts';
import { summary } from '#core/statistics/summary.ts';
import { verdicts } from '#core/statistics/verdict.ts';
import { failureCategory, failureClass, failureLayer } from '#core/traces/failure.ts';
import { attemptScorerKeys } from '#core/scoring/scorers.ts';

/** A scorer's mean over units. Where values near 0 are best, the spread of the values stands beside it. */
export const scoreSummary = summary
  .extend({
    /** Mean of the absolute values; null without scored units. */
    meanAbsolute: z.number().nullable().optional(),
    /** Divisor n - 1; null for fewer than two scored units. */
    standardDeviation: z.number().nullable().optional(),
  })
  .meta({ id: 'ScoreSummary' });
export type ScoreSummary = z.infer<typeof scoreSummary>;

/** How reliably an agent passes units; a trial passes where both of its attempts do. */
export const passes = z.object({
  /** Trials that each unit gets. */
  trials: z.int(),
  atK: z.array(
    z.object({
      k: z.int(),
      /** The chance that at least one of k trials passes, 0..1, over units with k scored trials. */
      passAtK: summary,
      /** The chance that all of k trials pass, 0..1. */
      passHatK: summary,
    }),
  ),
});
export type Passes = z.infer<typeof passes>;

/** Attempts without a score by reason, for each scorer that has such. */
export const unscoredAttempts = z.partialRecord(
  z.enum(attemptScorerKeys),
  z.partialRecord(z.enum(unscoredReasons), z.int()),
);
export type UnscoredAttempts = z.infer<typeof unscoredAttempts>;

/** The failed calls of evaluated attempts. Those with a class and the undecided add up to `failedCalls`. */
export const failureCounts = z.object({
  /** Calls that came to an answer; those that an infrastructure fault broke are not among them. */
  calls: z.int(),
  failedCalls: z.int(),
  byClass: z.record(failureClass, z.int()),
  byCategory: z.record(failureCategory, z.int()),
  byLayer: z.record(failureLayer, z.int()),
  /** Failed calls on whose class nothing decided. */
  undecided: z.int(),
});
export type FailureCounts = z.infer<typeof failureCounts>;

/** Milliseconds that an evaluated attempt took; null without one. */
export const durations = z.object({ median: z.number(), p95: z.number() }).nullable();
export type Durations = z.infer<typeof durations>;

export const paired = pairedComparison.meta({ id: 'PairedDifference' });

/** McNemar's exact test on the attempts that both agents have a pass or none for. */
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
