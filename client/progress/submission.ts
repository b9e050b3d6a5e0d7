import type { RunEvent } from '#core/events.ts';
import type { EvaluationProgress } from '#core/evaluation/progress-record.ts';
import type { SubmissionRecord } from '#core/submissions/record.ts';
import type { SubmissionState, SubmissionTier } from '#core/submissions/state.ts';
import { count, counted, duration, plain } from '../command-line/text.ts';
import type { Drawing } from './display.ts';
import { barOf } from './drawing.ts';

/** What is shown of a submission until it is settled. */
export interface SubmissionView {
  readonly id: string;
  readonly name: string;
  readonly tier: SubmissionTier;
  readonly state: SubmissionState;
  readonly reason: string;
  /** Null before there are attempts. */
  readonly progress: EvaluationProgress | null;
  readonly startedAt: number;
  /** Null while there is work left. */
  readonly endedAt: number | null;
}

/** A submission before its first event; the events fill it. */
export const submissionViewOf = ({ id, name, tier, history, createdAt }: SubmissionRecord): SubmissionView => ({
  id,
  name,
  tier,
  state: history[0]?.state ?? 'queued',
  reason: history[0]?.reason ?? '',
  progress: null,
  startedAt: Date.parse(createdAt),
  endedAt: null,
});

/** Returns the view after one more event. */
export function advanceSubmission(view: SubmissionView, { event, at }: RunEvent): SubmissionView {
  switch (event.type) {
    case 'submission.changed':
      return { ...view, state: event.state, reason: event.reason };
    case 'submission.progressed':
      return { ...view, progress: event.progress };
    case 'run.ended':
      return { ...view, endedAt: Date.parse(at) };
    default:
      return view;
  }
}

/** Without a terminal, one line for each such part of the attempts. */
const linesOfSubmission = 10;
const labelWidth = 16;

/** How a submission is shown until it is settled. */
export const submissionDrawing = (submitted: SubmissionRecord): Drawing<SubmissionView> => ({
  start: submissionViewOf(submitted),
  advance: advanceSubmission,
  block: submissionBlock,
  news: () => null,
  line: submissionLine,
});

/** A submission as a block of lines for a terminal. */
export function submissionBlock(view: SubmissionView, now: number): string[] {
  const { progress, startedAt, endedAt } = view;
  const share = progress === null ? 0 : progress.made / Math.max(1, progress.attempts);
  const rows = [
    ['attempts', `${barOf(share)} ${progress === null ? 'none yet' : attemptsText(progress)}`],
    ['time', duration((endedAt ?? now) - startedAt)],
  ] as const;
  return [standingOf(view), ...rows.map(([label, text]) => `  ${label.padEnd(labelWidth)}${text}`)];
}

/** The line for an event if nothing can be redrawn. */
export function submissionLine(view: SubmissionView, { event }: RunEvent, before: SubmissionView): string | null {
  if (event.type === 'submission.changed') return standingOf(view);
  if (view.progress === null || partOf(view) <= partOf(before)) return null;
  return `${plain(view.name)}: ${attemptsText(view.progress)}`;
}

const partOf = ({ progress }: SubmissionView): number =>
  progress === null ? 0 : Math.floor((linesOfSubmission * progress.made) / Math.max(1, progress.attempts));

const standingOf = ({ id, name, tier, state, reason }: SubmissionView): string =>
  `submission ${id} (${plain(name)}, ${tier}): ${state}${reason === '' ? '' : ` (${plain(reason)})`}`;

const attemptsText = ({ attempts, made, notEvaluated }: EvaluationProgress): string =>
  `${count(made)} of ${counted(attempts, 'attempt')}${notEvaluated === 0 ? '' : `, ${count(notEvaluated)} not evaluated`}`;
