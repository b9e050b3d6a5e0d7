import { z } from 'zod';

/**
 * Why something has no score. Each is counted next to the mean that leaves it out. Append new ones, because stored
 * figures refer to positions.
 */
export const unscoredReasons = [
  /** An infrastructure fault broke the attempt, and its repetition too. */
  'not-evaluated',
  /** The unit expects no tools, so there is nothing to compare with. */
  'no-chain',
  /** No call got an answer of a tool, so there is no share. */
  'no-calls',
  /** None of the traces has a call. */
  'both-empty',
  /** The evaluation runs without judges. */
  'judges-off',
  /** The judgement is pending, or the evaluation ended before it. */
  'not-judged',
  /** The judge's answer had the wrong form, twice. */
  'judge-unparsed',
  'judge-refused',
  'judge-unreachable',
  'embedder-unreachable',
  /** Vectors of different lengths, or without length or direction. */
  'embedding-unusable',
  /** The judgement failed repeatedly for a reason of ours. */
  'internal',
  /** The release that made the attempt did not have this scorer. */
  'earlier-release',
  /** The case has one request or more than two, so there are no two traces to compare. */
  'not-a-pair',
  /** The protocol of the evaluation does not ask for this scorer. */
  'not-asked',
  /** A panel of judges has no majority: a tie, or no vote that can be used. */
  'undecided',
  /** The unit states no value that has to be passed from call to call, or none that the trace decides. */
  'no-dependencies',
  /** The unit states neither a right answer nor checks. */
  'no-truth',
  /** A check of the unit could not be carried out, or nobody carried it out. */
  'checks-not-run',
  /** No call passed a handle of a kind that an earlier call had returned. */
  'no-handles',
  /** No tool of the catalog fits the unit, so only `refusal` says something about the attempt. */
  'no-tool-fits',
  /** Tools fit the unit, so there was nothing to refuse. */
  'tool-fits',
  /** The attempt was disturbed, and the figure is of those that were not. */
  'disturbed',
  /** The attempt was not disturbed, and the figure is of those that were. */
  'not-disturbed',
  /** The disturbance met no call of the attempt: none came so late, or none had a result that it fits. */
  'not-met',
  /** The disturbance leaves nothing to notice, to pass on or to leak. */
  'nothing-to-notice',
] as const;

export type UnscoredReason = (typeof unscoredReasons)[number];

const part = z.union([
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.number()).readonly(),
  z.array(z.boolean()).readonly(),
  z.array(z.string()).readonly(),
]);
/** The parts of a score, by name. */
const parts = z.record(z.string(), part);
export type Parts = z.infer<typeof parts>;

/** A member's vote on an attempt. */
export const vote = z
  .object({
    /** The member: its model, with `#2` and so on where several members have the same. */
    judge: z.string().min(1).max(220),
    verdict: z.boolean().nullable(),
    /** Why there is no verdict; null if there is one. */
    reason: z.enum(unscoredReasons).nullable(),
    /** The member's reason for its verdict. */
    why: z.string(),
  })
  .meta({ id: 'Vote' });
export type Vote = z.infer<typeof vote>;

/** The votes of a panel of judges; absent where one judge or none was asked. */
const votes = z.array(vote).readonly().optional();

const scoredValue = z.object({ value: z.number(), parts, explanation: z.string(), votes });
const unscoredValue = z.object({
  value: z.null(),
  reason: z.enum(unscoredReasons),
  parts,
  explanation: z.string(),
  votes,
});

/**
 * A scorer's result as it is stored. A null value is unscored: it is left out of means and counted, never treated as
 * zero. The explanation is one sentence for a person, or empty.
 */
export const score = z.union([scoredValue, unscoredValue]).meta({ id: 'Score' });

interface Made<P extends Parts> {
  readonly parts: P;
  readonly explanation: string;
  readonly votes?: readonly Vote[] | undefined;
}
export type Score<P extends Parts = Parts> =
  | (Made<P> & { readonly value: number })
  | (Made<P> & { readonly value: null; readonly reason: UnscoredReason });

export const makeScore = <P extends Parts>(value: number, parts: P, explanation = ''): Score<P> => ({
  value,
  parts,
  explanation,
});

export const makeUnscored = <P extends Parts>(reason: UnscoredReason, parts: P, explanation = ''): Score<P> => ({
  value: null,
  reason,
  parts,
  explanation,
});

/** An answer of a judge or an embedder, or why there is none. */
export type Judged<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: UnscoredReason };

/** Returns the score of an attempt by a scorer. Throws if the attempt lacks it: scored attempts have all scores of attempts. */
export function getScoreOrThrow(scores: Readonly<Record<string, Score>>, key: string): Score {
  const found = scores[key];
  if (found === undefined) throw new Error(`an attempt has no score ${key}`);
  return found;
}
