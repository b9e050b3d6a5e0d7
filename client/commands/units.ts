import { unitOrigin, unitStatus } from '#core/units/unit.ts';
import { z } from 'zod';
import type { Command } from '../command-line/command.ts';
import { flag, numberOf, oneOf, option, text } from '../command-line/options.ts';

const exploration = { name: 'exploration', about: 'the id of an exploration, such as exp_...' };
const status = option(
  'status',
  'STATUS',
  `only units that became this: ${unitStatus.options.join(', ')}`,
  oneOf(unitStatus.options),
);
const round = option('round', 'N', 'only units of this round', numberOf(z.int().min(1)));
const tool = option('tool', 'SERVER/TOOL', 'only units whose chain holds this tool', text);
const origin = option(
  'origin',
  'ORIGIN',
  'explored: only units of rounds; evolved: only variants',
  oneOf(unitOrigin.options),
);
const probes = flag('probes', 'only probes');

const units: Command = {
  verb: 'units',
  about: 'List the units of an exploration',
  operands: [exploration],
  options: [status, round, origin, tool, probes],
  run: (given, { client, output }) =>
    output.list(
      client.explorations.units(given.word(exploration), {
        status: given.value(status),
        round: given.value(round),
        origin: given.value(origin),
        tool: given.value(tool),
        probe: given.value(probes) ? true : undefined,
      }),
      [
        { title: 'id', of: ({ id }) => id },
        { title: 'status', of: ({ status, stage }) => status ?? `at ${stage.kind}` },
        { title: 'probe', of: ({ probe }) => (probe ? 'probe' : '') },
        { title: 'score', of: ({ score }) => score ?? '' },
        { title: 'chain', of: ({ chain }) => chain.join(' > '), flexible: true },
        { title: 'source', of: ({ source }) => source ?? '', flexible: true },
      ],
      'there are no such units',
    ),
};

/** Verbs on units. */
export const unitCommands: readonly Command[] = [units];
