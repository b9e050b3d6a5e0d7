import { toolColumns } from '../display/tool-columns.ts';
import type { Command } from '../command-line/command.ts';
import { noteNextStep } from '../command-line/next-step.ts';
import { allowedEffect } from '#core/catalog/effect.ts';
import {
  flagOption,
  makeOneOfParser,
  optionalOption,
  repeatableOption,
  parseNonEmptyText,
} from '../command-line/options.ts';
import { countWithNoun } from '../command-line/text.ts';
import { CommandError } from '../../engine/usage-error.ts';

const servers = repeatableOption(
  'server',
  'NAME',
  'a server whose tools go in; all registered ones where none is named',
  parseNonEmptyText,
);

const include = repeatableOption('tool', 'SERVER/TOOL', 'the only tools that go in; all without it', parseNonEmptyText);
const exclude = repeatableOption('without', 'SERVER/TOOL', 'a tool that stays out', parseNonEmptyText);
const upTo = optionalOption(
  'up-to',
  'EFFECT',
  'the most that calls may do: reads, writes or destroys; servers may allow less',
  makeOneOfParser(allowedEffect.options),
);
const dryRun = flagOption(
  'dry-run',
  'calls tools that have a parameter for dry runs with it, always; they count as tools that read',
);

const createCatalog: Command = {
  verb: 'catalogs create',
  about: 'Freeze the tools of servers under a content hash',
  more: 'An exploration needs a catalog, which never changes: what is counted stays comparable when servers change their tools. Tools beyond what their servers allow stay out.',
  operands: [],
  options: [servers, include, exclude, upTo, dryRun],
  async run(given, { client, output }) {
    const registered = await Array.fromAsync(client.servers.list());
    const names = given.parseOptionValue(servers);
    const unknown = names.filter((wanted) => !registered.some(({ name }) => name === wanted));
    if (registered.length === 0)
      throw new CommandError('no servers are registered; add one with: servers add <name> <url> --domain DOMAIN');
    if (unknown.length > 0) {
      throw new CommandError(
        `no server is called ${unknown.join(', ')}; there are ${registered.map(({ name }) => name).join(', ')}`,
      );
    }
    const chosen = registered.filter(({ name }) => names.length === 0 || names.includes(name));
    const [only, never, limit] = [
      given.parseOptionValue(include),
      given.parseOptionValue(exclude),
      given.parseOptionValue(upTo),
    ];
    const catalog = await client.catalogs.create(
      chosen.map(({ id }) => id),
      {
        ...(only.length === 0 ? {} : { include: [...only] }),
        exclude: [...never],
        dryRun: given.parseOptionValue(dryRun),
        ...(limit === undefined ? {} : { upTo: limit }),
      },
    );
    output.writeAsJsonOrLines(catalog, () => [
      `${catalog.id}: ${countWithNoun(catalog.tools, 'tool')} of ${countWithNoun(catalog.servers.length, 'server')}`,
      ...(catalog.aboveLimit === 0
        ? []
        : [
            `${countWithNoun(catalog.aboveLimit, 'tool')} left out: their calls do more than their servers or this catalog allow`,
          ]),
    ]);
    noteNextStep(output, `explore --catalog ${catalog.id} --rounds 10`);
  },
};

const listCatalogs: Command = {
  verb: 'catalogs list',
  about: 'List the catalogs',
  operands: [],
  options: [],
  run: (_, { client, output }) =>
    output.writeRowsAsJsonOrTable(
      client.catalogs.list(),
      [
        { title: 'id', cell: ({ id }) => id },
        { title: 'tools', cell: ({ tools }) => tools },
        { title: 'servers', cell: ({ servers }) => servers.map(({ name }) => name).join(', '), flexible: true },
        { title: 'created', cell: ({ createdAt }) => createdAt },
      ],
      'there are no catalogs; freeze one with: catalogs create',
    ),
};

const catalog = { name: 'catalog', about: 'the id of a catalog, such as cat_...' };

const showCatalog: Command = {
  verb: 'catalogs show',
  about: 'List the tools of a catalog',
  more: 'With --json: the catalog and its tools with their schemas.',
  operands: [catalog],
  options: [],
  async run(given, { client, output }) {
    const found = await client.catalogs.get(given.firstOperandWordOrThrow(catalog));
    if (output.isJson) return output.writeAsJsonOrLines(found, () => []);
    await output.writeRowsAsJsonOrTable(found.tools, toolColumns, 'the catalog has no tools');
  },
};

/** Verbs on catalogs. */
export const catalogCommands: readonly Command[] = [createCatalog, listCatalogs, showCatalog];
