import type { RunEvent } from '#core/events.ts';
import type { EvolutionRecord, VariantCounts } from '#core/evolution/record.ts';
import { count, counted, plain } from '../command-line/text.ts';
import type { Drawing } from './display.ts';
import { barOf, spentText } from './drawing.ts';
import { advanceEvolution, evolutionViewOf, type EvolutionView } from './evolution.ts';
import { isTurn } from './run.ts';

const labelWidth = 16;

/** How a running evolution is shown. */
export const evolutionDrawing = (run: EvolutionRecord): Drawing<EvolutionView> => ({
  start: evolutionViewOf(run),
  advance: advanceEvolution,
  block: blockOf,
  news: newsOf,
  line(view, { event, at }) {
    if (event.type === 'units.compared') return surveyText(view.survey);
    if (event.type === 'batch.committed') return lineOf(view, Date.parse(at));
    return isTurn(event) ? standingOf(view) : null;
  },
});

const newsOf = ({ event }: RunEvent): string | null =>
  event.type === 'comparison.unavailable' ? `units are compared by their words alone: ${plain(event.detail)}` : null;

/** An evolution as a block of lines for a terminal. */
function blockOf(view: EvolutionView, now: number): string[] {
  const { survey, kept, variants, ungrounded } = view;
  const rows: readonly (readonly [string, string])[] = [
    [
      'kept',
      kept === null ? 'after the first batch' : `${barOf(Math.min(1, kept.units / kept.target))} ${keptText(kept)}`,
    ],
    ['surveyed', surveyText(survey)],
    ['batches', batchesText(view)],
    ['variants', variantsText(variants)],
    ...(ungrounded === 0 ? [] : ([['grounding', ungroundedText(ungrounded)]] as const)),
    ['spent', spentText(view, now)],
  ];
  return [
    `${standingOf(view)}, seed ${view.seed}`,
    ...rows.map(([label, text]) => `  ${label.padEnd(labelWidth)}${text}`),
  ];
}

/** Formats an evolution in one line, if nothing can be redrawn. */
function lineOf(view: EvolutionView, now: number): string {
  const { kept, batches, variants, ungrounded } = view;
  const parts = [
    `batch ${batches.committed}`,
    ...(kept === null ? [] : [`${keptText(kept)} kept`]),
    variantsText(variants),
    ...(ungrounded === 0 ? [] : [ungroundedText(ungrounded)]),
    spentText(view, now),
  ];
  return parts.join(' | ');
}

const standingOf = ({ id, status, reason }: EvolutionView): string =>
  `evolution ${id}: ${status}${reason === null ? '' : ` (${plain(reason)})`}`;

const keptText = ({ units, target }: NonNullable<EvolutionView['kept']>): string =>
  `${count(units)} of ${counted(target, 'unit')}`;

const surveyText = ({ units, duplicates }: EvolutionView['survey']): string =>
  `${counted(units, 'unit')} compared, ${counted(duplicates, 'near-duplicate')} left out`;

const batchesText = ({ batches, open }: EvolutionView): string =>
  `${count(batches.committed)} of at most ${count(batches.of)}${open === null ? '' : `, ${open.ended} of ${open.units} variants of the next`}`;

const ungroundedText = (units: number): string =>
  `${counted(units, 'variant')} without the index of facts, which failed`;

/** Counts variants by their final state. */
export const variantsText = ({ accepted, review, rejected, lost, dropped, duplicate }: VariantCounts): string =>
  `${count(accepted)} accepted, ${count(review)} review, ${count(rejected)} rejected, ${count(lost)} lost, ${count(dropped)} dropped, ${counted(duplicate, 'near-duplicate')}`;
