import type { TransitionRecord } from '#core/exploration/counts.ts';
import type { RoundReading } from '#core/exploration/reading-record.ts';
import type { Column } from '../command-line/table-lines.ts';

/** What lists and files of transitions say of each. */
export const transitionColumns: readonly Column<TransitionRecord>[] = [
  { title: 'from', cell: ({ from }) => from },
  { title: 'to', cell: ({ to }) => to },
  { title: 'executed', cell: ({ executed }) => executed },
  { title: 'expected', cell: ({ expected }) => expected },
  { title: 'value passed', cell: ({ valuePassed }) => valuePassed },
];

const valueOrEmptyText = (value: number | string | null | undefined): number | string => value ?? '';

/** What files of readings say of each round; a cell is empty where a figure is unknown. */
export const readingCsvColumns: readonly Column<RoundReading>[] = [
  { title: 'round', cell: ({ round }) => round },
  ...(['accepted', 'review', 'rejected', 'lost', 'dropped', 'probes'] as const).map((name) => ({
    title: name,
    cell: ({ units }: RoundReading) => units[name],
  })),
  { title: 'probe_coverage', cell: ({ probeCoverage }) => valueOrEmptyText(probeCoverage?.value) },
  { title: 'probe_coverage_low', cell: ({ probeCoverage }) => valueOrEmptyText(probeCoverage?.low) },
  { title: 'probe_coverage_high', cell: ({ probeCoverage }) => valueOrEmptyText(probeCoverage?.high) },
  { title: 'probe_coverage_anytime_low', cell: ({ probeCoverage }) => valueOrEmptyText(probeCoverage?.anytimeLow) },
  ...(['transitions', 'n', 'f1', 'f2', 'f3'] as const).map((name) => ({
    title: name,
    cell: (reading: RoundReading) => reading[name],
  })),
  { title: 'values_passed', cell: ({ valuesPassed }) => valuesPassed },
  { title: 'all_transitions', cell: ({ allTransitions: all }) => valueOrEmptyText(all?.estimate?.value) },
  { title: 'all_transitions_low', cell: ({ allTransitions: all }) => valueOrEmptyText(all?.estimate?.low) },
  { title: 'all_transitions_high', cell: ({ allTransitions: all }) => valueOrEmptyText(all?.estimate?.high) },
  { title: 'all_transitions_from', cell: ({ allTransitions: all }) => valueOrEmptyText(all?.estimate?.from) },
  { title: 'possible_transitions', cell: ({ allTransitions: all }) => valueOrEmptyText(all?.possible) },
  { title: 'sample_coverage', cell: ({ sampleCoverage }) => valueOrEmptyText(sampleCoverage) },
  { title: 'transition_coverage', cell: ({ transitionCoverage }) => valueOrEmptyText(transitionCoverage?.value) },
  { title: 'tools_executed', cell: ({ nodeCoverage }) => nodeCoverage.covered },
  { title: 'tools', cell: ({ nodeCoverage }) => nodeCoverage.of + nodeCoverage.setAside },
  { title: 'tools_set_aside', cell: ({ nodeCoverage }) => nodeCoverage.setAside },
];
