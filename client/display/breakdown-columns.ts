import type { BreakdownGroup, UnitResult } from '#core/evaluation/breakdown-record.ts';
import { fixedDigitsText, summaryText } from '#core/evaluation/figure-texts.ts';
import { getProtocol, type ListedScorer, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import type { Column } from '../command-line/table-lines.ts';

const meanTextOrNone = (value: number | null): string => (value === null ? 'none' : fixedDigitsText(value));

const trialsPassedText = (passes: UnitResult['passes'], trials: number): string =>
  passes === null ? 'none' : `${passes.passed} of ${passes.scored}/${trials}`;

/** Returns the columns of an agent's results in a unit. */
export const unitResultColumns = (
  protocol: ProtocolKey,
  shown: readonly ListedScorer[],
): readonly Column<UnitResult>[] => [
  { title: 'unit', cell: ({ unit }) => unit },
  { title: 'agent', cell: ({ agent }) => agent },
  ...shown.map(({ key, title }) => ({
    title,
    cell: ({ scores }: UnitResult) => meanTextOrNone(scores[key]),
  })),
  ...(getProtocol(protocol).verdict === null
    ? []
    : [{ title: 'trials passed', cell: ({ passes, trials }: UnitResult) => trialsPassedText(passes, trials) }]),
  { title: 'patterns', cell: ({ patterns }) => patterns.join(', ') },
];

/** An agent on the units of a group. */
export interface GroupRow {
  readonly group: string;
  readonly result: BreakdownGroup['agents'][number];
}

/** One row for each agent of each group. */
export const flattenGroupsToAgentRows = (groups: readonly BreakdownGroup[]): GroupRow[] =>
  groups.flatMap(({ name, agents }) => agents.map((result) => ({ group: name, result })));

export const breakdownGroupColumns = (title: string, shown: readonly ListedScorer[]): readonly Column<GroupRow>[] => [
  { title, cell: ({ group }) => group },
  { title: 'agent', cell: ({ result }) => result.agent },
  { title: 'units', cell: ({ result }) => result.units },
  ...shown.map(({ key, title }) => ({
    title,
    cell: ({ result }: GroupRow) => summaryText(result.scores[key]),
  })),
  { title: 'turns', cell: ({ result }) => meanTextOrNone(result.perAttempt.turns) },
  { title: 'calls', cell: ({ result }) => result.calls },
  { title: 'failed', cell: ({ result }) => result.failedCalls },
  { title: 'spoilt', cell: ({ result }) => result.spoiltCalls },
];
