import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { root } from '../engine/installation.ts';

/**
 * Runs every measurement at its smallest size, two at a time, and checks the form of what it prints:
 * `node scripts/try-benches.ts [NAME ...]`. What the figures are does not count.
 */

const folder = mkdtempSync(join(tmpdir(), 'sextant-benches-'));
const fileWith = (name: string, value: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
};

const figure = z.number();
const figures = z.record(z.string(), figure).refine((of) => Object.keys(of).length > 0, 'there is no figure');
const lags = z.object({ measured: figure, p50Ms: figure, p95Ms: figure, p99Ms: figure, maxMs: figure });
const cost = z.looseObject({ ownMsPerAttempt: figure });
const read = z.object({ peakMb: figure, cpuMs: figure, wallMs: figure, againCpuMs: figure });

interface Bench {
  readonly args: readonly string[];
  /** The form of its line of JSON. */
  readonly prints: z.ZodType;
  /** Whether it chooses free ports itself, or needs none. */
  readonly ownPorts?: true;
}

/** Ports for each of those that run beside each other. */
const lanes = [18_787, 18_887].map((port) => [
  `--port=${port}`,
  `--gateway-port=${port + 1}`,
  `--models-port=${port + 2}`,
]);
const failed = new AbortController();

const smallest = ['--smallest'];
const timeServer = { command: process.execPath, args: [join(root, 'node_modules/time-mcp/dist/index.js')] };
const publishedTools = [
  {
    name: 'clock',
    description: 'Tells the time',
    tools: { clock: { tools: [{ name: 'now', description: 'The time' }] } },
  },
];
const publishedTasks = [{ task_id: 't1', Question: 'What time is it?', 'Annotator Metadata': { Tools: '1. now' } }];

/** By the file in `bench` or `bench/studies`. A measurement that is not here fails the check. */
const benches: Readonly<Record<string, Bench>> = {
  ablation: {
    ownPorts: true,
    args: ['--units', '11', '--seeds', '1', '--strategy', 'gve'],
    prints: z.looseObject({ strategies: z.unknown() }),
  },
  agreement: {
    ownPorts: true,
    args: [
      '--labels',
      fileWith('labels.json', [{ task_id: 't1', task_success: 'success' }]),
      '--verdicts',
      `judge=${fileWith('verdicts.json', [{ task_id: 't1', judge: 'success' }])}`,
    ],
    prints: z.looseObject({ labels: z.literal(1), judges: z.array(z.looseObject({ accuracy: z.unknown() })) }),
  },
  categories: { args: smallest, prints: z.looseObject({}) },
  check: {
    ownPorts: true,
    args: smallest,
    prints: z.looseObject({
      detection: z.looseObject({ faults: figure, found: figure }),
      falseAlarms: z.looseObject({ cleanTools: figure }),
      callsAboveEffect: z.array(z.unknown()).max(0),
    }),
  },
  decide: {
    args: smallest,
    prints: z.looseObject({ attemptsToAll: figure, wrong: figure, evaluations: z.array(z.unknown()).min(1) }),
  },
  disturbed: {
    args: smallest,
    prints: z.looseObject({
      kinds: z.record(z.string(), z.looseObject({ noticedByRule: z.number().min(0.9) })),
      planted: z.looseObject({ runs: figure }),
    }),
  },
  discovery: { ownPorts: true, args: ['--rounds', '5', '--seeds', '1'], prints: z.looseObject({ limitUnits: figure }) },
  endpoints: { ownPorts: true, args: smallest, prints: z.looseObject({ endpoints: z.array(z.unknown()).min(1) }) },
  estimates: {
    ownPorts: true,
    args: ['--rounds', '5', '--family', '1', '--stop-rounds', '5'],
    prints: z.looseObject({}),
  },
  evaluation: {
    args: smallest,
    prints: cost.extend({ makespanToIdeal: figure, peakMb: figure, withoutSessions: cost }),
  },
  floor: { ownPorts: true, args: smallest, prints: z.looseObject({}) },
  knowledge: { args: smallest, prints: z.looseObject({}) },
  leaderboard: { args: smallest, prints: z.looseObject({ sizes: z.record(z.string(), figures) }) },
  loop: { args: smallest, prints: z.object({ rounds: z.object({ '5': figures }) }) },
  offering: { ownPorts: true, args: smallest, prints: z.looseObject({ loops: z.record(z.string(), z.unknown()) }) },
  platform: {
    args: smallest,
    prints: z.looseObject({ exploration: z.looseObject({ resets: figure }) }),
  },
  results: {
    args: smallest,
    prints: z.looseObject({ results: read, report: read, compare: read, export: read }),
  },
  retrieval: {
    ownPorts: true,
    args: ['--catalog', fileWith('tools.json', publishedTools), '--tasks', fileWith('tasks.json', publishedTasks)],
    prints: z.looseObject({}),
  },
  servers: {
    ownPorts: true,
    args: [
      '--servers',
      fileWith('mcp.json', { mcpServers: { time: timeServer } }),
      '--rounds',
      '1',
      '--agents',
      'none',
    ],
    prints: z.looseObject({ rounds: z.literal(1) }),
  },
  start: {
    args: smallest,
    prints: z.object({ readyMs: figure, residentMb: figure, offlineMb: figure, packageMb: figure }),
  },
  streams: { args: smallest, prints: z.object({ clients: figure, varied: lags, equal: lags }) },
  watch: {
    args: smallest,
    prints: z.looseObject({
      detected: z.number().min(0.5),
      daysToDetect: z.record(z.string(), figure.nullable()),
      falseAlarmsPerServerYear: figure,
    }),
  },
  wording: { args: smallest, prints: z.looseObject({}) },
};

try {
  const found = ['bench', 'bench/studies'].flatMap((of) => readdirSync(join(root, of)));
  const names = found.flatMap((file) => (file.endsWith('.ts') && file !== 'run.ts' ? [file.slice(0, -3)] : []));
  const missing = names.filter((name) => !(name in benches));
  if (missing.length > 0) throw new Error(`add to the table in scripts/try-benches.ts: ${missing.join(', ')}`);
  const asked = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(benches);
  const left = asked.values();
  await Promise.all(
    lanes.map(async (ports) => {
      for (const name of left) await tryBench(name, ports);
    }),
  );
} catch (error) {
  failed.abort();
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function tryBench(name: string, ports: readonly string[]): Promise<void> {
  const bench = benches[name];
  if (bench === undefined) throw new Error(`there is no measurement ${name}`);
  const begunMs = performance.now();
  const own = join(root, 'bench', `${name}.ts`);
  const file = existsSync(own) ? [own] : [join(root, 'bench/studies/run.ts'), name];
  const line = [...file, ...bench.args, '--json', ...(bench.ownPorts ? [] : ports)];
  const { stdout } = await promisify(execFile)(process.execPath, line, {
    cwd: root,
    timeout: 300_000,
    maxBuffer: 100_000_000,
    signal: failed.signal,
  });
  const form = bench.prints.safeParse(parseJsonOrNull(stdout.trim().split('\n').at(-1) ?? ''));
  if (!form.success) throw new Error(`bench:${name} prints another form: ${z.prettifyError(form.error)}\n${stdout}`);
  console.log(`bench:${name}: ok (${((performance.now() - begunMs) / 1_000).toFixed(1)} s)`);
}

function parseJsonOrNull(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
