import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStubServers, type StubServers } from '../../bench/stubs/stub-mcp-server.ts';
import { createClient, type Client } from '../../client/client.ts';
import { findFreePortsByName } from '../../engine/free-ports.ts';
import { startDevServer, type DevServer } from '../support/dev-server.ts';
import { followed } from '../support/followed-run.ts';
import { stubBenchmark } from '../support/stub-benchmark.ts';

const units = 4;
const folder = mkdtempSync(join(tmpdir(), 'sextant-kill-attempts-'));
let servers: StubServers;
let server: DevServer;
let client: Client;
let benchmark: string;

beforeAll(async () => {
  servers = await startStubServers({ servers: 2, toolsPerServer: 6, sessions: true });
  server = await startDevServer(folder, await findFreePortsByName(['port', 'gatewayPort', 'modelsPort']));
  client = createClient({ url: server.url, key: server.key });
  benchmark = await stubBenchmark(client, servers, { servers: 2, units, calls: 3 });
});

afterAll(async () => {
  await server.kill();
  await servers.close();
  rmSync(folder, { recursive: true, force: true });
});

const startEvaluation = async (): Promise<string> => {
  const agents = [{ name: 'outside', loop: 'external' } as const];
  return (await client.evaluations.create({ benchmark, agents, judges: false })).id;
};

/** Starts `attempts run` in a process group of its own. */
function work(evaluation: string, command: string): ChildProcess {
  const cli = join(import.meta.dirname, '../../client/cli.ts');
  const verb = ['attempts', 'run', evaluation, '--agent', 'outside', `--command=${command}`, '--parallel', '2'];
  return spawn(process.execPath, [cli, ...verb, '--url', server.url], {
    env: { ...process.env, SEXTANT_KEY: server.key },
    stdio: 'ignore',
    detached: true,
  });
}

test('what a worker held that was killed is in the queue again within a minute', async () => {
  const evaluation = await startEvaluation();
  const following = followed(client.evaluations.events(evaluation));
  const killed = work(evaluation, 'sleep 600');
  await following.progressed(3);
  process.kill(-(killed.pid ?? 0), 'SIGKILL');
  const begun = Date.now();
  const [code] = await once(work(evaluation, 'echo done'), 'exit');
  await following.ended;
  console.log(JSON.stringify({ afterKillMs: Date.now() - begun }));
  expect(code).toBe(0);
  expect(Date.now() - begun).toBeLessThan(100_000);
  const told = following.seen.map(({ event }) => event);
  expect(told.filter(({ type }) => type === 'attempt.given-back')).toHaveLength(2);
  expect(told.filter(({ type }) => type === 'attempt.ended')).toHaveLength(2 * units);
});

test('a worker continues when the Worker is killed under it, and no claim has to run out', async () => {
  const evaluation = await startEvaluation();
  const following = followed(client.evaluations.events(evaluation));
  const begun = Date.now();
  const working = once(work(evaluation, 'sleep 1; echo done'), 'exit');
  for (let kills = 0; kills < 2; kills += 1) {
    await following.progressed(2);
    server.killRuntime();
  }
  const [code] = await working;
  await following.ended;
  console.log(JSON.stringify({ withKillsMs: Date.now() - begun }));
  expect(code).toBe(0);
  const told = following.seen.map(({ event }) => event);
  expect(told.filter(({ type }) => type === 'attempt.expired' || type === 'attempt.given-back')).toEqual([]);
  expect(told.filter(({ type }) => type === 'attempt.ended')).toHaveLength(2 * units);
  expect(told.at(-1)).toMatchObject({ type: 'run.ended', status: 'completed' });
});
