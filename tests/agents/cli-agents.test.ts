import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BenchmarkHeader } from '#core/benchmarks/benchmark.ts';
import { taskFormat } from '#core/benchmarks/file-formats.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { computeTaskUnitId, type TaskUnit } from '#core/units/task-unit.ts';
import { canonicalJson } from '#core/values/canonical.ts';
import { makeBenchmarkLineValues } from '../../bench/shared/benchmark-lines.ts';
import { startStubServers, type StubServers } from '../../bench/stubs/stub-mcp-server.ts';
import { createClient, type Client } from '../../client/client.ts';
import { presets } from '../../client/external-agent/presets/presets.ts';
import { findFreePortsByName } from '../../engine/free-ports.ts';
import { startDevServer, type DevServer } from '../support/dev-server.ts';
import { stubServerIds } from '../support/stub-benchmark.ts';
import { finalAnswer, startStandInModel, type StandInModel } from './stand-in-model.ts';

/**
 * The command-line agents themselves, at a stand-in for their models. Needs at least one of them on PATH, or in a folder that
 * SEXTANT_AGENTS names; each that is there is evaluated.
 */

const units = 5;
const price = { prompt: 1, cached: 1, completion: 10 };
const path = [process.env['SEXTANT_AGENTS'], process.env['PATH']].filter((part) => part !== undefined).join(delimiter);
const folder = mkdtempSync(join(tmpdir(), 'sextant-agents-'));

const isThere = async (program: string): Promise<boolean> => {
  const places = path.split(delimiter).map((each) =>
    access(join(each, program), constants.X_OK).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(places)).includes(true);
};
const installed = (
  await Promise.all(presets.map(async (preset) => ((await isThere(preset.program)) ? [preset] : [])))
).flat();
if (installed.length === 0)
  throw new Error(
    `none of ${presets.map(({ program }) => program).join(', ')} is on PATH or in a folder of SEXTANT_AGENTS`,
  );

let servers: StubServers;
let server: DevServer;
let model: StandInModel;
let client: Client;
let benchmark: string;

beforeAll(async () => {
  servers = await startStubServers({ servers: 1, toolsPerServer: 6, sessions: true });
  model = await startStandInModel();
  server = await startDevServer(folder, await findFreePortsByName(['port', 'gatewayPort', 'modelsPort']));
  client = createClient({ url: server.url, key: server.key });
  const { id } = await client.catalogs.create(await stubServerIds(client, servers, 1));
  const { tools } = await client.catalogs.get(id);
  benchmark = (await client.benchmarks.importFile(await makeTasksFile(id, tools), { floor: false })).id;
});

afterAll(async () => {
  await server?.stop();
  await model?.close();
  await servers?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns a benchmark file of tasks, which have one request each. */
async function makeTasksFile(catalog: string, tools: readonly Tool[]): Promise<Blob> {
  const tasks = await Promise.all(
    Array.from({ length: units }, async (_, n): Promise<TaskUnit> => {
      const request = `Do with K1 what matter ${n} wants.`;
      const task = { kind: 'task' as const, request, keyPoints: [], chain: [], servers: ['s0'] };
      const provenance = { collection: 'tests', task: `t${n}`, category: 'tests' };
      return { ...task, id: await computeTaskUnitId(task), split: 'public', provenance };
    }),
  );
  const header: BenchmarkHeader = {
    type: 'benchmark',
    format: taskFormat,
    protocol: 'live-mcp-bench',
    name: 'tasks for command-line agents',
    split: 'all',
    catalog,
    explorations: [],
    seed: 0,
    privateShare: 0,
    offline: true,
    tools: tools.length,
    units,
  };
  return new Blob(makeBenchmarkLineValues(header, tools, tasks).map((line) => `${canonicalJson(line)}\n`));
}

/** Runs a line of the command, and returns what it printed; throws what it complained of if it fails. */
function sextant(...words: readonly string[]): Promise<string> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../client/cli.ts'), ...words, '--url', server.url],
    {
      env: { ...process.env, PATH: path, SEXTANT_KEY: server.key, STAND_IN_KEY: 'key-of-the-stand-in' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [printed, complained]: [string[], string[]] = [[], []];
  child.stdout.on('data', (piece: Buffer) => printed.push(piece.toString()));
  child.stderr.on('data', (piece: Buffer) => complained.push(piece.toString()));
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      code === 0 ? resolve(printed.join('')) : reject(new Error(`exit code ${code}: ${complained.join('')}`)),
    );
  });
}

test(`${installed.map(({ name }) => name).join(', ')} call tools of servers by themselves, answer, and have their tokens and cost recorded`, async () => {
  await sextant(
    'evaluate',
    '--benchmark',
    benchmark,
    '--no-judges',
    '--attempt-seconds',
    '120',
    '--base-url',
    model.baseUrl,
    '--model-key-env',
    'STAND_IN_KEY',
    '--prompt-price',
    `${price.prompt}`,
    '--completion-price',
    `${price.completion}`,
    ...installed.flatMap(({ name }) => ['--cli', `${name}=stand-in`]),
  );
  const [{ id } = { id: '' }] = await Array.fromAsync(client.evaluations.list());
  const { agents, status } = await client.evaluations.get(id);
  expect(status).toBe('completed');
  const cases = await Array.fromAsync(client.evaluations.cases(id));
  for (const { name } of installed) {
    const agent = agents.find((each) => each.name === name);
    expect(agent).toMatchObject({ program: { name, version: expect.stringMatching(/\d+\.\d+/) } });
    const own = cases.filter((each) => each.agent === name);
    expect(own).toHaveLength(units);
    for (const each of own) {
      const { traces } = await client.evaluations.case(id, each.id);
      for (const trace of Object.values(traces)) {
        expect([name, trace.finalText]).toEqual([name, finalAnswer]);
        expect(trace.steps).toMatchObject([{ tool: expect.stringMatching(/^s0\//) }]);
        const { modelRequests = [], promptTokens, completionTokens, costUsd } = trace;
        expect(modelRequests.length).toBeGreaterThanOrEqual(2);
        expect(modelRequests.filter(({ estimated }) => estimated)).toEqual([]);
        expect(modelRequests.flatMap(({ calls }) => calls).join()).toMatch(/step[-_]/);
        expect(promptTokens).toBe(2_000 * modelRequests.length);
        expect(completionTokens).toBe(40 * modelRequests.length);
        expect(costUsd).toBeCloseTo((promptTokens * price.prompt + completionTokens * price.completion) / 1e6, 12);
      }
    }
  }
});
