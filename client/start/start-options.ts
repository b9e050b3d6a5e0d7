import { resolve } from 'node:path';
import type { Command, Given } from '../command-line/command.ts';
import { programOrVerbHelpText } from '../command-line/help.ts';
import { optionalOption, parseNonEmptyText, type ValueParser } from '../command-line/options.ts';
import { parseLineToVerbOrHelp } from '../command-line/parse-line.ts';
import { UsageError } from '../../engine/usage-error.ts';
import { readServerSpecsFromFile } from '../../offline/gateway/server-file.ts';
import { defaultFolder, isPackage, startCommandWithOptions } from '../../engine/installation.ts';
import { usualPorts } from '../../engine/usual-ports.ts';

const parsePort: ValueParser<number> = (text) => {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new UsageError('give a port, from 1 to 65535');
  return port;
};

/** The path of an `mcpServers` file, which is read once so that an invalid one is refused before anything starts. */
export const checkServerFileAndKeepPath: ValueParser<string> = (path) => {
  readServerSpecsFromFile(path);
  return path;
};

const options = {
  port: optionalOption('port', 'PORT', `where the API is (${usualPorts.port} without it)`, parsePort),
  gatewayPort: optionalOption(
    'gateway-port',
    'PORT',
    `where the MCP servers are (${usualPorts.gatewayPort} without it)`,
    parsePort,
  ),
  modelsPort: optionalOption(
    'models-port',
    'PORT',
    `where the offline models are (${usualPorts.modelsPort} without it)`,
    parsePort,
  ),
  folder: optionalOption(
    'folder',
    'FOLDER',
    `where everything is kept, keys too (${defaultFolder} without it)`,
    (path) => resolve(parseNonEmptyText(path)),
  ),
  servers: optionalOption(
    'servers',
    'FILE',
    isPackage
      ? 'an `mcpServers` file with servers to run beside it, in copies of their folders'
      : 'an `mcpServers` file with the servers to run instead of the bundled ones',
    checkServerFileAndKeepPath,
  ),
};

/** The verb and its options; `run` is what it does. */
export const makeStartCommand = (run: Command['run']): Command => ({
  verb: 'start',
  about: `Start Sextant on this machine: the Worker, ${isPackage ? '' : 'the MCP servers, '}and the offline models where .dev.vars names no model`,
  more: `Such as: ${startCommandWithOptions} --servers servers.json`,
  operands: [],
  options: Object.values(options),
  open: true,
  run,
});

/** What to start, and where. */
export interface StartOptions {
  readonly port: number;
  readonly gatewayPort: number;
  readonly modelsPort: number;
  readonly folder: string;
  /** Null to run none: there are none in a package. */
  readonly servers: string | null | undefined;
}

/** Returns what the line says, with defaults. Throws a UsageError if two of the ports are one. */
export function readStartOptions(given: Given): StartOptions {
  const ports = {
    port: given.parseOptionValue(options.port) ?? usualPorts.port,
    gatewayPort: given.parseOptionValue(options.gatewayPort) ?? usualPorts.gatewayPort,
    modelsPort: given.parseOptionValue(options.modelsPort) ?? usualPorts.modelsPort,
  };
  requireDifferentPorts([
    [options.port.name, ports.port],
    [options.gatewayPort.name, ports.gatewayPort],
    [options.modelsPort.name, ports.modelsPort],
  ]);
  return {
    ...ports,
    folder: given.parseOptionValue(options.folder) ?? defaultFolder,
    servers: given.parseOptionValue(options.servers) ?? (isPackage ? null : undefined),
  };
}

function requireDifferentPorts(ports: readonly (readonly [option: string, port: number])[]): void {
  for (const [option, port] of ports) {
    const alike = ports.flatMap(([other, taken]) => (taken === port ? [`--${other}`] : []));
    if (alike.length > 1 && alike[0] === `--${option}`)
      throw new UsageError(`${alike.join(' and ')} are ${port}: give each a port of its own`);
  }
}

/** Reads the words after `npm start --`: options, or a request for help. Throws a UsageError for invalid ones. */
export function parseStartOptionsOrHelp(argv: readonly string[]): StartOptions | { readonly help: string } {
  const command = makeStartCommand(() => Promise.resolve());
  const program = { commands: [command], common: [] };
  const request = parseLineToVerbOrHelp(['start', ...argv], program);
  if (request.kind === 'help') return { help: programOrVerbHelpText('npm', '', program, [command]) };
  return readStartOptions(request.given);
}
