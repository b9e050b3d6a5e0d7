import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStubModels, type AskedOfStub, type StubModels } from '../../bench/stub-models.ts';
import { startStubServers, type StubServers } from '../../bench/stub-mcp-server.ts';
import { createClient } from '../../client/client.ts';
import type { RunEvent } from '#core/events.ts';
import { consecutivePairs, successful } from '#core/traces/transitions.ts';
import { startDevServer, type DevServer } from '../support/dev-server.ts';

const kills = 10;
const rounds = 14;
const batch = 6;
const ports = { port: 17_787, gatewayPort: 17_970, modelsPort: 17_971 };
/** How far before a kill the work of a stage can have begun that the kill cut off: a stage and its commit. */
const stageMs = 4_000;
/** How late a request that was sent before a kill can be read here. A restart takes longer. */
const lateMs = 500;

interface Begun {
  readonly atMs: number;
  readonly seed: number;
}

const folder = mkdtempSync(join(tmpdir(), 'sextant-kill-'));
const begun: Begun[] = [];
let servers: StubServers;
let models: StubModels;
let server: DevServer;

beforeAll(async () => {
  servers = await startStubServers({ servers: 4, toolsPerServer: 6 });
  models = await startStubModels({ delayMs: 120, onRequest: noteBeginning });
});

afterAll(async () => {
  await server.kill();
  await Promise.all([servers.close(), models.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** A stage begins with its first request; later turns of an agent carry what its tools said. */
function noteBeginning({ seed, messages }: AskedOfStub): void {
  if (!messages.some(({ role }) => role === 'tool')) begun.push({ atMs: Date.now(), seed });
}

test(`a run that is killed ${kills} times goes on, and nothing is lost, counted twice or paid twice`, async () => {
  server = await startDevServer(folder, ports);
  const client = createClient({ url: server.url, key: server.key });
  const run = await startRun(client);

  const seen: RunEvent[] = [];
  const following = follow(client, run, seen);
  const killedAtMs: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    await progressed(seen, 4);
    await pause(200 + Math.random() * 1_500);
    if (seen.some(({ event }) => event.type === 'run.ended')) break;
    await server.kill();
    killedAtMs.push(Date.now());
    server = await startDevServer(folder, ports);
  }
  expect(killedAtMs).toHaveLength(kills);
  await following;

  const end = await client.explorations.get(run);
  expect(end).toMatchObject({ status: 'completed', rounds, units: { accepted: rounds * batch, probes: rounds } });
  await unitsAreWhole(client, run);
  await transitionsEqualARecount(client, run);
  eventsAreWhole(seen);
  repeatsWereInFlight(killedAtMs);
  expect(await server.stop()).toBe(0);
});

async function startRun(client: ReturnType<typeof createClient>): Promise<string> {
  const ids: string[] = [];
  for (let n = 0; n < 4; n += 1) {
    ids.push((await client.servers.add({ name: `s${n}`, domain: `d${n % 2}`, url: servers.urlOf(n) })).id);
  }
  const catalog = await client.catalogs.create(ids);
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

async function follow(client: ReturnType<typeof createClient>, run: string, seen: RunEvent[]): Promise<void> {
  for await (const event of client.explorations.events(run)) seen.push(event);
}

/** Waits for more events, so that each kill hits a run that was going. */
async function progressed(seen: readonly RunEvent[], more: number): Promise<void> {
  const before = seen.length;
  const deadline = Date.now() + 60_000;
  while (seen.length < before + more && !seen.some(({ event }) => event.type === 'run.ended')) {
    if (Date.now() > deadline) throw new Error(`nothing happened for a minute after event ${seen.at(-1)?.id ?? 0}`);
    await pause(50);
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

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
    const pairs = traces.flatMap((trace) => consecutivePairs(successful(trace?.calls ?? [])));
    for (const pair of new Set(pairs.map((each) => each.join(' -> ')))) recount.set(pair, (recount.get(pair) ?? 0) + 1);
  }
  const counted = await Array.fromAsync(client.explorations.transitions(run));
  expect(new Map(counted.map(({ from, to, executed }) => [`${from} -> ${to}`, executed]))).toEqual(recount);
}

function eventsAreWhole(seen: readonly RunEvent[]): void {
  expect(seen.map(({ id }) => id)).toEqual(seen.map((_, place) => place + 1));
  const ended = seen.flatMap(({ event }) => (event.type === 'unit.ended' ? [event.unit] : []));
  expect(ended).toHaveLength(rounds * (batch + 1));
  expect(new Set(ended).size).toBe(ended.length);
  const committed = seen.flatMap(({ event }) => (event.type === 'round.committed' ? [event.round] : []));
  expect(committed).toEqual(Array.from({ length: rounds }, (_, place) => place + 1));
}

/** A stage's seed is its own, so a seed that came twice is a stage that ran twice: it must have been cut off by a kill. */
function repeatsWereInFlight(killedAtMs: readonly number[]): void {
  const bySeed = Map.groupBy(begun, ({ seed }) => seed);
  const repeated = [...bySeed.values()].filter((beginnings) => beginnings.length > 1);
  for (const beginnings of repeated) {
    for (const [place, { atMs }] of beginnings.entries()) {
      const next = beginnings[place + 1];
      if (next === undefined) continue;
      const cutOff = killedAtMs.some(
        (killed) => atMs >= killed - stageMs && atMs <= killed + lateMs && next.atMs > killed + lateMs,
      );
      expect(
        cutOff,
        `a stage that began at ${atMs} began again at ${next.atMs}; kills at ${killedAtMs.join(', ')}`,
      ).toBe(true);
    }
  }
  expect(repeated.length).toBeLessThanOrEqual(kills * (batch + 1));
}
