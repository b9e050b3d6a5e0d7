import { z } from 'zod';
import type { ServerRecord } from '#core/catalog/server.ts';
import type { CommandContext } from '../command-line/context.ts';
import { errorText } from '../command-line/error-output.ts';
import { optionalOption, parseNonEmptyText } from '../command-line/options.ts';
import { countWithNoun } from '../command-line/text.ts';
import { CommandError, UsageError } from '../../engine/usage-error.ts';
import { addedServerLines } from './server-lines.ts';
import type { NewServer } from '../resources/servers.ts';
import { bridgedServer, type BridgedServer } from '../serve/bridge.ts';
import { defaultBridgePort } from '../serve/default-port.ts';
import { addAddressToEachServer, readServerFile, type PlacedServer, type ServerEntry } from '../serve/server-file.ts';

const defaultBridge = `http://127.0.0.1:${defaultBridgePort}`;

/** Where the local servers of a file are served. */
export const bridgeOption = optionalOption(
  'bridge',
  'URL',
  `where "serve" has the local servers of a file (${defaultBridge} without it)`,
  parseNonEmptyText,
);

/** A file of servers, and what is said of all of them. */
export interface ServersToAdd {
  readonly file: string;
  readonly bridge: string | undefined;
  readonly shared: Omit<NewServer, 'name' | 'url'>;
}

/**
 * Registers all servers of a file that are not registered yet. Nothing is registered if the file is invalid or a local server
 * is not served.
 */
export async function registerServersOfFile(
  { file, bridge, shared }: ServersToAdd,
  context: CommandContext,
): Promise<void> {
  const entries = readServerFile(file, process.env);
  const placed = await findAddressesOfFileServers(entries, { file, bridge: bridge ?? defaultBridge });
  await addMissingServers(
    placed.map(({ name, url, headers, domain }) => ({
      ...shared,
      name,
      url,
      headers,
      domain: domain ?? shared.domain,
    })),
    context,
  );
}

/**
 * Registers the servers that are not registered yet. Nothing is registered if a name belongs to a server with another address. Throws a
 * CommandError if some could not be added.
 */
export async function addMissingServers(wanted: readonly NewServer[], context: CommandContext): Promise<void> {
  const { client, output } = context;
  const known = new Map((await Array.fromAsync(client.servers.list())).map((each) => [each.name, each]));
  for (const { name, url } of wanted) throwIfNameAtOtherAddress(name, url, known);

  const failed: string[] = [];
  for (const server of wanted) {
    const { name } = server;
    const there = known.get(name);
    if (there !== undefined) {
      output.writeAsJsonOrLines(there, () => [`${name}: is registered already (${there.id})`]);
      continue;
    }
    try {
      const added = await client.servers.add(server);
      output.writeAsJsonOrLines(added, () => addedServerLines(added));
    } catch (error) {
      if (context.signal.aborted) throw error;
      failed.push(name);
      output.writeNote(`${name}: ${errorText(error)}`);
    }
  }
  if (failed.length > 0)
    throw new CommandError(
      `${failed.length} of ${countWithNoun(wanted.length, 'server')} could not be added: ${failed.join(', ')}`,
    );
}

async function findAddressesOfFileServers(
  entries: readonly ServerEntry[],
  { file, bridge }: { readonly file: string; readonly bridge: string },
): Promise<PlacedServer[]> {
  const hasLocal = entries.some(({ kind }) => kind === 'stdio');
  const served = hasLocal ? await fetchBridgedServers(bridge, file) : [];
  return addAddressToEachServer(entries, (name) => {
    const url = served.find((each) => each.name === name)?.url;
    if (url === undefined)
      throw new CommandError(`${name} is not served at ${bridge}; stop what is served there and run: serve ${file}`);
    return url;
  });
}

async function fetchBridgedServers(bridge: string, file: string): Promise<BridgedServer[]> {
  if (!URL.canParse(bridge)) throw new UsageError(`"${bridge}" is no address; give one such as ${defaultBridge}`);
  try {
    const response = await fetch(new URL('/servers', bridge));
    return z.array(bridgedServer).parse(await response.json());
  } catch (cause) {
    throw new CommandError(
      `the file has local servers, and nothing serves them at ${bridge}; in another terminal, run: serve ${file}`,
      { cause },
    );
  }
}

function throwIfNameAtOtherAddress(name: string, url: string, known: ReadonlyMap<string, ServerRecord>): void {
  const there = known.get(name);
  if (there === undefined || there.url === url) return;
  throw new CommandError(
    `a server ${name} is registered with another address (${there.url ?? 'only described'}); nothing was added. Remove it first, or give this one another name`,
  );
}
