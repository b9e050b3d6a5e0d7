import { makePrintableLine } from '../command-line/text.ts';
import type { NewServer } from '../resources/servers.ts';
import { startStdioToHttpBridge, type BridgeOptions } from '../serve/bridge.ts';
import { addAddressToEachServer, type ServerEntry, type StdioEntry } from '../serve/server-file.ts';

/** The servers that are checked, until they are closed. */
export interface ServersToCheck extends AsyncDisposable {
  readonly servers: readonly Pick<NewServer, 'name' | 'domain' | 'url' | 'headers'>[];
}

/** Servers that say no domain get this one. */
const defaultDomain = 'general';
/** How many processes a local server may have: more than the attempts that an exploration makes at once. */
const mostProcesses = 32;
/** Lines of the servers' standard error that are shown, at most. */
const mostNoted = 100;

/** Returns servers as a Sextant can register them; the local ones are served until the result is disposed. */
export async function serveLocalServers(
  entries: readonly ServerEntry[],
  note: (line: string) => void,
): Promise<ServersToCheck> {
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
    servers: placed.map((server) => ({ ...server, domain: server.domain ?? defaultDomain })),
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
