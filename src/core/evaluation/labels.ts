import { z } from 'zod';
import type { Verdict } from '#core/scoring/votes.ts';
import { agentName } from './config.ts';
import { requestName } from '#core/benchmarks/protocols/case-requests.ts';
import { makeCaseId } from './new-cases.ts';

/** Which attempt is meant. */
export const attemptPlace = z.strictObject({
  unit: z.string().min(1).max(100),
  agent: agentName,
  trial: z.int().min(1).max(20).default(1),
  request: requestName,
});
export type AttemptPlace = z.infer<typeof attemptPlace>;

/** What a person says of an attempt. `cannot-tell` counts neither for a judge nor against it. */
export const labelVerdict = z.enum(['success', 'failure', 'cannot-tell']);

/**
 * Why judges err, in a person's view: one of four classes. `completeness`: whether a partial result is taken for a full one;
 * `hallucinated-completion`: the agent claims to have done what it has not; `granularity`: how much detail is demanded;
 * `other`. Source: LiveMCPBench (2025), section 4.4.
 */
export const evaluationError = z.enum(['completeness', 'hallucinated-completion', 'granularity', 'other']);

/** A labeller's name: that of a person or of a published collection of labels. */
export const labellerName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9 ._@-]{0,79}$/, 'letters, digits, spaces and . _ @ -, at most 80');

const labelContent = {
  ...attemptPlace.shape,
  verdict: labelVerdict,
  /** Set where judges erred or would err. */
  error: evaluationError.optional(),
  note: z.string().max(2_000).default(''),
};

/** Maximum labels or votes of a call. */
export const maxPerCall = 500;

/** What a labeller says of some attempts. */
export const newLabels = z.strictObject({
  /** Default: the id of the key that calls. */
  labeller: labellerName.optional(),
  labels: z.array(z.strictObject(labelContent)).min(1).max(maxPerCall),
});
export type NewLabel = z.infer<typeof newLabels>['labels'][number];

export const label = z.object({
  ...labelContent,
  labeller: z.string(),
  /** The key that gave it. */
  key: z.string(),
  at: z.string(),
});
export type Label = z.infer<typeof label>;

/** Verdicts of a judge that was asked elsewhere, on attempts of an evaluation. */
export const newVotes = z.strictObject({
  judge: z.string().min(1).max(200),
  votes: z
    .array(
      z.strictObject({
        ...attemptPlace.shape,
        /** Null for an answer that cannot be read as a verdict: it counts for nobody, and is counted. */
        verdict: z.boolean().nullable(),
        why: z.string().max(2_000).default(''),
      }),
    )
    .min(1)
    .max(maxPerCall),
});
export type NewVotes = z.infer<typeof newVotes>;

/** How many labels or votes were new or different, and how many were there as they are. */
export const storedCounts = z.object({ stored: z.int(), unchanged: z.int() });
export type StoredCounts = z.infer<typeof storedCounts>;

/** Returns the key by which attempts are sorted: unit, agent, trial, request. */
export const attemptSortKey = (place: AttemptPlace): string => `${makeCaseId(place)}\n${place.request}`;

/** Returns the key by which labels are sorted: by attempt, then by labeller. */
export const labelSortKey = (given: Pick<Label, keyof AttemptPlace | 'labeller'>): string =>
  `${attemptSortKey(given)}\n${given.labeller}`;

/** Returns what a label says of an attempt; null if the person could not tell. */
export const isSuccessByLabelOrNull = ({ verdict }: Pick<Label, 'verdict'>): Verdict =>
  verdict === 'cannot-tell' ? null : verdict === 'success';
