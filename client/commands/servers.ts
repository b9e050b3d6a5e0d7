import { domainName, serverName } from '#core/catalog/tool.ts';
import type { Command } from '../command-line/command.ts';
import { repeated, required, textOf, type Reader } from '../command-line/options.ts';
import { counted } from '../command-line/text.ts';
import { UsageError } from '../command-line/usage-error.ts';

const name = { name: 'name', about: 'what to call the server: lower-case letters, digits and hyphens' };
const url = { name: 'url', about: 'the address of its Streamable HTTP endpoint' };
const server = { name: 'server', about: 'the name or the id of a server' };

const domain = required(
  'domain',
  'DOMAIN',
  'the field that the server belongs to, such as "finance"',
  textOf(domainName),
);

const headerOf: Reader<readonly [string, string]> = (text) => {
  const colon = text.indexOf(':');
  if (colon < 1) throw new UsageError('give a name, a colon and a value, such as "Authorization: Bearer abc"');
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
};
const headers = repeated('header', '"NAME: VALUE"', 'sent to the server with every request; kept encrypted', headerOf);

const addServer: Command = {
  verb: 'servers add',
  about: 'Register a remote MCP server',
  operands: [name, url],
  options: [domain, headers],
  async run(given, { client, output }) {
    const added = await client.servers.add({
      name: readName(given.word(name)),
      url: given.word(url),
      domain: given.value(domain),
      headers: Object.fromEntries(given.value(headers)),
    });
    output.value(added, () => [`${added.name}: ${counted(added.tools, 'tool')} (${added.id})`]);
  },
};

function readName(text: string): string {
  try {
    return textOf(serverName)(text);
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
    output.list(
      client.servers.list(),
      [
        { title: 'name', of: ({ name }) => name },
        { title: 'domain', of: ({ domain }) => domain },
        { title: 'tools', of: ({ tools }) => tools },
        { title: 'url', of: ({ url }) => url, flexible: true },
        { title: 'id', of: ({ id }) => id },
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
    output.value({ removed: id }, () => [`${wanted} is removed`]);
  },
};

/** Verbs on servers. */
export const serverCommands: readonly Command[] = [addServer, listServers, removeServer];
