import type { RunEvent } from '#core/reports/events.ts';
import type { EvaluationProgress } from '#core/evaluation/progress-record.ts';
import type { SubmissionRecord } from '#core/leaderboards/submissions/record.ts';
import type { SubmissionState, SubmissionTier } from '#core/leaderboards/submissions/state.ts';
import { wholeNumberText, countWithNoun, durationText, makePrintableLine } from '../command-line/text.ts';
import type { Drawing } from './display.ts';
import { barText } from './exploration-drawing.ts';

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
export const initialSubmissionView = ({ id, name, tier, history, createdAt }: SubmissionRecord): SubmissionView => ({
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
export function advanceSubmissionView(view: SubmissionView, { event, at }: RunEvent): SubmissionView {
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
export const makeSubmissionDrawing = (submitted: SubmissionRecord): Drawing<SubmissionView> => ({
  initialView: initialSubmissionView(submitted),
  advance: advanceSubmissionView,
  blockLines: submissionBlockLines,
  newsText: () => null,
  lineText: submissionEventLine,
});

/** A submission as a block of lines for a terminal. */
export function submissionBlockLines(view: SubmissionView, now: number): string[] {
  const { progress, startedAt, endedAt } = view;
  const share = progress === null ? 0 : progress.made / Math.max(1, progress.attempts);
  const rows = [
    ['attempts', `${barText(share)} ${progress === null ? 'none yet' : attemptsText(progress)}`],
    ['time', durationText((endedAt ?? now) - startedAt)],
  ] as const;
  return [submissionStateText(view), ...rows.map(([label, text]) => `  ${label.padEnd(labelWidth)}${text}`)];
}

/** The line for an event if nothing can be redrawn. */
export function submissionEventLine(view: SubmissionView, { event }: RunEvent, before: SubmissionView): string | null {
  if (event.type === 'submission.changed') return submissionStateText(view);
  if (view.progress === null || countDoneTenths(view) <= countDoneTenths(before)) return null;
  return `${makePrintableLine(view.name)}: ${attemptsText(view.progress)}`;
}

const countDoneTenths = ({ progress }: SubmissionView): number =>
  progress === null ? 0 : Math.floor((linesOfSubmission * progress.made) / Math.max(1, progress.attempts));

const submissionStateText = ({ id, name, tier, state, reason }: SubmissionView): string =>
  `submission ${id} (${makePrintableLine(name)}, ${tier}): ${state}${reason === '' ? '' : ` (${makePrintableLine(reason)})`}`;

const attemptsText = ({ attempts, made, notEvaluated }: EvaluationProgress): string =>
  `${wholeNumberText(made)} of ${countWithNoun(attempts, 'attempt')}${notEvaluated === 0 ? '' : `, ${wholeNumberText(notEvaluated)} not evaluated`}`;
