import type { Finding } from '#core/submissions/findings.ts';
import type { SubmissionRecord } from '#core/submissions/record.ts';
import { count, counted, plain } from '../command-line/text.ts';

/** Formats a finding about a submission. */
export const findingLine = ({ kind, where, message }: Finding): string =>
  `  ${kind}${where === '' ? '' : ` at ${plain(where)}`}: ${plain(message)}`;

/** Formats a submission with all details. */
export function submissionLines(submitted: SubmissionRecord): string[] {
  const { id, name, tier, leaderboard, benchmark, trials, state, reason, history, findings, progress } = submitted;
  return [
    `${id}: ${plain(name)} (${tier}), ${state}: ${plain(reason)}`,
    `  to ${leaderboard} of ${benchmark}, ${counted(trials, 'trial')} of each unit`,
    ...(progress === null
      ? []
      : [
          `  ${count(progress.made)} of ${counted(progress.attempts, 'attempt')} made, ${count(progress.notEvaluated)} not evaluated`,
        ]),
    ...history.map((change) => `  ${change.at}  ${change.state.padEnd(10)}  ${plain(change.reason)}`.trimEnd()),
    ...findings.map(findingLine),
  ];
}
