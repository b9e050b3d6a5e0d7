import { serverName } from '#core/catalog/tool.ts';
import { makePrintableLine } from '../command-line/text.ts';
import { UsageError } from '../../engine/usage-error.ts';
import type { NewServer } from '../resources/servers.ts';
import { startStdioToHttpBridge, type BridgeOptions } from '../serve/bridge.ts';
import { makeSlug, addAddressToEachServer, readServerFile, type StdioEntry } from '../serve/server-file.ts';

/** The servers that are checked, until they are closed. */
export interface ServersToCheck extends AsyncDisposable {
  readonly servers: readonly Pick<NewServer, 'name' | 'domain' | 'url' | 'headers'>[];
}

/** Servers that say no domain get this one. */
const domain = 'general';
/** How many processes a local server may have: more than the attempts that an exploration makes at once. */
const mostProcesses = 32;
/** Lines of the servers' standard error that are shown, at most. */
const mostNoted = 100;

/** Returns the servers of a file, of which the local ones are served until the result is disposed, or the one at an address. */
export async function openServersOfFileOrAddress(what: string, note: (line: string) => void): Promise<ServersToCheck> {
  if (/^https?:/i.test(what))
    return {
      servers: [{ name: serverNameFromHostOrThrow(what), domain, url: what }],
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  const entries = readServerFile(what, process.env);
  const bridge = await startStdioToHttpBridge({
    entries: entries.filter((entry): entry is StdioEntry => entry.kind === 'stdio'),
    port: 0,
    mostProcesses,
    log: makeLogOfFirstDistinctLines(note),
  });
  const placed = addAddressToEachServer(entries, (name) => {
    const served = bridge.servers.find((each) => each.name === name);
    if (served === undefined) throw new Error(`the bridge does not serve ${name}`);
    return served.url;
  });
  return {
    servers: placed.map((server) => ({ ...server, domain: server.domain ?? domain })),
    [Symbol.asyncDispose]: () => bridge.close(),
  };
}

/** Each session starts a process, and all of them say the same. */
function makeLogOfFirstDistinctLines(note: (line: string) => void): BridgeOptions['log'] {
  const noted = new Set<string>();
  return (server, line) => {
    const text = `[${server}] ${makePrintableLine(line)}`;
    if (noted.size >= mostNoted || noted.has(text)) return;
    noted.add(text);
    note(text);
  };
}

/** Returns a name for the server at an address: its host, such as `mcp-example-com`. */
function serverNameFromHostOrThrow(address: string): string {
  const host = URL.parse(address)?.hostname;
  const name = serverName.safeParse(makeSlug(host ?? '').slice(0, 40));
  if (!name.success)
    throw new UsageError(`"${address}" is no address of a server; give one such as https://example.com/mcp`);
  return name.data;
}
