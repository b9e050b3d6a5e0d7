import type { Problem } from '#core/values/errors.ts';
import type { SubmissionRefusal } from './state.ts';

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
