import type { RunEvent } from '#core/reports/events.ts';
import type { Decision } from '#core/evaluation/decision.ts';
import { decisionSentence } from '#core/evaluation/decision-text.ts';
import type { EvaluationProgress } from '#core/evaluation/progress-record.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import { addUsage, noUsage, type Usage } from '#core/models/usage.ts';
import { wholeNumberText, countWithNoun, makePrintableLine, timeLeftText } from '../command-line/text.ts';
import type { Drawing } from './display.ts';
import { barText, spentAndDurationText } from './exploration-drawing.ts';
import { isStateChange, viewAfterStateChange, type RunStanding } from './run-state.ts';

/** What is shown of a running evaluation. */
export interface EvaluationView extends RunStanding {
  readonly id: string;
  readonly agents: readonly string[];
  readonly offline: boolean;
  readonly judges: boolean;
  readonly progress: EvaluationProgress;
  /** What the drawn units tell so far; null where all units are taken, and before the first are drawn. */
  readonly decision: Decision | null;
  /** Attempts that are judged. */
  readonly judged: number;
  /** Usage of agents and judges together, as of the last finished unit. */
  readonly usage: Usage;
  readonly startedAt: number;
}

/** An evaluation before its first event; the events fill it. */
export const initialEvaluationView = ({
  id,
  agents,
  offline,
  config,
  progress,
  createdAt,
}: EvaluationRecord): EvaluationView => ({
  id,
  offline,
  agents: agents.map(({ name }) => name),
  judges: config.judges,
  status: 'running',
  reason: null,
  progress: { ...progress, made: 0, notEvaluated: 0, relaunched: 0, unitsDone: 0 },
  decision: null,
  judged: 0,
  usage: noUsage,
  startedAt: Date.parse(createdAt),
  endedAt: null,
});

/** Returns the view after one more event. */
export function advanceEvaluationView(view: EvaluationView, happened: RunEvent): EvaluationView {
  const { event } = happened;
  const { progress } = view;
  switch (event.type) {
    case 'attempt.relaunched':
      return { ...view, progress: { ...progress, relaunched: progress.relaunched + 1 } };
    case 'attempt.ended': {
      const notEvaluated = progress.notEvaluated + (event.evaluated ? 0 : 1);
      return { ...view, progress: { ...progress, made: progress.made + 1, notEvaluated } };
    }
    case 'attempt.judged':
      return { ...view, judged: view.judged + 1 };
    case 'units.drawn':
      return { ...view, decision: event.decision };
    case 'unit.evaluated':
      return { ...view, progress: event.progress, usage: addUsage(event.usage, event.judgeUsage) };
    default:
      return viewAfterStateChange(view, happened);
  }
}

/** Without a terminal, one line for each such part of the units. */
const linesOfRun = 10;
const labelWidth = 16;

/** How a running evaluation is shown. */
export const makeEvaluationDrawing = (run: EvaluationRecord): Drawing<EvaluationView> => ({
  initialView: initialEvaluationView(run),
  advance: advanceEvaluationView,
  blockLines: evaluationBlockLines,
  newsText: () => null,
  lineText(view, { event, at }, before) {
    if (event.type === 'units.drawn' && event.decision.units > 0)
      return makePrintableLine(decisionSentence(event.decision));
    if (event.type === 'unit.evaluated' && countDoneTenths(view) > countDoneTenths(before))
      return evaluationLine(view, Date.parse(at));
    return isStateChange(event) ? evaluationStateText(view) : null;
  },
});

const countDoneTenths = ({ progress: { units, unitsDone } }: EvaluationView): number =>
  Math.floor((linesOfRun * unitsDone) / Math.max(1, units));

/** An evaluation as a block of lines for a terminal. */
function evaluationBlockLines(view: EvaluationView, now: number): string[] {
  const { progress, agents, judges, judged, offline } = view;
  const rows: readonly (readonly [string, string])[] = [
    ['attempts', `${barText(shareOfAttemptsMade(view))} ${attemptsText(progress)}`],
    ['units', unitsDoneText(progress)],
    ...(view.decision === null ? [] : ([['decided', makePrintableLine(decisionText(view.decision))]] as const)),
    ['judged', judges ? countWithNoun(judged, 'attempt') : 'judges are off'],
    ['spent', `${spentAndDurationText(view, now)}${timeLeftOfAttempts(view, now)}`],
    ['agents', agents.map(makePrintableLine).join(', ')],
    ...(offline ? ([['models', 'offline: rules, no evidence about models']] as const) : []),
  ];
  return [evaluationStateText(view), ...rows.map(([label, text]) => `  ${label.padEnd(labelWidth)}${text}`)];
}

/** The decision so far, with the difference where there are two agents. */
function decisionText(decision: Decision): string {
  const [pair] = decision.pairs;
  const between = pair && decision.pairs.length === 1 ? ` (${pair.low.toFixed(2)} to ${pair.high.toFixed(2)})` : '';
  return `${decisionSentence(decision)}${between}`;
}

/** Formats an evaluation in one line, if nothing can be redrawn. */
const evaluationLine = (view: EvaluationView, now: number): string =>
  [
    unitsDoneText(view.progress),
    attemptsText(view.progress),
    `${spentAndDurationText(view, now)}${timeLeftOfAttempts(view, now)}`,
  ].join(' | ');

const shareOfAttemptsMade = ({ progress: { made, attempts } }: EvaluationView): number => made / Math.max(1, attempts);

const timeLeftOfAttempts = (view: EvaluationView, now: number): string =>
  view.status === 'running' ? timeLeftText(shareOfAttemptsMade(view), now - view.startedAt) : '';

const evaluationStateText = ({ id, status, reason }: EvaluationView): string =>
  `evaluation ${id}: ${status}${reason === null ? '' : ` (${makePrintableLine(reason)})`}`;

const unitsDoneText = ({ units, unitsDone }: EvaluationProgress): string =>
  `${wholeNumberText(unitsDone)} of ${countWithNoun(units, 'unit')}`;

const attemptsText = ({ attempts, made, relaunched, notEvaluated }: EvaluationProgress): string =>
  `${wholeNumberText(made)} of ${countWithNoun(attempts, 'attempt')}, ${wholeNumberText(relaunched)} relaunched, ${wholeNumberText(notEvaluated)} not evaluated`;
