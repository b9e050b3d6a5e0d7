import { parseArgs } from 'node:util';
import { startGateway } from './gateway/gateway.ts';
import { readServerSpecsFromFile } from './gateway/server-file.ts';
import { startModelsEndpoint } from './models/endpoint.ts';

const { values } = parseArgs({
  options: {
    'gateway-port': { type: 'string', default: '8970' },
    'models-port': { type: 'string', default: '8971' },
    servers: { type: 'string' },
    'no-servers': { type: 'boolean', default: false },
    'watch-stdin': { type: 'boolean', default: false },
  },
});

const parsePort = (name: string, text: string): number => {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`--${name} wants a port, not ${text}`);
  return port;
};

let stopping = false;
const servers = values['no-servers']
  ? []
  : values.servers === undefined
    ? undefined
    : readServerSpecsFromFile(values.servers);
const gateway = await startGateway({
  port: parsePort('gateway-port', values['gateway-port']),
  ...(servers === undefined ? {} : { servers }),
});
const models = await startModelsEndpoint({
  port: parsePort('models-port', values['models-port']),
  // The cards describe the bundled servers; a user's server may have the name of one.
  ...(servers === undefined ? {} : { cards: new Map() }),
}).catch(async (error: unknown) => {
  await gateway.close();
  throw error;
});
void gateway.warm.then((failed) => {
  for (const name of stopping ? [] : failed) console.error(`the MCP server ${name} did not start`);
});

const stopEverythingAndExit = async (): Promise<void> => {
  if (stopping) return;
  stopping = true;
  await Promise.all([gateway.close(), models.close()]);
  process.exit(0);
};
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stopEverythingAndExit());
if (values['watch-stdin']) {
  process.stdin.on('end', () => void stopEverythingAndExit());
  process.stdin.on('error', () => void stopEverythingAndExit());
  process.stdin.resume();
}

console.log(JSON.stringify({ gateway: gateway.url, models: models.url, servers: gateway.servers }));
