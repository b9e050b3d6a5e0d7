import { z } from 'zod';
import { routingError } from '#core/traces/error-class.ts';
import { unscoredReasons } from '#core/scoring/score.ts';
import { pairedComparison } from '#core/statistics/paired.ts';
import { summary } from '#core/statistics/summary.ts';
import { verdicts } from '#core/statistics/verdict.ts';
import { attemptScorerKeys, buildRecordByScorer, getScorerOrThrow, scorerKeys } from './scorers.ts';

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

/** The mean of a part of a score over the `n` units that have it; null if none has. */
const partMean = z.object({ mean: z.number().nullable(), n: z.int() }).meta({ id: 'PartMean' });
export type PartMean = z.infer<typeof partMean>;

/** By scorer: the mean of each of its parts that is a figure, over scored units. */
export const partMeans = z.object(
  buildRecordByScorer((key) =>
    z.object(Object.fromEntries(getScorerOrThrow(key).parts.map((part) => [part.key, partMean]))),
  ),
);
export type PartMeans = z.infer<typeof partMeans>;

/** How reliably an agent passes by the verdict of the protocol; a trial passes if all of its attempts do. */
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

/** The responses of evaluated attempts. */
export const answerCounts = z.object({
  given: z.int(),
  /** Given without any tool call. */
  withoutCalls: z.int(),
  /**
   * Those that could be checked for values (quotations, long numbers, ids) that neither the request nor any call has: all but
   * those of attempts with a result that was cut, and those of earlier releases.
   */
  checked: z.int(),
  /** Checked ones that state such a value, and their share, 0..1; null if none was checked. */
  unreturned: z.int(),
  unreturnedShare: z.number().nullable(),
});

/** What evaluated attempts took, on average; null where it is not known of any. */
export const perAttempt = z
  .object({
    /** Turns of the model; null where it was not seen, as with external agents. */
    turns: z.number().nullable(),
    /** Different tools that were called, and all calls, failed ones included. */
    tools: z.number().nullable(),
    calls: z.number().nullable(),
    /** Searches for tools, over attempts that had to search. */
    routes: z.number().nullable(),
  })
  .meta({ id: 'PerAttempt' });
export type PerAttempt = z.infer<typeof perAttempt>;

/** Failed attempts of an agent that searches for its tools, by why they failed; null where none was classified although some failed or nobody judged them. */
export const routingErrors = z.record(routingError, z.int()).nullable();
export type RoutingErrors = z.infer<typeof routingErrors>;

/** Duration of an evaluated attempt in milliseconds; null if there is none. */
export const durations = z.object({ median: z.number(), p95: z.number() }).nullable();
export type Durations = z.infer<typeof durations>;

export const paired = pairedComparison.meta({ id: 'PairedDifference' });

/** McNemar's exact test on the attempts for which both agents have a verdict. */
export const passComparison = z.object({
  /** The scorer whose verdict it is. */
  scorer: z.enum(scorerKeys),
  both: z.int(),
  neither: z.int(),
  onlyA: z.int(),
  onlyB: z.int(),
  /** Two-sided, 0..1. */
  p: z.number(),
  leftOut: z.int(),
  verdict: z.enum(verdicts),
});
