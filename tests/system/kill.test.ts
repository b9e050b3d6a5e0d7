import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStubModels, type StubModels } from '../../bench/stubs/stub-models.ts';
import { startStubServers, type StubServers } from '../../bench/stubs/stub-mcp-server.ts';
import { createClient } from '../../client/client.ts';
import type { RunEvent } from '#core/reports/events.ts';
import { transitionsOfSuccessfulCalls } from '#core/traces/transitions.ts';
import { startDevServer, type DevServer } from '../support/dev-server.ts';
import { followed } from '../support/followed-run.ts';
import { killAtRandom } from '../support/kills.ts';
import { PaidWork } from '../support/paid-work.ts';
import { stubServerIds } from '../support/stub-benchmark.ts';

const kills = 10;
const rounds = 14;
const batch = 6;
const ports = { port: 17_787, gatewayPort: 17_970, modelsPort: 17_971 };
const folder = mkdtempSync(join(tmpdir(), 'sextant-kill-'));
const paid = new PaidWork();
let servers: StubServers;
let models: StubModels;
let server: DevServer;

beforeAll(async () => {
  servers = await startStubServers({ servers: 4, toolsPerServer: 6 });
  models = await startStubModels({ delayMs: 120, onRequest: paid.note });
});

afterAll(async () => {
  await server.kill();
  await Promise.all([servers.close(), models.close()]);
  rmSync(folder, { recursive: true, force: true });
});

test(`a run that is killed ${kills} times continues, and nothing is lost, counted twice or paid for twice`, async () => {
  server = await startDevServer(folder, ports);
  const client = createClient({ url: server.url, key: server.key });
  const run = await startRun(client);
  const following = followed(client.explorations.events(run));
  const killed = await killAtRandom(following, { count: kills, restart });
  await following.ended;

  const end = await client.explorations.get(run);
  expect(end).toMatchObject({ status: 'completed', rounds, units: { accepted: rounds * batch, probes: rounds } });
  await unitsAreWhole(client, run);
  await transitionsEqualARecount(client, run);
  eventsAreWhole(following.seen);
  // A stage's seed is its own, so a seed that came twice is a stage that ran twice.
  const { byKill, ...others } = paid.repeats(killed);
  expect(others).toEqual({ bySuccessor: [], byNothing: [] });
  expect(byKill.length).toBeLessThanOrEqual(kills * (batch + 1));
  expect(await server.stop()).toBe(0);
});

async function restart(): Promise<void> {
  await server.kill();
  server = await startDevServer(folder, ports);
}

async function startRun(client: ReturnType<typeof createClient>): Promise<string> {
  const catalog = await client.catalogs.create(await stubServerIds(client, servers, 4));
  const model = { baseUrl: models.url, model: 'stub' };
  const run = await client.explorations.create({
    catalog: catalog.id,
    strategy: 'hierarchical',
    batch,
    budget: { rounds },
    models: { writer: model, critic: model, agent: model },
  });
  return run.id;
}

async function unitsAreWhole(client: ReturnType<typeof createClient>, run: string): Promise<void> {
  const units = await Array.fromAsync(client.explorations.units(run));
  expect(units).toHaveLength(rounds * (batch + 1));
  expect(new Set(units.map(({ id }) => id)).size).toBe(units.length);
  for (let round = 1; round <= rounds; round += 1) {
    expect(units.filter((unit) => unit.round === round && unit.status === 'accepted')).toHaveLength(batch + 1);
  }
}

async function transitionsEqualARecount(client: ReturnType<typeof createClient>, run: string): Promise<void> {
  const recount = new Map<string, number>();
  for await (const summary of client.explorations.units(run, { probe: false })) {
    const { unit } = await client.explorations.unit(run, summary.id);
    const traces = [unit.executions.source, unit.executions.followUp];
    const pairs = traces.flatMap((trace) => transitionsOfSuccessfulCalls(trace?.calls ?? []));
    for (const pair of new Set(pairs.map((each) => each.join(' -> ')))) recount.set(pair, (recount.get(pair) ?? 0) + 1);
  }
  const counted = await Array.fromAsync(client.explorations.transitions(run));
  expect(new Map(counted.map(({ from, to, executed }) => [`${from} -> ${to}`, executed]))).toEqual(recount);
}

function eventsAreWhole(seen: readonly RunEvent[]): void {
  expect(seen.map(({ id }) => id)).toEqual(seen.map((_, index) => index + 1));
  const ended = seen.flatMap(({ event }) => (event.type === 'unit.ended' ? [event.unit] : []));
  expect(ended).toHaveLength(rounds * (batch + 1));
  expect(new Set(ended).size).toBe(ended.length);
  const committed = seen.flatMap(({ event }) => (event.type === 'round.committed' ? [event.round] : []));
  expect(committed).toEqual(Array.from({ length: rounds }, (_, index) => index + 1));
}
