import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStubModels, type StubModels } from '../../bench/stubs/stub-models.ts';
import { startStubServers, type StubServers } from '../../bench/stubs/stub-mcp-server.ts';
import { createClient } from '../../client/client.ts';
import { findFreePortsByName } from '../../engine/free-ports.ts';
import { startDevServer, type DevServer } from '../support/dev-server.ts';
import { followed } from '../support/followed-run.ts';
import { stubBenchmark } from '../support/stub-benchmark.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-ended-'));
let servers: StubServers;
let models: StubModels;
let server: DevServer;

beforeAll(async () => {
  servers = await startStubServers({ servers: 2, toolsPerServer: 6 });
  models = await startStubModels({ delayMs: 1 });
  server = await startDevServer(folder, await findFreePortsByName(['port', 'gatewayPort', 'modelsPort']));
});

afterAll(async () => {
  await server.kill();
  await Promise.all([servers.close(), models.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** The databases of Workflow instances. */
const instances = (): string[] =>
  globSync(join(folder, '**/workflows/*/*.sqlite')).filter((file) => !file.endsWith('metadata.sqlite'));

test('nothing of the instances that drove a run stays once they have ended, and their runs stay', async () => {
  const client = createClient({ url: server.url, key: server.key });
  const { id } = await client.evaluations.create({
    benchmark: await stubBenchmark(client, servers, { servers: 2, units: 4, calls: 2 }),
    agents: [{ name: 'agent', model: 'agent', endpoint: { baseUrl: models.url } }],
    judges: false,
    concurrency: 2,
  });
  const following = followed(client.evaluations.events(id));
  await following.progressed(1);
  expect(instances().length).toBeGreaterThan(0);
  await following.ended;
  await expect.poll(instances, { timeout: 30_000 }).toEqual([]);
  expect(await client.evaluations.get(id)).toMatchObject({ status: 'completed' });
});
