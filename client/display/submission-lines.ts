import type { Finding } from '#core/leaderboards/submissions/findings.ts';
import type { SubmissionRecord } from '#core/leaderboards/submissions/record.ts';
import { wholeNumberText, countWithNoun, makePrintableLine } from '../command-line/text.ts';

/** Formats a finding about a submission. */
export const findingLine = ({ kind, where, message }: Finding): string =>
  `  ${kind}${where === '' ? '' : ` at ${makePrintableLine(where)}`}: ${makePrintableLine(message)}`;

/** Formats a submission with all details. */
export function submissionLines(submitted: SubmissionRecord): string[] {
  const { id, name, tier, leaderboard, benchmark, trials, state, reason, history, findings, progress } = submitted;
  return [
    `${id}: ${makePrintableLine(name)} (${tier}), ${state}: ${makePrintableLine(reason)}`,
    `  to ${leaderboard} of ${benchmark}, ${countWithNoun(trials, 'trial')} of each unit`,
    ...(progress === null
      ? []
      : [
          `  ${wholeNumberText(progress.made)} of ${countWithNoun(progress.attempts, 'attempt')} made, ${wholeNumberText(progress.notEvaluated)} not evaluated`,
        ]),
    ...history.map((change) =>
      `  ${change.at}  ${change.state.padEnd(10)}  ${makePrintableLine(change.reason)}`.trimEnd(),
    ),
    ...findings.map(findingLine),
  ];
}
