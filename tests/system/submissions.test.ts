import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStubModels, type StubModels } from '../../bench/stubs/stub-models.ts';
import { startStubServers, type StubServers } from '../../bench/stubs/stub-mcp-server.ts';
import { createClient, type Client } from '../../client/client.ts';
import { ApiError } from '../../client/http/errors.ts';
import type { RankedEntry } from '#core/leaderboards/record.ts';
import { findFirstBrokenLogLine } from '#core/leaderboards/log-lines.ts';
import { logLine } from '#core/leaderboards/record.ts';
import { traceFileLine, type TraceHeader, type TraceLine } from '#core/leaderboards/submissions/trace-file.ts';
import type { SubmissionRecord } from '#core/leaderboards/submissions/record.ts';
import { startDevServer, type DevServer } from '../support/dev-server.ts';
import { pause } from '../support/followed-run.ts';
import { stubBenchmark } from '../support/stub-benchmark.ts';
import type { SubmissionTier } from '#core/leaderboards/submissions/state.ts';
import { fileText, scoredAnew, sealedFile } from '../support/trace-file.ts';

/** Two hundred submissions at once, by three submitters: files of traces, some of them broken, and agents that we run. */
const wanted = 200;
const submitters = 3;
const units = 6;
/** Every so many-th submission breaks a rule; every so many-th is an agent that we run. */
const brokenEvery = 10;
const serviceEvery = 25;
/** Two hundred take one to two minutes. */
const settlesWithinMs = 8 * 60_000;

const ports = { port: 17_987, gatewayPort: 18_080, modelsPort: 18_081 };
const folder = mkdtempSync(join(tmpdir(), 'sextant-submissions-'));
type Bare = Omit<TraceLine, 'sha256'>;
let servers: StubServers;
let models: StubModels;
let server: DevServer;
let client: Client;
let keys: readonly string[] = [];
let header: TraceHeader;
let attempts: readonly Bare[] = [];
let chains: ReadonlyMap<string, readonly string[]>;
let benchmark: string;

beforeAll(async () => {
  servers = await startStubServers({ servers: 4, toolsPerServer: 6, sessions: false });
  models = await startStubModels();
  server = await startDevServer(folder, ports);
  client = createClient({ url: server.url, key: server.key });
  benchmark = await stubBenchmark(client, servers, { servers: 4, units, calls: 3 });
  await prepareTraces();
});

afterAll(async () => {
  await server.kill();
  await Promise.all([servers.close(), models.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const endpoint = () => ({ baseUrl: models.url, apiKey: '' });
const agentModel = () => ({ model: 'agent', endpoint: endpoint() });
const judges = () => ({ judge: { ...endpoint(), model: 'judge' }, embedder: { ...endpoint(), model: 'embedder' } });

/** The attempts of one agent, from which the files are made. */
async function prepareTraces(): Promise<void> {
  const made = await client.evaluations.create({
    benchmark,
    agents: [{ name: 'first', ...agentModel() }],
    ...judges(),
    judges: false,
  });
  await client.evaluations.wait(made.id);
  const lines = [];
  for await (const text of client.evaluations.traces(made.id, 'first')) lines.push(text);
  const parsed = lines
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => traceFileLine.parse(JSON.parse(line)));
  const [first] = parsed;
  if (first?.type !== 'traces') throw new Error('a file of traces begins with a header');
  header = first;
  attempts = parsed.flatMap((line) => {
    if (line.type !== 'attempt') return [];
    const { sha256: _, ...bare } = line;
    return [bare];
  });
  const known = new Map<string, readonly string[]>();
  for await (const { id, chain } of client.benchmarks.publicUnits(benchmark)) known.set(id, chain);
  chains = known;
}

/** What submitter `by` has made as number `n`: an agent that stops a call too early in `n` of the units. */
function fileOf(by: number, n: number, broken: boolean): Promise<string> {
  const ids = [...chains.keys()].toSorted();
  const own = attempts.map((attempt): Bare => {
    const early = ids.indexOf(attempt.unit) < n % units;
    const steps = (early ? attempt.trace.steps.slice(0, -1) : attempt.trace.steps).map((step) => ({
      ...step,
      // What agents did is not the same, or they were copies of each other.
      arguments: { ...step.arguments, text: `alpha of lab ${by}, agent ${n}` },
    }));
    const trace = { ...attempt.trace, steps, turns: attempt.trace.turns - (early ? 1 : 0) };
    return scoredAnew({ ...attempt, trace }, chains.get(attempt.unit));
  });
  return sealedFile(header, broken ? own.slice(2) : own).then(fileText);
}

/** Sends all of them at once; each until it is taken, with a key of its own, as a client does that the server is lost to. */
async function sendAll(leaderboard: string, more: () => Promise<void>): Promise<SubmissionRecord[]> {
  // Made before: this process also is the model that some of the agents ask.
  const files = await Promise.all(
    Array.from({ length: wanted }, (_, n) => fileOf(n % submitters, n, n % brokenEvery === 0)),
  );
  const sent = files.map(async (file, n) => {
    // Agents that we run all do the same here: of several submitters, or under several names, they would be copies of each other.
    const isService = n % serviceEvery === 1;
    const own = createClient({ url: server.url, key: keys[isService ? 0 : n % submitters] ?? '', retries: 60 });
    const name = isService ? 'the agent that we run' : `agent ${n}`;
    const key = `${leaderboard}-${n}`;
    const record = await untilTaken(() =>
      isService
        ? own.submissions.create({ leaderboard, name, tier: 'service', agent: agentModel() }, key)
        : own.submissions.upload(new Blob([file]), { leaderboard, name }, key),
    );
    return settledInTime(own, record.id);
  });
  await more();
  return Promise.all(sent);
}

/** Waits for a submission, and says where it stands when it takes too long. */
async function settledInTime(own: Client, id: string): Promise<SubmissionRecord> {
  try {
    return await own.submissions.wait(id, { signal: AbortSignal.timeout(settlesWithinMs) });
  } catch (error) {
    const { name, tier, state, history, progress } = await own.submissions.get(id);
    const standing = JSON.stringify({ history, progress });
    throw new Error(`${id} (${name}, ${tier}) is still ${state}: ${standing}`, { cause: error });
  }
}

/** Sends again what was refused for a reason that may pass: a machine that is so busy may find no time to ask a model's endpoint. */
async function untilTaken(send: () => Promise<SubmissionRecord>): Promise<SubmissionRecord> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiError) || !error.retryable) throw error;
      await pause(1_000);
    }
  }
}

async function entriesOf(leaderboard: string, tier: SubmissionTier): Promise<RankedEntry[]> {
  const found: RankedEntry[] = [];
  for await (const each of client.leaderboards.entries(leaderboard, { tier })) found.push(each);
  return found;
}

/** The positions and ranks of one tier are those of a recount. */
function isRankedLikeRecount(entries: readonly RankedEntry[]): void {
  expect(entries.map(({ position }) => position)).toEqual(entries.map((_, at) => at + 1));
  const recount = entries
    .map(({ entry }) => ({ id: entry.id, score: entry.scores.success?.mean ?? -1 }))
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  expect(entries.map(({ entry }) => entry.id)).toEqual(recount.map(({ id }) => id));
  for (const [at, { rank, position }] of entries.entries()) {
    expect(rank).toBeLessThanOrEqual(position);
    expect(rank === position || rank === entries[at - 1]?.rank).toBe(true);
  }
}

/** All that has to hold once two hundred are settled. */
async function isWhole(leaderboard: string, settled: readonly SubmissionRecord[]): Promise<void> {
  const rejected = settled.filter(({ state }) => state === 'rejected');
  const published = settled.filter(({ state }) => state === 'published');
  const reasons = settled.filter(({ state }) => state !== 'published').map(({ name, reason }) => `${name}: ${reason}`);
  expect(new Set(settled.map(({ id }) => id)).size).toBe(wanted);
  expect(rejected.length + published.length, reasons.join('\n')).toBe(wanted);
  const brokenOnes = Array.from({ length: wanted }, (_, n) => n).filter(
    (n) => n % brokenEvery === 0 && n % serviceEvery !== 1,
  );
  expect(rejected.map(({ name }) => name).toSorted()).toEqual(brokenOnes.map((n) => `agent ${n}`).toSorted());
  for (const { findings } of rejected) expect(findings.map(({ kind }) => kind)).toContain('missing-unit');

  const [served, uploaded] = await Promise.all([
    entriesOf(leaderboard, 'service'),
    entriesOf(leaderboard, 'self-reported'),
  ]);
  expect(served).toHaveLength(wanted / serviceEvery);
  expect([...served, ...uploaded].map(({ entry }) => entry.id).toSorted()).toEqual(
    published.map(({ id }) => id).toSorted(),
  );
  for (const entries of [served, uploaded]) isRankedLikeRecount(entries);
  expect(new Set(uploaded.map(({ rank }) => rank)).size).toBeGreaterThan(1);

  const log = [];
  for await (const text of client.leaderboards.log(leaderboard)) log.push(text);
  const lines = log
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => logLine.parse(JSON.parse(line)));
  expect(await findFirstBrokenLogLine(lines)).toBeNull();
  expect(lines.flatMap(({ kind, entry }) => (kind === 'published' ? [entry] : [])).toSorted()).toEqual(
    published.map(({ id }) => id).toSorted(),
  );
}

async function openBoard(): Promise<string> {
  const { id } = await client.leaderboards.create({ benchmark, name: 'killed in the middle', trials: 1, ...judges() });
  // Several workspaces send them, because one may make only 100 submissions a day.
  keys = await Promise.all(
    Array.from({ length: submitters }, async (_, n) => {
      const { secret } = await client.keys.create(`submitter ${n}`, ['read', 'submit'], `lab-${n}`);
      return secret;
    }),
  );
  return id;
}

test('two hundred simultaneous submissions are all published or rejected once, with the ranks of a recount, although the server is killed twice', async () => {
  const leaderboard = await openBoard();
  const settled = await sendAll(leaderboard, async () => {
    // Some are taken by now, some are on their way.
    await pause(2_500);
    await server.kill();
    server = await startDevServer(folder, ports);
    await untilPublished(leaderboard, wanted / 2);
    await server.kill();
    server = await startDevServer(folder, ports);
  });
  await isWhole(leaderboard, settled);
});

async function untilPublished(leaderboard: string, count: number): Promise<void> {
  const published = async (): Promise<number> =>
    Object.values((await client.leaderboards.get(leaderboard)).entries).reduce((sum, each) => sum + each, 0);
  while ((await published()) < count) await pause(200);
}
