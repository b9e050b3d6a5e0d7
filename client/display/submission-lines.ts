import type { Finding } from '#core/submissions/findings.ts';
import type { SubmissionRecord } from '#core/submissions/record.ts';
import { countText, countWithNoun, makePrintable } from '../command-line/text.ts';

/** Formats a finding about a submission. */
export const findingLine = ({ kind, where, message }: Finding): string =>
  `  ${kind}${where === '' ? '' : ` at ${makePrintable(where)}`}: ${makePrintable(message)}`;

/** Formats a submission with all details. */
export function submissionLines(submitted: SubmissionRecord): string[] {
  const { id, name, tier, leaderboard, benchmark, trials, state, reason, history, findings, progress } = submitted;
  return [
    `${id}: ${makePrintable(name)} (${tier}), ${state}: ${makePrintable(reason)}`,
    `  to ${leaderboard} of ${benchmark}, ${countWithNoun(trials, 'trial')} of each unit`,
    ...(progress === null
      ? []
      : [
          `  ${countText(progress.made)} of ${countWithNoun(progress.attempts, 'attempt')} made, ${countText(progress.notEvaluated)} not evaluated`,
        ]),
    ...history.map((change) => `  ${change.at}  ${change.state.padEnd(10)}  ${makePrintable(change.reason)}`.trimEnd()),
    ...findings.map(findingLine),
  ];
}
