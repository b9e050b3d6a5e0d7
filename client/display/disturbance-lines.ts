import type { AgentResult } from '#core/evaluation/record.ts';
import { disturbanceNotes, listDisturbanceColumns } from '#core/evaluation/disturbance-texts.ts';
import { tableLines } from '../command-line/table-lines.ts';
import { makePrintableLine, widthOf } from '../command-line/text.ts';

/** Formats what disturbances change, a table an agent, in two parts where it is too wide; no lines where nothing was disturbed. */
export function disturbanceLines(agents: readonly AgentResult[], width: number): string[] {
  const tables = agents.flatMap(({ name, disturbances = [] }) => {
    if (disturbances.length === 0) return [];
    const columns = listDisturbanceColumns(disturbances).map(({ title, of }) => ({ title, cell: of }));
    const whole = tableLines(columns, disturbances, width);
    const [first, ...others] = columns;
    const split = first === undefined ? [] : [columns.slice(0, 5), [first, ...others.slice(4)]];
    const parts = whole.every((line) => widthOf(line) <= width)
      ? [...whole, '']
      : split.flatMap((part) => [...tableLines(part, disturbances, width), '']);
    return [`${makePrintableLine(name)} under disturbances`, '', ...parts];
  });
  return tables.length === 0 ? [] : [...tables, ...disturbanceNotes, ''];
}
