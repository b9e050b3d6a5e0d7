import { z } from 'zod';

/** Why something has no score. Each is counted beside the mean that leaves it out. A new one goes to the end: stored figures keep its place. */
export const unscoredReasons = [
  /** The attempt suffered an infrastructure fault and its relaunch did too. */
  'not-evaluated',
  /** The unit expects no tools, so there is nothing to compare with. */
  'no-chain',
  /** No call reached a tool's answer: a share of none. */
  'no-calls',
  /** None of the traces holds a call. */
  'both-empty',
  /** The evaluation runs without judges. */
  'judges-off',
  /** The judgement is still to come, or the evaluation ended before it. */
  'not-judged',
  /** The judge's answer did not have the required form, twice. */
  'judge-unparsed',
  'judge-refused',
  'judge-unreachable',
  'embedder-unreachable',
  /** Vectors of different lengths, or without length or direction. */
  'embedding-unusable',
  /** The judgement failed for a reason of ours, however often it was tried. */
  'internal',
  /** The release that made the attempt did not have this scorer. */
  'earlier-release',
] as const;

export type UnscoredReason = (typeof unscoredReasons)[number];

const part = z.union([z.number(), z.boolean(), z.null(), z.array(z.number()).readonly()]);
/** What a score is made of, by name. */
const parts = z.record(z.string(), part);
export type Parts = z.infer<typeof parts>;

const scoredValue = z.object({ value: z.number(), parts, explanation: z.string() });
const unscoredValue = z.object({
  value: z.null(),
  reason: z.enum(unscoredReasons),
  parts,
  explanation: z.string(),
});

/**
 * What a scorer gives, as it is stored. A null value is unscored: it is left out of means and counted, never taken for a zero. The
 * explanation is one sentence for a person, empty where there is nothing to add.
 */
export const score = z.union([scoredValue, unscoredValue]).meta({ id: 'Score' });

interface Made<P extends Parts> {
  readonly parts: P;
  readonly explanation: string;
}
export type Score<P extends Parts = Parts> =
  | (Made<P> & { readonly value: number })
  | (Made<P> & { readonly value: null; readonly reason: UnscoredReason });

export const scored = <P extends Parts>(value: number, parts: P, explanation = ''): Score<P> => ({
  value,
  parts,
  explanation,
});

export const unscored = <P extends Parts>(reason: UnscoredReason, parts: P, explanation = ''): Score<P> => ({
  value: null,
  reason,
  parts,
  explanation,
});

/** Something that a judge or an embedder gave, or why there is none. */
export type Judged<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: UnscoredReason };
