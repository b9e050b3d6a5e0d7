import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStubModels, type StubModels } from '../../bench/stubs/stub-models.ts';
import { closeServer, startStubServers, type StubServers } from '../../bench/stubs/stub-mcp-server.ts';
import { createClient } from '../../client/client.ts';
import { findFreePortsByName } from '../../engine/free-ports.ts';
import { startDevServer, type DevServer } from '../support/dev-server.ts';
import { followed } from '../support/followed-run.ts';
import { stubBenchmark } from '../support/stub-benchmark.ts';

const units = 12;
const folder = mkdtempSync(join(tmpdir(), 'sextant-kill-worker-'));
let servers: StubServers;
let models: StubModels;
let server: DevServer;

beforeAll(async () => {
  servers = await startStubServers({ servers: 2, toolsPerServer: 6 });
  models = await startStubModels({ delayMs: 120 });
  server = await startDevServer(folder, await findFreePortsByName(['port', 'gatewayPort', 'modelsPort']));
});

afterAll(async () => {
  await server.kill();
  await Promise.all([servers.close(), models.close()]);
  rmSync(folder, { recursive: true, force: true });
});

test('a run continues by itself if only the Worker process dies', async () => {
  const client = createClient({ url: server.url, key: server.key });
  const { id } = await client.evaluations.create({
    benchmark: await stubBenchmark(client, servers, { servers: 2, units, calls: 3 }),
    agents: [{ name: 'agent', model: 'agent', endpoint: { baseUrl: models.url } }],
    judges: false,
    concurrency: 2,
  });
  const following = followed(client.evaluations.events(id));
  await following.progressed(4);
  server.killRuntime();
  await following.ended;

  const told = following.seen.map(({ event }) => event);
  expect(told.filter(({ type }) => type === 'attempt.ended')).toHaveLength(2 * units);
  expect(told).toContainEqual(expect.objectContaining({ type: 'run.driven', driver: 2 }));
  expect(told.at(-1)).toMatchObject({ type: 'run.ended', status: 'completed' });
  expect(server.printed().join('\n')).toContain('the Worker crashed and is back; 1 run that had not ended goes on');
});

test('the start ends with a message if the Worker cannot be started again', async () => {
  const taker = createServer((_, response) => response.end());
  server.killRuntime();
  await takePort(taker, Number(new URL(server.url).port));
  expect(await server.exit).toBe(1);
  await closeServer(taker);
  expect(server.printed().join('\n')).toMatch(/the Worker has not answered for \d+ s/);
});

/** Takes a port as soon as it is free. */
async function takePort(taker: Server, port: number): Promise<void> {
  for (;;) {
    taker.listen(port, '127.0.0.1');
    const taken = await Promise.race([
      once(taker, 'listening').then(() => true),
      once(taker, 'error').then(() => false),
    ]).catch(() => false);
    if (taken) return;
    await pause(1);
  }
}
