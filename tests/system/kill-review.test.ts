import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { doubtfulCritic } from '../../bench/stubs/stub-answers.ts';
import { startStubModels, type StubModels } from '../../bench/stubs/stub-models.ts';
import { startStubServers, type StubServers } from '../../bench/stubs/stub-mcp-server.ts';
import { createClient } from '../../client/client.ts';
import { startDevServer, type DevServer } from '../support/dev-server.ts';
import { followed, pause } from '../support/followed-run.ts';
import { PaidWork } from '../support/paid-work.ts';
import { stubServerIds } from '../support/stub-benchmark.ts';

const ports = { port: 17_897, gatewayPort: 17_990, modelsPort: 17_991 };
const folder = mkdtempSync(join(tmpdir(), 'sextant-review-'));
const paid = new PaidWork();
const batch = 4;
let servers: StubServers;
let models: StubModels;
let server: DevServer;

beforeAll(async () => {
  servers = await startStubServers({ servers: 2, toolsPerServer: 4 });
  models = await startStubModels({ delayMs: 250, onRequest: paid.note });
});

afterAll(async () => {
  await server.kill();
  await Promise.all([servers.close(), models.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const client = () => createClient({ url: server.url, key: server.key });

async function restart(): Promise<void> {
  await server.kill();
  server = await startDevServer(folder, ports);
}

test('an open review survives a restart, and the approved unit is executed and counted once', async () => {
  server = await startDevServer(folder, ports);
  const catalog = await client().catalogs.create(await stubServerIds(client(), servers, 2));
  const model = { baseUrl: models.url, model: 'stub' };
  const { id: run } = await client().explorations.create({
    catalog: catalog.id,
    strategy: 'hierarchical',
    batch,
    budget: { rounds: 1 },
    models: { writer: model, critic: { ...model, model: doubtfulCritic }, agent: model },
  });
  await followed(client().explorations.events(run)).ended;
  expect(await client().explorations.get(run)).toMatchObject({ units: { accepted: 0, review: batch } });

  await restart();
  const open = await Array.fromAsync(client().explorations.units(run, { status: 'review', probe: false }));
  expect(open).toHaveLength(batch);
  const before = new Set(paid.of('turn'));
  for (const { id } of open) await client().reviews.approve(run, id);
  // In the middle of what the approvals have set off.
  await pause(600);
  const atMs = Date.now();
  await restart();
  const killed = [{ atMs, backMs: Date.now() }];
  await expect
    .poll(async () => (await client().explorations.get(run)).units, { timeout: 60_000, interval: 250 })
    .toMatchObject({ accepted: batch, review: 0, rejected: 0, dropped: 0 });

  // Nothing comes after it that would count a unit again.
  await restart();
  await pause(2_000);
  expect((await client().explorations.get(run)).units).toMatchObject({ accepted: batch, review: 0 });
  const { byKill, ...others } = paid.repeats(killed);
  expect(others).toEqual({ bySuccessor: [], byNothing: [] });
  expect(byKill.length).toBeLessThanOrEqual(batch);
  expect(paid.of('turn').filter((piece) => !before.has(piece))).toHaveLength(2 * batch);
  expect(await server.stop()).toBe(0);
});
