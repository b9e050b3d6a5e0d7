import type { BreakdownGroup, UnitResult } from '#core/evaluation/breakdown-record.ts';
import { fixed, summaryText } from '#core/evaluation/figures.ts';
import type { Column } from '../command-line/table.ts';

const valueText = (value: number | null): string => (value === null ? 'none' : fixed(value));

/** What an agent came to in a unit. */
export const unitColumns: readonly Column<UnitResult>[] = [
  { title: 'unit', of: ({ unit }) => unit },
  { title: 'agent', of: ({ agent }) => agent },
  { title: 'TCS', of: ({ tcs }) => valueText(tcs) },
  { title: 'MTC', of: ({ mtc }) => valueText(mtc) },
  { title: 'TFD', of: ({ tfd }) => valueText(tfd) },
  { title: 'AR', of: ({ ar }) => valueText(ar) },
  { title: 'UIC', of: ({ uic }) => valueText(uic) },
  { title: 'ECG', of: ({ ecg }) => valueText(ecg) },
  { title: 'trials passed', of: ({ passes, trials }) => `${passes.passed} of ${passes.scored}/${trials}` },
  { title: 'patterns', of: ({ patterns }) => patterns.join(', ') },
];

/** An agent on the units of a server or domain. */
export interface GroupRow {
  readonly group: string;
  readonly result: BreakdownGroup['agents'][number];
}

/** A row for each agent of each group. */
export const groupRows = (groups: readonly BreakdownGroup[]): GroupRow[] =>
  groups.flatMap(({ name, agents }) => agents.map((result) => ({ group: name, result })));

export const groupColumns = (by: string): readonly Column<GroupRow>[] => [
  { title: by, of: ({ group }) => group },
  { title: 'agent', of: ({ result }) => result.agent },
  { title: 'units', of: ({ result }) => result.units },
  { title: 'TCS', of: ({ result }) => summaryText(result.tcs) },
  { title: 'MTC', of: ({ result }) => summaryText(result.mtc) },
  { title: 'TFD', of: ({ result }) => summaryText(result.tfd) },
  { title: 'AR', of: ({ result }) => summaryText(result.ar) },
  { title: 'UIC', of: ({ result }) => summaryText(result.uic) },
  { title: 'pass', of: ({ result }) => summaryText(result.pass) },
  { title: 'calls', of: ({ result }) => result.calls },
  { title: 'failed', of: ({ result }) => result.failedCalls },
];
