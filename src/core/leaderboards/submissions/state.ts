import { z } from 'zod';
import { buildByKey } from '#core/scoring/build-by-key.ts';
import { err, ok, type Result } from '#core/values/result.ts';

/**
 * Who made the traces for the scores: the service, with the submitter's model; the submitter's agent at the gateway; or
 * the submitter.
 */
export const submissionTier = z.enum(['service', 'gateway', 'self-reported']);
export type SubmissionTier = z.infer<typeof submissionTier>;

/** Builds a value for every tier. */
export const buildByTier = <T>(build: (tier: SubmissionTier) => T): Record<SubmissionTier, T> =>
  buildByKey(submissionTier.options, build);

/** Returns the tier that a leaderboard shows where nobody chooses: the first with entries, or the service's. */
export const firstTierWithEntries = (entries: Readonly<Record<SubmissionTier, number>>): SubmissionTier =>
  submissionTier.options.find((tier) => entries[tier] > 0) ?? 'service';

/**
 * The state of a submission. `moderation`: something is suspicious, and a moderator decides. `hidden`: it was published
 * and a moderator hid it. `rejected` and `withdrawn` are final.
 */
export const submissionState = z.enum([
  'queued',
  'validating',
  'scoring',
  'moderation',
  'published',
  'hidden',
  'rejected',
  'withdrawn',
]);
export type SubmissionState = z.infer<typeof submissionState>;

/** A state of a submission, with time and reason. */
export const stateChange = z.object({ state: submissionState, at: z.string(), reason: z.string() });
export type StateChange = z.infer<typeof stateChange>;

/** Why something is impossible in a submission's current state. */
export type SubmissionRefusal =
  | { readonly reason: 'cannot-become'; readonly present: StateChange; readonly state: SubmissionState }
  /** A moderator's decision that applies to other states. */
  | { readonly reason: 'not-in-state'; readonly present: StateChange; readonly state: SubmissionState }
  | { readonly reason: 'no-attempts-to-claim'; readonly tier: SubmissionTier };

const next: Readonly<Record<SubmissionState, readonly SubmissionState[]>> = {
  queued: ['validating', 'rejected', 'withdrawn'],
  validating: ['scoring', 'rejected', 'withdrawn'],
  scoring: ['moderation', 'published', 'rejected', 'withdrawn'],
  moderation: ['published', 'rejected', 'withdrawn'],
  published: ['hidden', 'withdrawn'],
  hidden: ['published', 'withdrawn'],
  rejected: [],
  withdrawn: [],
};

/** Formats the public reason of a moderator's decision. */
export const moderatorReasonText = (reason: string): string => `a moderator decided: ${reason}`;

/** Returns whether the submission needs no further action. */
export const needsNoFurtherWork = (state: SubmissionState): boolean =>
  state === 'published' || state === 'hidden' || state === 'rejected' || state === 'withdrawn';

/** Returns the history with one more state; refused if that state cannot follow the current one. */
export function historyWithChangeOrRefusal(
  history: readonly StateChange[],
  change: StateChange,
): Result<StateChange[], SubmissionRefusal> {
  const present = history.at(-1);
  if (present === undefined) return ok([change]);
  if (next[present.state].includes(change.state)) return ok([...history, change]);
  return err({ reason: 'cannot-become', present, state: change.state });
}
