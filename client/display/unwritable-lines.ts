import type { ExplorationRecord } from '#core/exploration/record.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';

const mostShown = 10;

/** Returns the tools that the writer of a run could not write for, with what was missing; no lines if there are none. */
export function unwritableToolLines({ unwritable }: Pick<ExplorationRecord, 'unwritable'>): string[] {
  if (unwritable.length === 0) return [];
  const shown = unwritable.slice(0, mostShown);
  const left = unwritable.length - shown.length;
  return [
    `The writer could not write for ${countWithNoun(unwritable.length, 'tool')}:`,
    ...shown.map(
      ({ tool, units, missing }) =>
        `  ${makePrintableLine(tool)} (${countWithNoun(units, 'unit')}): ${makePrintableLine(missing)}`,
    ),
    ...(left === 0 ? [] : [`  and ${left} more`]),
  ];
}
