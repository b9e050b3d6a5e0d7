import type { StrategyName } from '#core/exploration/config.ts';
import { wholeNumberText, countWithNoun, durationText, percentText } from '../../../client/command-line/text.ts';
import { figureNames, type AblationRun, type FigureName, type Spread, type Summary } from './figures.ts';
import { alignColumns } from '../../shared/aligned.ts';

interface Row {
  readonly label: string;
  readonly text: (value: number) => string;
}

const textWithTenths = (value: number): string => value.toFixed(1);
const rows: Readonly<Record<FigureName, Row>> = {
  transitions: { label: 'executed transitions', text: wholeNumberText },
  per100Units: { label: 'per 100 units', text: textWithTenths },
  nodeCoverage: { label: 'node coverage', text: percentText },
  valuesPassed: { label: 'a value passed in', text: wholeNumberText },
  probeCoverage: { label: 'probe coverage', text: percentText },
  tokens: { label: 'tokens', text: wholeNumberText },
  tokensPerTransition: { label: 'tokens per transition', text: wholeNumberText },
  accepted: { label: 'units accepted', text: textWithTenthsUnlessWhole },
  lost: { label: 'units lost', text: textWithTenthsUnlessWhole },
  rejected: { label: 'units rejected', text: textWithTenthsUnlessWhole },
  dropped: { label: 'units dropped', text: textWithTenthsUnlessWhole },
  seconds: { label: 'wall time', text: (seconds) => durationText(1_000 * seconds) },
};

/** The median of two counts may lie between them. */
function textWithTenthsUnlessWhole(value: number): string {
  return Number.isInteger(value) ? wholeNumberText(value) : textWithTenths(value);
}

/** Formats a run in one line. */
export function runLine({ strategy, seed, units, figures }: AblationRun): string {
  const text = (name: FigureName): string => figureText(name, figures[name]);
  const parts = [
    `${text('transitions')} transitions in ${countWithNoun(units, 'unit')} (${text('per100Units')} per 100), ${text('valuesPassed')} passing a value`,
    `node coverage ${text('nodeCoverage')}`,
    `${text('accepted')} accepted, ${text('lost')} lost, ${text('rejected')} rejected, ${text('dropped')} dropped`,
    text('seconds'),
  ];
  return `${strategy}, seed ${seed}: ${parts.join('; ')}`;
}

const figureText = (name: FigureName, value: number | null): string =>
  value === null ? 'none' : rows[name].text(value);

/**
 * Formats a row for each figure and a column for each strategy: the median over the seeds, with minimum and maximum in
 * brackets.
 */
export function summaryTableLines(summaries: ReadonlyMap<StrategyName, Summary>): string[] {
  return alignColumns([
    ['', ...summaries.keys()],
    ...figureNames.map((name) => [
      rows[name].label,
      ...[...summaries.values()].map((summary) => medianAndRangeCellText(name, summary.get(name) ?? null)),
    ]),
  ]);
}

function medianAndRangeCellText(name: FigureName, spread: Spread | null): string {
  if (spread === null) return figureText(name, null);
  const [median, min, max] = [spread.median, spread.min, spread.max].map((value) => figureText(name, value));
  return spread.min === spread.max ? `${median}` : `${median} (${min} to ${max})`;
}

/** Formats the union of what all runs executed. */
export const unionOfRunsLine = (together: { readonly transitions: number; readonly valuesPassed: number }): string =>
  `All runs together executed ${countWithNoun(together.transitions, 'transition')}, ${wholeNumberText(together.valuesPassed)} of them passing a value.`;
