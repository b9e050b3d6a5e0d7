import type { BreakdownGroup, UnitResult } from '#core/evaluation/breakdown-record.ts';
import { fixedText, summaryText } from '#core/evaluation/figure-texts.ts';
import { scorers } from '#core/scoring/scorers.ts';
import type { Column } from '../command-line/table.ts';

const valueText = (value: number | null): string => (value === null ? 'none' : fixedText(value));

/** An agent's results in a unit. */
export const unitColumns: readonly Column<UnitResult>[] = [
  { title: 'unit', of: ({ unit }) => unit },
  { title: 'agent', of: ({ agent }) => agent },
  ...scorers.map(({ key, title }) => ({ title, of: ({ scores }: UnitResult) => valueText(scores[key]) })),
  { title: 'trials passed', of: ({ passes, trials }) => `${passes.passed} of ${passes.scored}/${trials}` },
  { title: 'patterns', of: ({ patterns }) => patterns.join(', ') },
];

/** An agent on the units of a server or domain. */
export interface GroupRow {
  readonly group: string;
  readonly result: BreakdownGroup['agents'][number];
}

/** One row for each agent of each group. */
export const groupRows = (groups: readonly BreakdownGroup[]): GroupRow[] =>
  groups.flatMap(({ name, agents }) => agents.map((result) => ({ group: name, result })));

export const groupColumns = (by: string): readonly Column<GroupRow>[] => [
  { title: by, of: ({ group }) => group },
  { title: 'agent', of: ({ result }) => result.agent },
  { title: 'units', of: ({ result }) => result.units },
  ...scorers.map(({ key, title }) => ({ title, of: ({ result }: GroupRow) => summaryText(result.scores[key]) })),
  { title: 'calls', of: ({ result }) => result.calls },
  { title: 'failed', of: ({ result }) => result.failedCalls },
];
