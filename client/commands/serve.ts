import { z } from 'zod';
import type { Command } from '../command-line/command.ts';
import { makeSchemaNumberParser, optionalOption } from '../command-line/options.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';
import { CommandError } from '../../engine/usage-error.ts';
import { startStdioToHttpBridge, type Bridge } from '../serve/bridge.ts';
import { defaultBridgePort } from '../serve/default-port.ts';
import { readServerFile, type HttpEntry, type StdioEntry } from '../serve/server-file.ts';
import { countListedToolsOrFailure } from '../serve/try-server.ts';

const file = { name: 'file', about: 'a file with `mcpServers`, as MCP clients have it' };

const port = optionalOption(
  'port',
  'PORT',
  `where the servers are (${defaultBridgePort} without it)`,
  makeSchemaNumberParser(z.int().min(1).max(65_535)),
);
const defaultProcesses = 32;
const processes = optionalOption(
  'processes',
  'N',
  `how many processes a server may have at once (${defaultProcesses} without it)`,
  makeSchemaNumberParser(z.int().min(1).max(1000)),
);

const serveCommand: Command = {
  verb: 'serve',
  about: "Serve a file's local MCP servers over HTTP, until it is interrupted",
  more: 'Each session has a process of its own, which runs in the folder of the file as you, with your files. Standard error of the servers is shown. Register them from another terminal: servers add <file> --domain DOMAIN',
  operands: [file],
  options: [port, processes],
  open: true,
  async run(given, { output, signal }) {
    const entries = readServerFile(given.firstOperandWordOrThrow(file), process.env);
    const local = entries.filter((entry): entry is StdioEntry => entry.kind === 'stdio');
    const remote = entries.filter((entry): entry is HttpEntry => entry.kind === 'http');
    for (const { name, url } of remote)
      output.writeAsJsonOrLines({ server: name, url, served: false }, () => [
        `${name}: has an address already, ${makePrintableLine(url)}`,
      ]);
    if (local.length === 0) throw new CommandError('no server of the file needs to be served: all have an address');
    const bridge = await startBridgeOrThrowIfPortTaken({
      entries: local,
      port: given.parseOptionValue(port) ?? defaultBridgePort,
      mostProcesses: given.parseOptionValue(processes) ?? defaultProcesses,
      log: (server, line) => output.writeNote(`[${server}] ${makePrintableLine(line)}`),
    });
    try {
      const looks = await Promise.all(
        bridge.servers.map(async ({ name, url }) => {
          const look = await countListedToolsOrFailure(url, signal);
          const text =
            look.kind === 'lists'
              ? countWithNoun(look.tools, 'tool')
              : `cannot be used: ${makePrintableLine(look.why)}`;
          output.writeAsJsonOrLines({ server: name, url, served: true, ...look }, () => [`${name}: ${url} (${text})`]);
          return look;
        }),
      );
      if (signal.aborted) return;
      if (looks.every(({ kind }) => kind === 'fails')) throw new CommandError('none of the servers can be used');
      output.writeNote(`served at ${bridge.url}; end it with Ctrl-C`);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    } finally {
      await bridge.close();
    }
  },
};

async function startBridgeOrThrowIfPortTaken(options: Parameters<typeof startStdioToHttpBridge>[0]): Promise<Bridge> {
  try {
    return await startStdioToHttpBridge(options);
  } catch (cause) {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
    if (!isTaken) throw cause;
    throw new CommandError(`port ${options.port} is taken; give another with --port`, { cause });
  }
}

/** Verbs on servers of this machine. */
export const bridgeCommands: readonly Command[] = [serveCommand];
