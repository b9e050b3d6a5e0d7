import type { Problem } from '#core/errors.ts';
import type { StateChange, SubmissionState, SubmissionTier } from './state.ts';

/** Why something is impossible in a submission's current state. */
export type SubmissionRefusal =
  | { readonly reason: 'cannot-become'; readonly present: StateChange; readonly state: SubmissionState }
  /** A moderator's decision that applies to other states. */
  | { readonly reason: 'not-in-state'; readonly present: StateChange; readonly state: SubmissionState }
  | { readonly reason: 'no-attempts-to-claim'; readonly tier: SubmissionTier };

/** Returns what a client is told. */
export function makeSubmissionRefusalProblem(refusal: SubmissionRefusal): Problem {
  return { code: 'wrong-state', detail: refusalDetailText(refusal) };
}

function refusalDetailText(refusal: SubmissionRefusal): string {
  switch (refusal.reason) {
    case 'cannot-become': {
      const { present, state } = refusal;
      return `the submission has been ${present.state} since ${present.at} (${present.reason}), and cannot become ${state}`;
    }
    case 'not-in-state': {
      const { present, state } = refusal;
      return `the submission is ${present.state} since ${present.at}, not ${state}`;
    }
    case 'no-attempts-to-claim':
      return `the submission is of the tier ${refusal.tier}: only those of the tier gateway have attempts to claim`;
  }
}
