import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startDevelopment } from './development.ts';
import { usualPorts } from './usual-ports.ts';

/** The default addresses and folders. */
const defaults = {
  port: `${usualPorts.port}`,
  'gateway-port': `${usualPorts.gatewayPort}`,
  'models-port': `${usualPorts.modelsPort}`,
  folder: join(import.meta.dirname, '../.sextant'),
};

const help = `Starts Sextant on this machine: the Worker, the MCP servers, and the offline models where .dev.vars names no model.

Usage: npm start -- [options]

  --port PORT          where the API is; ${defaults.port} without it
  --gateway-port PORT  where the MCP servers are; ${defaults['gateway-port']} without it
  --models-port PORT   where the offline models are; ${defaults['models-port']} without it
  --folder FOLDER      where everything is kept, keys too; ${defaults.folder} without it
  --help               this text`;

/** The options of `npm start`, which runs everything on this machine until Ctrl-C. Null if help is requested. */
function parseOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: defaults.port },
      'gateway-port': { type: 'string', default: defaults['gateway-port'] },
      'models-port': { type: 'string', default: defaults['models-port'] },
      folder: { type: 'string', default: defaults.folder },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  return {
    folder: values.folder,
    port: parsePort('port', values.port),
    gatewayPort: parsePort('gateway-port', values['gateway-port']),
    modelsPort: parsePort('models-port', values['models-port']),
  };
}

function parsePort(name: string, text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`--${name} wants a port, not "${text}"`);
  return port;
}

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === null) console.log(help);
  else await runUntilStopped(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Starts everything, and stops it when it is interrupted or a part of it ends. */
async function runUntilStopped(options: NonNullable<ReturnType<typeof parseOptions>>): Promise<void> {
  const development = await startDevelopment({
    ...options,
    signal: interrupted.signal,
    log: (line) => console.log(line),
  });
  console.log(`
Sextant   ${development.url}   (API description: ${development.url}/openapi.json)
key       ${development.key}
models    ${development.offline ? 'offline: rules that stand in for models; what they produce says nothing about models' : 'as set in .dev.vars'}
servers   ${development.servers.length} MCP servers at http://127.0.0.1:${options.gatewayPort}/<name>/mcp

Ctrl-C ends it. Runs that are under way go on at the next start.`);
  const asked = new Promise<null>((resolve) => {
    if (interrupted.signal.aborted) resolve(null);
    interrupted.signal.addEventListener('abort', () => resolve(null));
  });
  const how = await Promise.race([development.ended, asked]);
  await development.stop();
  if (how !== null) {
    console.error(how);
    process.exitCode = 1;
  }
}
