import { z } from 'zod';
import { err, ok, type Result } from '#core/result.ts';
import type { SubmissionRefusal } from './problems.ts';

/** Who made the traces that a submission is scored by: we, with the submitter's model; the submitter's agent before our gateway; or the submitter. */
export const submissionTier = z.enum(['service', 'gateway', 'self-reported']);
export type SubmissionTier = z.infer<typeof submissionTier>;

/**
 * Where a submission stands. `moderation`: something about it is suspicious, and a moderator decides. `hidden`: it was published and
 * a moderator took it off. `rejected` and `withdrawn` are final.
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

/** A state that a submission came to: when and why. */
export const stateChange = z.object({ state: submissionState, at: z.string(), reason: z.string() });
export type StateChange = z.infer<typeof stateChange>;

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

/** The reason of what a moderator decided, as everybody reads it. */
export const decided = (reason: string): string => `a moderator decided: ${reason}`;

/** Whether nobody has to do anything more for it to stay as it is. */
export const isSettled = (state: SubmissionState): boolean =>
  state === 'published' || state === 'hidden' || state === 'rejected' || state === 'withdrawn';

/** The history with one more change; refused where that state cannot follow the present one. */
export function moved(history: readonly StateChange[], change: StateChange): Result<StateChange[], SubmissionRefusal> {
  const present = history.at(-1);
  if (present === undefined) return ok([change]);
  if (next[present.state].includes(change.state)) return ok([...history, change]);
  return err({ reason: 'cannot-become', present, state: change.state });
}
