import type { RunEvent } from '#core/reports/events.ts';
import type { GroundingCounts } from '#core/units/grounding-counts.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import type { Usage } from '#core/models/usage.ts';
import { wholeNumberText, countWithNoun, durationText, makePrintableLine, timeLeftText } from '../command-line/text.ts';
import type { Drawing } from './display.ts';
import { isStateChange } from './run-state.ts';
import {
  advanceExplorationView,
  shareOfRoundsDone,
  initialExplorationView,
  type ExplorationView,
} from './exploration-view.ts';
import {
  allTransitionsCaveatText,
  allTransitionsText,
  allTransitionsTexts,
  probeCoverageMeaning,
  probeCoverageText,
  executedToolsText,
  executedTransitionsText,
} from '../display/wording.ts';

const barWidth = 30;
const labelWidth = 16;

/** How a running exploration is shown. */
export const makeExplorationDrawing = (run: ExplorationRecord): Drawing<ExplorationView> => ({
  initialView: initialExplorationView(run),
  advance: advanceExplorationView,
  blockLines: explorationBlockLines,
  newsText: (event) => noticeTextOrNull(run.id, event),
  lineText(view, { event, at }) {
    if (event.type === 'round.committed') return explorationLine(view, Date.parse(at));
    return isStateChange(event) ? explorationStateText(view) : null;
  },
});

/** The message that is worth its own line. */
function noticeTextOrNull(run: string, { event }: RunEvent): string | null {
  switch (event.type) {
    case 'server.down':
      return `server ${makePrintableLine(event.server)} is out of reach; its tools rest until round ${event.untilRound}`;
    case 'server.recovered':
      return `server ${makePrintableLine(event.server)} answers again`;
    case 'review.awaited':
      return `the round waits for a decision on ${event.unit}, audited at ${event.score}; see: reviews show ${run} ${event.unit}`;
    default:
      return null;
  }
}

/** A run as a block of lines for a terminal. */
export function explorationBlockLines(view: ExplorationView, now: number): string[] {
  const { reading, open, units } = view;
  const rows: [string, string][] = [
    [
      'rounds',
      `${barText(shareOfRoundsDone(view))} ${view.rounds.committed} of ${view.rounds.of}${open === null ? '' : `, ${open.ended} of ${open.units} units of the next`}`,
    ],
    ['units', unitCountsText(units)],
    ...(view.grounding === null
      ? []
      : ([['grounding', groundedCountsText(view.grounding)]] satisfies [string, string][])),
    ...(view.awaited.length === 0
      ? []
      : ([['waits', `for a decision on ${view.awaited.join(', ')}`]] satisfies [string, string][])),
    ['probe coverage', reading === null ? 'after the first round' : probeCoverageText(reading)],
    ...(reading === null
      ? []
      : ([
          ['', probeCoverageMeaning],
          ['transitions', executedTransitionsText(reading)],
          ...allTransitionsTexts(reading, view.strategy).map((text) => ['', text] satisfies [string, string]),
          ['tools', executedToolsText(reading)],
        ] satisfies [string, string][])),
    ['spent', `${spentAndDurationText(view, now)}${timeLeftOfRounds(view, now)}`],
    ...(view.offline ? ([['models', 'offline: rules, no evidence about models']] satisfies [string, string][]) : []),
    ...(view.serversDown.length === 0
      ? []
      : ([['out of reach', view.serversDown.map(makePrintableLine).join(', ')]] satisfies [string, string][])),
  ];
  return [runTitleText(view), ...rows.map(([label, text]) => `  ${label.padEnd(labelWidth)}${text}`)];
}

/** Formats a run in one line, if nothing can be redrawn. The first one has the caveats, which hold for all of them. */
export function explorationLine(view: ExplorationView, now: number): string {
  const { reading, rounds, strategy, offline } = view;
  const isFirst = rounds.committed === 1;
  const parts = [
    `round ${String(rounds.committed).padStart(String(rounds.of).length)}/${rounds.of}`,
    unitCountsText(view.units),
    ...(view.grounding === null ? [] : [groundedCountsText(view.grounding)]),
    ...(reading === null
      ? []
      : [
          `probe coverage ${probeCoverageText(reading)}`,
          `transitions ${executedTransitionsText(reading)}`,
          `${allTransitionsText(reading)}${isFirst ? ` (${allTransitionsCaveatText(strategy)})` : ''}`,
          `tools ${executedToolsText(reading)}`,
        ]),
    `${spentAndDurationText(view, now)}${timeLeftOfRounds(view, now)}`,
    ...(isFirst && offline ? ['models offline: rules, no evidence about models'] : []),
  ];
  return parts.join(' | ');
}

/** A run that waits for a person, or does not run, has no time left that could be told. */
const timeLeftOfRounds = (view: ExplorationView, now: number): string =>
  view.status === 'running' && view.awaited.length === 0
    ? timeLeftText(shareOfRoundsDone(view), now - view.startedAt)
    : '';

/** Describes the state of a run. */
export function explorationStateText({ id, status, reason }: ExplorationView): string {
  const why = reason === null ? '' : ` (${makePrintableLine(reason)})`;
  return `exploration ${id}: ${status}${why}`;
}

const runTitleText = (view: ExplorationView): string =>
  `${explorationStateText(view)}, ${view.strategy}, seed ${view.seed}`;

/** Counts units by their final state. */
export const unitCountsText = ({
  accepted,
  review,
  rejected,
  lost,
  dropped,
  probes,
}: ExplorationView['units']): string =>
  `${wholeNumberText(accepted)} accepted, ${wholeNumberText(review)} review, ${wholeNumberText(rejected)} rejected, ${wholeNumberText(lost)} lost, ${wholeNumberText(dropped)} dropped, ${countWithNoun(probes, 'probe')}`;

/** Counts the searches for facts and their results. */
export const groundedCountsText = ({ searched, grounded, failed }: GroundingCounts): string =>
  `${wholeNumberText(grounded)} of ${countWithNoun(searched, 'unit')} grounded in a fact${failed === 0 ? '' : `, ${wholeNumberText(failed)} without the index, which failed`}`;

/** The cost and duration of a run so far. */
export function spentAndDurationText(
  { usage, startedAt, endedAt }: { readonly usage: Usage; readonly startedAt: number; readonly endedAt: number | null },
  now: number,
): string {
  const tokens = usage.promptTokens + usage.completionTokens;
  return `${countWithNoun(tokens, 'token')}, $${usage.costUsd.toFixed(2)}, ${durationText((endedAt ?? now) - startedAt)}`;
}

/** A share of 0..1 as a bar. */
export function barText(share: number): string {
  const full = Math.round(share * barWidth);
  return '█'.repeat(full) + '░'.repeat(barWidth - full);
}
