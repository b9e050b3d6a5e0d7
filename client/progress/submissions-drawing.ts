import type { RunEvent } from '#core/reports/events.ts';
import type { SubmissionRecord } from '#core/leaderboards/submissions/record.ts';
import type { Drawing } from './display.ts';
import {
  advanceSubmissionView,
  submissionBlockLines,
  submissionEventLine,
  initialSubmissionView,
  type SubmissionView,
} from './submission.ts';

/** An event of one of several submissions; `of` is its index. */
export interface HappenedTo {
  readonly of: number;
  readonly happened: RunEvent;
}

/** How several submissions are shown below each other. */
export const makeDrawingOfSubmissions = (
  submitted: readonly SubmissionRecord[],
): Drawing<readonly SubmissionView[], HappenedTo> => ({
  initialView: submitted.map(initialSubmissionView),
  advance: (views, { of, happened }) =>
    views.map((view, index) => (index === of ? advanceSubmissionView(view, happened) : view)),
  blockLines: (views, now) => views.flatMap((view) => submissionBlockLines(view, now)),
  newsText: () => null,
  lineText(views, { of, happened }, before) {
    const [view, earlier] = [views[of], before[of]];
    return view === undefined || earlier === undefined ? null : submissionEventLine(view, happened, earlier);
  },
});
