import type { RunEvent } from '#core/reports/events.ts';
import type { EvolutionRecord, VariantCounts } from '#core/exploration/evolution/record.ts';
import { wholeNumberText, countWithNoun, makePrintableLine } from '../command-line/text.ts';
import type { Drawing } from './display.ts';
import { barText, spentAndDurationText } from './exploration-drawing.ts';
import { advanceEvolutionView, initialEvolutionView, type EvolutionView } from './evolution-view.ts';
import { isStateChange } from './run-state.ts';

const labelWidth = 16;

/** How a running evolution is shown. */
export const makeEvolutionDrawing = (run: EvolutionRecord): Drawing<EvolutionView> => ({
  initialView: initialEvolutionView(run),
  advance: advanceEvolutionView,
  blockLines: evolutionBlockLines,
  newsText: noticeTextOrNull,
  lineText(view, { event, at }) {
    if (event.type === 'units.compared') return comparedText(view.compared);
    if (event.type === 'batch.committed') return evolutionLine(view, Date.parse(at));
    return isStateChange(event) ? evolutionStateText(view) : null;
  },
});

const noticeTextOrNull = ({ event }: RunEvent): string | null =>
  event.type === 'comparison.unavailable'
    ? `units are compared by their words alone: ${makePrintableLine(event.detail)}`
    : null;

/** An evolution as a block of lines for a terminal. */
function evolutionBlockLines(view: EvolutionView, now: number): string[] {
  const { compared, kept, variants, ungrounded } = view;
  const rows: readonly (readonly [string, string])[] = [
    [
      'kept',
      kept === null ? 'after the first batch' : `${barText(Math.min(1, kept.units / kept.target))} ${keptText(kept)}`,
    ],
    ['explored', comparedText(compared)],
    ['batches', batchesText(view)],
    ['variants', variantsText(variants)],
    ...(ungrounded === 0 ? [] : ([['grounding', withoutFactIndexText(ungrounded)]] as const)),
    ['spent', spentAndDurationText(view, now)],
  ];
  return [
    `${evolutionStateText(view)}, seed ${view.seed}`,
    ...rows.map(([label, text]) => `  ${label.padEnd(labelWidth)}${text}`),
  ];
}

/** Formats an evolution in one line, if nothing can be redrawn. */
function evolutionLine(view: EvolutionView, now: number): string {
  const { kept, batches, variants, ungrounded } = view;
  const parts = [
    `batch ${batches.committed}`,
    ...(kept === null ? [] : [`${keptText(kept)} kept`]),
    variantsText(variants),
    ...(ungrounded === 0 ? [] : [withoutFactIndexText(ungrounded)]),
    spentAndDurationText(view, now),
  ];
  return parts.join(' | ');
}

const evolutionStateText = ({ id, status, reason }: EvolutionView): string =>
  `evolution ${id}: ${status}${reason === null ? '' : ` (${makePrintableLine(reason)})`}`;

const keptText = ({ units, target }: NonNullable<EvolutionView['kept']>): string =>
  `${wholeNumberText(units)} of ${countWithNoun(target, 'unit')}`;

const comparedText = ({ units, duplicates }: EvolutionView['compared']): string =>
  `${countWithNoun(units, 'unit')} compared, ${countWithNoun(duplicates, 'near-duplicate')} left out`;

const batchesText = ({ batches, open }: EvolutionView): string =>
  `${wholeNumberText(batches.committed)} of at most ${wholeNumberText(batches.of)}${open === null ? '' : `, ${open.ended} of ${open.units} variants of the next`}`;

const withoutFactIndexText = (units: number): string =>
  `${countWithNoun(units, 'variant')} without the index of facts, which failed`;

/** Counts variants by their final state. */
export const variantsText = ({ accepted, review, rejected, lost, dropped, duplicate }: VariantCounts): string =>
  `${wholeNumberText(accepted)} accepted, ${wholeNumberText(review)} review, ${wholeNumberText(rejected)} rejected, ${wholeNumberText(lost)} lost, ${wholeNumberText(dropped)} dropped, ${countWithNoun(duplicate, 'near-duplicate')}`;
