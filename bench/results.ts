import type { Development } from '../engine/development.ts';
import { roundedJsonLine } from './shared/json-line.ts';
import { readBenchOptions, makeLogOutsideJson } from './shared/options.ts';
import { readCpuMs, watchPeakMemory } from './shared/peak-memory.ts';
import { roundToHundredths } from './shared/rounded.ts';
import { measureOnTemporaryWorker } from './shared/with-worker.ts';

/**
 * `npm run bench:results`: the Worker's memory and CPU time for reading a large evaluation: docs/measurements.md. Each
 * figure is that of a fresh Worker on the same storage without cached answers, because the process does not release
 * memory soon enough to measure twice.
 */
const options = readBenchOptions('Measures the memory and CPU time of reading an evaluation of 100,000 attempts.');
const say = makeLogOutsideJson(options);
const id = 'evl_bench';
const agents = Array.from({ length: 10 }, (_, n) => `agent-${n}`);
const units = options.smallest ? 20 : 1_000;
const trials = 5;
const attempts = agents.length * units * trials * 2;
const unitsPerFill = 20;

const unlimited = { REQUESTS_PER_MINUTE_PER_KEY: '1000000000', REQUESTS_PER_MINUTE_PER_ADDRESS: '1000000000' };

/** What is read, and what it must contain, so that something is measured. */
const reads = {
  results: { path: 'results', holds: `"name":"${agents.at(-1) ?? ''}"` },
  report: { path: 'report', holds: '## How to read this' },
  compare: { path: `compare?a=${agents[0] ?? ''}&b=${agents[1] ?? ''}`, holds: '"onlyA"' },
  breakdown: { path: 'results/domains', holds: '"failedCalls"' },
  export: { path: 'export?format=csv', holds: `${agents.at(-1) ?? ''},${trials},followUp` },
} as const;

interface Figures {
  /** Above the Worker's memory before the read. */
  readonly peakMb: number;
  readonly cpuMs: number;
  readonly wallMs: number;
  /** The CPU time of a repeated read, as of a polling dashboard. */
  readonly againCpuMs: number;
}

await measureOnTemporaryWorker(
  { ...options, entry: 'bench/results/bench-worker.ts' },
  measureAndPrintReadFigures,
  unlimited,
);

async function measureAndPrintReadFigures(first: Development, restart: () => Promise<Development>): Promise<void> {
  await createFillAndCancelEvaluation(first);
  const figures: Record<string, Figures> = {};
  for (const [name, { path, holds }] of Object.entries(reads)) {
    const worker = await restart();
    figures[name] = await measureUncachedRead(worker, path, holds);
    say(`${name}: ${JSON.stringify(figures[name])}`);
  }
  if (options.json) return console.log(roundedJsonLine({ attempts, ...figures }));
  console.table(figures);
}

async function createFillAndCancelEvaluation(worker: Development): Promise<void> {
  const about = { id, agents, units, trials };
  await postToBenchOrThrow(worker, 'create', about);
  for (let from = 0; from < units; from += unitsPerFill) {
    const to = Math.min(from + unitsPerFill, units);
    await postToBenchOrThrow(worker, 'fill', { ...about, from, to });
    if (to % 200 === 0) say(`${to} of ${units} units`);
  }
  await readToEndAndReturnTail(worker, 'cancel', { method: 'POST' });
}

async function measureUncachedRead(worker: Development, path: string, holds: string): Promise<Figures> {
  await postToBenchOrThrow(worker, `forget?id=${id}`, {});
  await readToEndAndReturnTail(worker, '');
  const memory = watchPeakMemory(worker.runtime());
  const begun = { cpuMs: readCpuMs(worker.runtime()), atMs: performance.now() };
  if (!(await readToEndAndReturnTail(worker, path)).includes(holds))
    throw new Error(`${path}: there is no ${holds} in it`);
  const wallMs = performance.now() - begun.atMs;
  const peakMb = memory.stop() - memory.startMb;
  const readDoneCpuMs = readCpuMs(worker.runtime());
  await readToEndAndReturnTail(worker, path);
  const againCpuMs = readCpuMs(worker.runtime()) - readDoneCpuMs;
  return {
    peakMb: roundToHundredths(peakMb),
    cpuMs: Math.round(readDoneCpuMs - begun.cpuMs),
    wallMs: Math.round(wallMs),
    againCpuMs: Math.round(againCpuMs),
  };
}

/** Returns the last characters of a response after reading all of it. */
async function readToEndAndReturnTail(
  { url, key }: Development,
  path: string,
  init: RequestInit = {},
): Promise<string> {
  const response = await fetch(`${url}/v1/evaluations/${id}${path === '' ? '' : `/${path}`}`, {
    ...init,
    headers: { authorization: `Bearer ${key}` },
  });
  if (!response.ok || response.body === null) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  let kept = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) kept = (kept + text).slice(-2_000_000);
  return kept;
}

async function postToBenchOrThrow({ url }: Development, what: string, body: object): Promise<void> {
  const response = await fetch(`${url}/bench/${what}`, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${what}: ${response.status} ${await response.text()}`);
}
