import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStubModels, type StubModels } from '../../bench/stubs/stub-models.ts';
import { startStubServers, type StubServers } from '../../bench/stubs/stub-mcp-server.ts';
import { createClient, type Client } from '../../client/client.ts';
import type { CaseDetail } from '#core/evaluation/record.ts';
import type { RunEvent } from '#core/reports/events.ts';
import { startDevServer, type DevServer } from '../support/dev-server.ts';
import { followed, pause } from '../support/followed-run.ts';
import { killAtRandom, type Kill } from '../support/kills.ts';
import { claimNext, respond, workOutside, type MadeAttempt } from '../support/outside-agent.ts';
import { PaidWork } from '../support/paid-work.ts';
import { stubBenchmark } from '../support/stub-benchmark.ts';

const kills = 5;
const units = 12;
const trials = 2;
const concurrency = 8;
const modelAgents = ['first', 'second'];
const outside = 'outside';
/** How many attempts are under way outside at once, and how slowly they go. */
const outsiders = 6;
const paceMs = 400;
const attempts = (modelAgents.length + 1) * units * trials * 2;
const sides = ['source', 'followUp'] as const;

const ports = { port: 17_887, gatewayPort: 17_980, modelsPort: 17_981 };
const folder = mkdtempSync(join(tmpdir(), 'sextant-kill-evaluation-'));
const paid = new PaidWork();
let servers: StubServers;
let models: StubModels;
let server: DevServer;
let client: Client;
let benchmark: string;

beforeAll(async () => {
  servers = await startStubServers({ servers: 4, toolsPerServer: 6, sessions: true });
  models = await startStubModels({ delayMs: 120, onRequest: paid.note, onEmbedding: paid.noteEmbedding });
  server = await startDevServer(folder, ports);
  client = createClient({ url: server.url, key: server.key });
  benchmark = await stubBenchmark(client, servers, { servers: 4, units, calls: 3 });
});

afterAll(async () => {
  await server.kill();
  await Promise.all([servers.close(), models.close()]);
  rmSync(folder, { recursive: true, force: true });
});

test(`an evaluation that is killed ${kills} times continues, and nothing is lost, counted twice or paid for twice`, async () => {
  const run = await startEvaluation();
  const following = followed(client.evaluations.events(run));
  const { url, key } = server;
  const midway = new Set<string>();
  const about = { url, key, evaluation: run, agent: outside, paceMs, midway };
  const working = Promise.all(Array.from({ length: outsiders }, () => workOutside(about)));
  const killed = await killAtRandom(following, {
    count: kills,
    ready: () => midway.size > 0,
    restart: () => restart(0),
  });
  const made = (await working).flat();
  await following.ended;

  const [record, cases] = await Promise.all([client.evaluations.get(run), wholeCases(run)]);
  const notEvaluated = brokenOf(cases);
  expect(record).toMatchObject({
    status: 'completed',
    reason: 'all attempts were made',
    progress: { attempts, made: attempts, notEvaluated, units, unitsDone: units },
  });
  expect(cases).toHaveLength(attempts / 2);
  expect(cases.filter(({ case: { stage } }) => stage.kind !== 'done')).toEqual([]);
  eventsAreWhole(following.seen, notEvaluated);
  usageIsWhatWasKept(record, cases);
  paidOnce(killed);
  attemptsFromOutsideWentOn(made, { events: following.seen, cases, killed });
});

test('a claim whose deadline passes while the server is down is back in the queue after the restart', async () => {
  const { id: evaluation } = await client.evaluations.create({
    benchmark,
    agents: [{ name: outside, loop: 'external', limits: { timeMs: 3_000 } }],
    sample: { units: 1 },
    judges: false,
  });
  const following = followed(client.evaluations.events(evaluation));
  const { url, key } = server;
  const about = { url, key, evaluation, agent: outside };
  const late = await claimNext(about);
  if (late.status !== 'claimed') throw new Error(`there was nothing to claim: ${late.status}`);
  await restart(Date.parse(late.attempt.deadline) - Date.now());
  await expect(respond(about, late.attempt.id)).rejects.toThrow('attempt-over');
  await workOutside({ ...about, paceMs: 0 });
  await following.ended;

  const told = following.seen.map(({ event }) => event);
  const [first, second] = told.filter(({ type }) => type === 'attempt.claimed');
  expect(told).toContainEqual(expect.objectContaining({ type: 'attempt.expired', attempt: late.attempt.id }));
  expect(second).toMatchObject(placeOf(first));
  expect(told.flatMap((event) => (event.type === 'attempt.ended' ? [event.end] : []))).toEqual([
    'answered',
    'answered',
  ]);
  expect(await server.stop()).toBe(0);
});

/** Kills the server, and starts it again after a while. */
async function restart(downMs: number): Promise<void> {
  await server.kill();
  await pause(Math.max(0, downMs));
  server = await startDevServer(folder, ports);
}

async function startEvaluation(): Promise<string> {
  const endpoint = { baseUrl: models.url };
  const { id } = await client.evaluations.create({
    benchmark,
    agents: [...modelAgents.map((name) => ({ name, model: name, endpoint })), { name: outside, loop: 'external' }],
    trials,
    concurrency,
    judge: { ...endpoint, model: 'judge' },
    embedder: { ...endpoint, model: 'embedder' },
  });
  return id;
}

async function wholeCases(run: string): Promise<CaseDetail[]> {
  const listed = await Array.fromAsync(client.evaluations.cases(run));
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
  return Promise.all(listed.map(({ id }) => client.evaluations.case(run, id)));
}

/** How many attempts are not evaluated: none but those from outside that two kills hit in the middle of a call. */
function brokenOf(cases: readonly CaseDetail[]): number {
  const broken = cases.flatMap(({ case: { agent, attempts: made } }) =>
    sides.flatMap((side) => (made[side]?.evaluated === false ? [{ agent, ...made[side] }] : [])),
  );
  const cutOff = { agent: outside, relaunched: true, fault: { name: 'gateway', code: 'connection-lost' } };
  for (const each of broken) expect(each).toMatchObject(cutOff);
  return broken.length;
}

function eventsAreWhole(seen: readonly RunEvent[], notEvaluated: number): void {
  expect(seen.map(({ id }) => id)).toEqual(seen.map((_, index) => index + 1));
  const expected = { 'attempt.ended': attempts, 'attempt.judged': attempts - notEvaluated };
  for (const type of ['attempt.ended', 'attempt.judged'] as const) {
    const told = seen.flatMap(({ event }) => (event.type === type ? [`${event.case} ${event.side}`] : []));
    expect(told).toHaveLength(expected[type]);
    expect(new Set(told).size).toBe(told.length);
  }
  expect(seen.filter(({ event }) => event.type === 'unit.evaluated')).toHaveLength(units);
}

/** Nothing was paid twice but what a kill cut off, and judgements from outside that began before the runs were woken. */
function paidOnce(killed: readonly Kill[]): void {
  const { bySuccessor, byNothing } = paid.repeats(killed);
  expect(byNothing).toEqual([]);
  expect(bySuccessor.filter((each) => each.startsWith('turn '))).toEqual([]);
  expect(bySuccessor.filter((each) => each.startsWith('relevance ')).length).toBeLessThanOrEqual(kills * outsiders);
  expect(paid.of('sub-intents')).toHaveLength(units);
  expect(Math.max(...paid.of('sub-intents').map(({ begun }) => begun.length))).toBeLessThanOrEqual(1 + kills);
}

interface Tokens {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** What was counted is what the traces, the judgements and the plans took that were kept. */
function usageIsWhatWasKept(counted: { usage: Tokens; judgeUsage: Tokens }, cases: readonly CaseDetail[]): void {
  const traces = cases.flatMap((each) => sides.flatMap((side) => each.traces[side] ?? []));
  expect(traces).toHaveLength(attempts);
  expect(tokensOf([counted.usage])).toBe(tokensOf(traces));
  const plans = paid.of('sub-intents').reduce((sum, { begun: [first] }) => sum + (first?.tokens ?? 0), 0);
  const judged = tokensOf(cases.map((each) => each.case.judgeUsage));
  expect(tokensOf([counted.judgeUsage])).toBe(judged + plans);
}

const tokensOf = (spent: readonly Tokens[]): number =>
  spent.reduce((sum, { promptTokens, completionTokens }) => sum + promptTokens + completionTokens, 0);

/** Calls from before a kill stay in the traces, and some attempts have calls from both sides of one. */
function attemptsFromOutsideWentOn(
  made: readonly MadeAttempt[],
  seen: { events: readonly RunEvent[]; cases: readonly CaseDetail[]; killed: readonly Kill[] },
): void {
  const claims = seen.events.flatMap(({ event }) => (event.type === 'attempt.claimed' ? [event] : []));
  expect(claims.map(({ attempt }) => attempt).toSorted()).toEqual(made.map(({ id }) => id).toSorted());
  const evaluated = made.filter((attempt) => attempt.evaluated === true);
  for (const { id, calls } of evaluated) {
    const claim = claims.find(({ attempt }) => attempt === id);
    const found = seen.cases.find((each) => each.case.id === claim?.case)?.traces[claim?.side ?? 'source'];
    const answered = found?.steps.filter(({ outcome }) => outcome === 'success') ?? [];
    // One whose answer was lost was made again.
    expect([...new Set(answered.map((step) => step.arguments?.['text']))]).toEqual(calls.map(({ text }) => text));
  }
  const over = ({ atMs }: Kill, { calls }: MadeAttempt): boolean =>
    calls.some((call) => call.atMs < atMs) && calls.some((call) => call.atMs > atMs);
  expect(evaluated.filter((attempt) => seen.killed.some((kill) => over(kill, attempt)))).not.toEqual([]);
}

const placeOf = (event: RunEvent['event'] | undefined) =>
  event?.type === 'attempt.claimed' ? { case: event.case, side: event.side } : { case: 'none' };
