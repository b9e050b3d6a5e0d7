/** Why something has no score. Each is counted beside the mean that leaves it out. */
export const unscoredReasons = [
  /** The attempt suffered an infrastructure fault and its relaunch did too. */
  'not-evaluated',
  /** The unit expects no tools, so there is nothing to compare with. */
  'no-chain',
  /** No call reached a tool's answer: a share of none. */
  'no-calls',
  /** Neither of the two traces holds a call. */
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
] as const;

export type UnscoredReason = (typeof unscoredReasons)[number];

/** What a scorer gives. A null value is unscored: it is left out of means and counted, never taken for a zero. */
export type Score<Parts = unknown> =
  | { readonly value: number; readonly parts: Parts }
  | { readonly value: null; readonly reason: UnscoredReason; readonly parts: Parts };

export const scored = <Parts>(value: number, parts: Parts): Score<Parts> => ({ value, parts });

export const unscored = <Parts>(reason: UnscoredReason, parts: Parts): Score<Parts> => ({ value: null, reason, parts });

/** Something that a judge or an embedder gave, or why there is none. */
export type Judged<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: UnscoredReason };
