import type { ModelLoop } from '#core/benchmarks/protocols/loops.ts';
import { exportedAttempt, type ExportedAttempt } from '#core/evaluation/breakdown-record.ts';
import { defaultIrrelevance } from '#core/evaluation/compare-anytime.ts';
import type { Offering } from '#core/evaluation/offering.ts';
import { createClient } from '../client/client.ts';
import { flagOption, optionalOption } from '../client/command-line/options.ts';
import { countWithNoun, makePrintableLine } from '../client/command-line/text.ts';
import { makeInterruptionOnEndSignals } from '../client/demo/interruption.ts';
import { offeringLines } from '../client/display/offering-lines.ts';
import { mapInParallel } from '../client/map-in-parallel.ts';
import type { Development } from '../engine/development.ts';
import { CommandError } from '../engine/usage-error.ts';
import { parseBenchOptionsOrHelp } from './shared/bench-line.ts';
import { roundedJsonLine } from './shared/json-line.ts';
import { measureOnTemporaryWorkerOnFreePorts } from './shared/measure-on-servers.ts';
import { makeWholeNumberParser } from './shared/readers.ts';

/**
 * `npm run bench:offering`: the same units under function calling, tool search and code, on the MCP servers that come with Sextant:
 * docs/offering.md. The agents are rules, which search and write programs by rule: it shows what the ways take, and not how well
 * models use them.
 */
const loops: readonly ModelLoop[] = ['function-calling', 'tool-search', 'code'];
const usualBatch = 10;
const smallestBatch = 2;
const registeredAtOnce = 4;
const defaultRounds = 5;
/** Chains from this length on have values that pass from call to call. */
const longChain = 3;

const options = {
  rounds: optionalOption(
    'rounds',
    'N',
    `rounds of ${usualBatch} units that the benchmark is made of (${defaultRounds} without it)`,
    makeWholeNumberParser(1, 100),
  ),
  json: flagOption('json', 'end with one line of JSON; progress goes to the standard error'),
  smallest: flagOption('smallest', 'measure as little as shows that it works; the figures say nothing'),
  help: flagOption('help', 'this text'),
};

const { ending, reportFailure } = makeInterruptionOnEndSignals();

try {
  const asked = parseBenchOptionsOrHelp(process.argv.slice(2), {
    verb: 'bench:offering',
    about: 'Measures what three ways of offering tools take, and whether rules succeed with them.',
    more: 'Options stand behind two hyphens: npm run bench:offering -- --json',
    options: Object.values(options),
  });
  if ('help' in asked) console.log(asked.help);
  else {
    const isSmallest = asked.parseOptionValue(options.smallest);
    const size = isSmallest
      ? { rounds: 1, batch: smallestBatch }
      : { rounds: asked.parseOptionValue(options.rounds) ?? defaultRounds, batch: usualBatch };
    await measureAndPrint(size, asked.parseOptionValue(options.json));
  }
} catch (error) {
  reportFailure(error);
}

/** How many rounds the benchmark is made of, and the units of each. */
interface Size {
  readonly rounds: number;
  readonly batch: number;
}

interface Measured {
  readonly servers: number;
  readonly tools: number;
  readonly attempts: readonly ExportedAttempt[];
  /** The length of each unit's chain. */
  readonly lengths: ReadonlyMap<string, number>;
  readonly compared: Offering;
}

async function measureAndPrint(size: Size, json: boolean): Promise<void> {
  const progress = json ? process.stderr : process.stdout;
  const log = (line: string): void => void progress.write(`${line}\n`);
  const measured = await measureOnTemporaryWorkerOnFreePorts({ json, log, ending }, (worker) =>
    evaluateEachWay(worker, size, log),
  );
  if (json) console.log(roundedJsonLine(figuresOf(measured)));
  else for (const line of offeringLines(measured.compared, 160)) log(line);
}

async function evaluateEachWay(
  worker: Development,
  { rounds, batch }: Size,
  log: (line: string) => void,
): Promise<Measured> {
  const client = createClient({ url: worker.url, key: worker.key, signal: ending.signal });
  const servers = await mapInParallel(worker.servers, registeredAtOnce, (server) => client.servers.add(server));
  const catalog = await client.catalogs.create(servers.map(({ id }) => id));
  const run = await client.explorations.create({
    name: 'offering',
    catalog: catalog.id,
    batch,
    budget: { rounds },
    review: 'accept',
  });
  await client.explorations.wait(run.id);
  const benchmark = await client.benchmarks.freeze({ explorations: [run.id], privateShare: 0, floor: false });
  log(`${countWithNoun(benchmark.units, 'unit')} of ${countWithNoun(servers.length, 'server')}`);
  const { id } = await client.evaluations.create({
    benchmark: benchmark.id,
    name: 'offering',
    agents: loops.map((loop) => ({ name: loop, model: 'offline-steady', loop })),
  });
  const record = await client.evaluations.wait(id);
  if (record.status !== 'completed')
    throw new CommandError(`the evaluation is ${record.status}: ${makePrintableLine(record.reason ?? '')}`);
  const lengths = new Map<string, number>();
  for await (const unit of client.benchmarks.units(benchmark.id)) lengths.set(unit.id, unit.chain.length);
  return {
    servers: servers.length,
    tools: catalog.tools,
    attempts: await readAttempts(client.evaluations.exportAttempts(id, 'jsonl')),
    lengths,
    compared: await client.evaluations.offering(id, defaultIrrelevance),
  };
}

async function readAttempts(texts: AsyncIterable<string>): Promise<ExportedAttempt[]> {
  let text = '';
  for await (const part of texts) text += part;
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => exportedAttempt.parse(JSON.parse(line)));
}

function figuresOf({ servers, tools, attempts, lengths, compared }: Measured): object {
  const evaluated = attempts.filter((each) => each.evaluated);
  const ofLoop = (loop: string, list: readonly ExportedAttempt[]) => list.filter(({ agent }) => agent === loop);
  const figures = (list: readonly ExportedAttempt[]) => ({
    success: meanOf(list.flatMap(({ scores }) => scores.success.value ?? [])),
    tokens: meanOf(list.map(({ usage }) => usage.promptTokens + usage.completionTokens)),
    cachedTokens: meanOf(list.map(({ usage }) => usage.cachedTokens ?? 0)),
    turns: meanOf(list.flatMap(({ turns }) => turns ?? [])),
    calls: meanOf(list.map(({ calls }) => calls.length)),
    seconds: meanOf(list.map(({ durationMs }) => durationMs / 1_000)),
  });
  const long = evaluated.filter(({ unit }) => (lengths.get(unit) ?? 0) >= longChain);
  const byLoop = (list: readonly ExportedAttempt[]) =>
    Object.fromEntries(loops.map((loop) => [loop, figures(ofLoop(loop, list))]));
  return {
    agents: 'rules',
    servers,
    tools,
    loops: byLoop(evaluated),
    longChains: byLoop(long),
    pairs: compared.pairs,
    suits: compared.suits,
  };
}

function meanOf(values: readonly number[]): { mean: number | null; n: number } {
  const sum = values.reduce((total, value) => total + value, 0);
  return { mean: values.length === 0 ? null : sum / values.length, n: values.length };
}
