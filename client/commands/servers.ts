import { domainName, serverName } from '#core/catalog/tool.ts';
import type { Command } from '../command-line/command.ts';
import { repeatableOption, requiredOption, textParser, type ValueParser } from '../command-line/options.ts';
import { countWithNoun } from '../command-line/text.ts';
import { UsageError } from '../command-line/usage-error.ts';

const name = { name: 'name', about: 'what to call the server: lower-case letters, digits and hyphens' };
const url = { name: 'url', about: 'the address of its Streamable HTTP endpoint' };
const server = { name: 'server', about: 'the name or the id of a server' };

const domain = requiredOption(
  'domain',
  'DOMAIN',
  'the field that the server belongs to, such as "finance"',
  textParser(domainName),
);

const parseHeader: ValueParser<readonly [string, string]> = (text) => {
  const colon = text.indexOf(':');
  if (colon < 1) throw new UsageError('give a name, a colon and a value, such as "Authorization: Bearer abc"');
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
};
const headers = repeatableOption(
  'header',
  '"NAME: VALUE"',
  'sent to the server with every request; kept encrypted',
  parseHeader,
);

const addServer: Command = {
  verb: 'servers add',
  about: 'Register a remote MCP server',
  operands: [name, url],
  options: [domain, headers],
  async run(given, { client, output }) {
    const added = await client.servers.add({
      name: parseServerName(given.word(name)),
      url: given.word(url),
      domain: given.value(domain),
      headers: Object.fromEntries(given.value(headers)),
    });
    output.writeValue(added, () => [`${added.name}: ${countWithNoun(added.tools, 'tool')} (${added.id})`]);
  },
};

function parseServerName(text: string): string {
  try {
    return textParser(serverName)(text);
  } catch (error) {
    throw new UsageError(`"${text}" cannot be a server's name: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    });
  }
}

const listServers: Command = {
  verb: 'servers list',
  about: 'List the registered servers',
  operands: [],
  options: [],
  run: (_, { client, output }) =>
    output.writeList(
      client.servers.list(),
      [
        { title: 'name', cell: ({ name }) => name },
        { title: 'domain', cell: ({ domain }) => domain },
        { title: 'tools', cell: ({ tools }) => tools },
        { title: 'url', cell: ({ url }) => url, flexible: true },
        { title: 'id', cell: ({ id }) => id },
      ],
      'no servers are registered; add one with: servers add <name> <url> --domain DOMAIN',
    ),
};

const removeServer: Command = {
  verb: 'servers remove',
  about: 'Remove a server; catalogs keep its tools',
  operands: [server],
  options: [],
  async run(given, { client, output }) {
    const wanted = given.word(server);
    const registered = await Array.fromAsync(client.servers.list());
    const id = registered.find(({ name }) => name === wanted)?.id ?? wanted;
    await client.servers.remove(id);
    output.writeValue({ removed: id }, () => [`${wanted} is removed`]);
  },
};

/** Verbs on servers. */
export const serverCommands: readonly Command[] = [addServer, listServers, removeServer];
