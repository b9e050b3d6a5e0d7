import type { Command } from '../command-line/command.ts';
import { repeatableOption, parseNonEmptyText } from '../command-line/options.ts';
import { countWithNoun } from '../command-line/text.ts';
import { CommandError } from '../command-line/usage-error.ts';

const servers = repeatableOption(
  'server',
  'NAME',
  'a server whose tools go in; all registered ones where none is named',
  parseNonEmptyText,
);

const createCatalog: Command = {
  verb: 'catalogs create',
  about: 'Freeze the tools of servers under a content hash',
  operands: [],
  options: [servers],
  async run(given, { client, output }) {
    const registered = await Array.fromAsync(client.servers.list());
    const names = given.value(servers);
    const unknown = names.filter((wanted) => !registered.some(({ name }) => name === wanted));
    if (registered.length === 0)
      throw new CommandError('no servers are registered; add one with: servers add <name> <url> --domain DOMAIN');
    if (unknown.length > 0) {
      throw new CommandError(
        `no server is called ${unknown.join(', ')}; there are ${registered.map(({ name }) => name).join(', ')}`,
      );
    }
    const chosen = registered.filter(({ name }) => names.length === 0 || names.includes(name));
    const catalog = await client.catalogs.create(chosen.map(({ id }) => id));
    output.writeValue(catalog, () => [
      `${catalog.id}: ${countWithNoun(catalog.tools, 'tool')} of ${countWithNoun(catalog.servers.length, 'server')}`,
    ]);
  },
};

const listCatalogs: Command = {
  verb: 'catalogs list',
  about: 'List the catalogs',
  operands: [],
  options: [],
  run: (_, { client, output }) =>
    output.writeList(
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

/** Verbs on catalogs. */
export const catalogCommands: readonly Command[] = [createCatalog, listCatalogs];
