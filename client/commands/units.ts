import { unitOrigin, unitStatus } from '#core/units/unit.ts';
import { z } from 'zod';
import { unitLines } from '../display/unit-lines.ts';
import type { Command } from '../command-line/command.ts';
import {
  flagOption,
  makeSchemaNumberParser,
  makeOneOfParser,
  optionalOption,
  parseNonEmptyText,
} from '../command-line/options.ts';

const exploration = { name: 'exploration', about: 'the id of an exploration, such as exp_...' };
const status = optionalOption(
  'status',
  'STATUS',
  `only units that became this: ${unitStatus.options.join(', ')}`,
  makeOneOfParser(unitStatus.options),
);
const round = optionalOption('round', 'N', 'only units of this round', makeSchemaNumberParser(z.int().min(1)));
const tool = optionalOption('tool', 'SERVER/TOOL', 'only units whose chain holds this tool', parseNonEmptyText);
const origin = optionalOption(
  'origin',
  'ORIGIN',
  'explored: only units of rounds; evolved: only variants',
  makeOneOfParser(unitOrigin.options),
);
const probes = flagOption('probes', 'only probes');

const units: Command = {
  verb: 'units',
  about: 'List the units of an exploration',
  more: [
    'What becomes of a unit: accepted, its pair passed the audit and was executed; review, it waits for a person, or waited too long; rejected, the audit or a person',
    'said no; lost, the writer found nothing to write; dropped, a fault of a server, an endpoint or the machine left it without a result; duplicate, it says the same',
    'as a unit that was kept.',
  ].join(' '),
  operands: [exploration],
  options: [status, round, origin, tool, probes],
  run: (given, { client, output }) =>
    output.writeRowsAsJsonOrTable(
      client.explorations.units(given.firstOperandWordOrThrow(exploration), {
        status: given.parseOptionValue(status),
        round: given.parseOptionValue(round),
        origin: given.parseOptionValue(origin),
        tool: given.parseOptionValue(tool),
        probe: given.parseOptionValue(probes) ? true : undefined,
      }),
      [
        { title: 'id', cell: ({ id }) => id },
        { title: 'status', cell: ({ status, stage }) => status ?? `at ${stage.kind}` },
        { title: 'probe', cell: ({ probe }) => (probe ? 'probe' : '') },
        { title: 'score', cell: ({ score }) => score ?? '' },
        { title: 'chain', cell: ({ chain }) => chain.join(' > '), flexible: true },
        { title: 'source', cell: ({ source }) => source ?? '', flexible: true },
      ],
      'there are no such units',
    ),
};

const wantedUnit = { name: 'unit', about: 'the id of one of its units, such as r0003-u07' };

const unit: Command = {
  verb: 'unit',
  about: 'Show a unit: its requests, its audits, and what the base agent did at each of them',
  more: 'With --json: with the complete traces.',
  operands: [exploration, wantedUnit],
  options: [],
  async run(given, { client, output }) {
    const id = given.firstOperandWordOrThrow(exploration);
    const found = await client.explorations.unit(id, given.firstOperandWordOrThrow(wantedUnit));
    output.writeAsJsonOrLines(found, () => unitLines(id, found));
  },
};

/** Verbs on units. */
export const unitCommands: readonly Command[] = [units, unit];
