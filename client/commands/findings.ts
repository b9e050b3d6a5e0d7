import type { RoundReading } from '#core/exploration/reading-record.ts';
import type { DomainTransition } from '#core/exploration/record.ts';
import type { Command } from '../command-line/command.ts';
import type { Column } from '../command-line/table-lines.ts';
import { percentText } from '../command-line/text.ts';
import { allTransitionsCell } from '../display/wording.ts';
import { readingCsvColumns, transitionColumns } from '../display/finding-columns.ts';
import { csvOption, writeRowsAsTableJsonOrCsv } from '../command-line/write-rows.ts';

const exploration = { name: 'exploration', about: 'the id of an exploration, such as exp_...' };
const options = [csvOption];

const transitions: Command = {
  verb: 'transitions',
  about: 'List which tool was called after which, in how many units',
  more: 'executed: units in which the base agent did it; expected: units whose chain has it; value passed: a result became an argument.',
  operands: [exploration],
  options,
  run: (given, { client, output }) =>
    writeRowsAsTableJsonOrCsv(
      output,
      client.explorations.transitions(given.firstOperandWordOrThrow(exploration)),
      { table: transitionColumns, csv: transitionColumns, none: 'there are no transitions yet' },
      given.parseOptionValue(csvOption),
    ),
};

const shareText = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : percentText(value);

const readingTable: readonly Column<RoundReading>[] = [
  { title: 'round', cell: ({ round }) => round },
  { title: 'accepted', cell: ({ units }) => units.accepted },
  { title: 'probe coverage', cell: ({ probeCoverage }) => shareText(probeCoverage?.value) },
  { title: 'low', cell: ({ probeCoverage }) => shareText(probeCoverage?.low) },
  { title: 'high', cell: ({ probeCoverage }) => shareText(probeCoverage?.high) },
  { title: 'transitions', cell: (reading) => reading.transitions },
  { title: 'in all', cell: allTransitionsCell },
  { title: 'tools', cell: ({ nodeCoverage }) => nodeCoverage.covered },
  { title: 'set aside', cell: ({ nodeCoverage }) => nodeCoverage.setAside },
];

const richness: Command = {
  verb: 'richness',
  about: 'List what was known after each round: the probe coverage, transitions, estimates',
  more: 'in all: the estimate of all transitions with its 95% interval, empty while there are too few probes. docs/estimates.md explains each column.',
  operands: [exploration],
  options,
  run: (given, { client, output }) =>
    writeRowsAsTableJsonOrCsv(
      output,
      client.explorations.readings(given.firstOperandWordOrThrow(exploration)),
      { table: readingTable, csv: readingCsvColumns, none: 'no round has ended yet' },
      given.parseOptionValue(csvOption),
    ),
};

const domainColumns: readonly Column<DomainTransition>[] = [
  { title: 'from', cell: ({ from }) => from },
  { title: 'to', cell: ({ to }) => to },
  { title: 'transitions', cell: (pair) => pair.transitions },
  { title: 'observations', cell: ({ observations }) => observations },
];

const domains: Command = {
  verb: 'domains',
  about: 'List the pairs of domains with transitions between their tools',
  operands: [exploration],
  options,
  async run(given, { client, output }) {
    const found = await client.explorations.domains(given.firstOperandWordOrThrow(exploration));
    await writeRowsAsTableJsonOrCsv(
      output,
      found,
      { table: domainColumns, csv: domainColumns, none: 'there are no transitions yet' },
      given.parseOptionValue(csvOption),
    );
  },
};

/** Verbs on what an exploration found. */
export const findingCommands: readonly Command[] = [transitions, richness, domains];
