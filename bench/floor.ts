import type { AgentResult } from '#core/evaluation/record.ts';
import { computeBestScoresOfNullAgents } from '#core/evaluation/floor.ts';
import { nullPolicy } from '#core/evaluation/null-agents.ts';
import { scorerKeys, type ScorerKey } from '#core/evaluation/scorers.ts';
import { createClient } from '../client/client.ts';
import { flagOption, optionalOption } from '../client/command-line/options.ts';
import { countWithNoun, makePrintableLine } from '../client/command-line/text.ts';
import { CommandError } from '../engine/usage-error.ts';
import { makeInterruptionOnEndSignals } from '../client/demo/interruption.ts';
import { mapInParallel } from '../client/map-in-parallel.ts';
import { summaryText } from '#core/evaluation/figure-texts.ts';
import type { Development } from '../engine/development.ts';
import { parseBenchOptionsOrHelp } from './shared/bench-line.ts';
import { roundedJsonLine } from './shared/json-line.ts';
import { makeWholeNumberParser } from './shared/readers.ts';
import { measureOnTemporaryWorkerOnFreePorts } from './shared/measure-on-servers.ts';

/**
 * `npm run bench:floor`: what agents that know nothing score, beside agents of known skill, on a benchmark of the MCP
 * servers that came with Sextant: docs/measurements.md.
 */
const usualBatch = 10;
const smallestBatch = 2;
const registeredAtOnce = 4;
const defaultRounds = 9;
const agentsOfKnownSkill = ['steady', 'hasty', 'forgetful'] as const;

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

/** How many rounds the benchmark is made of, and the units of each. */
interface Size {
  readonly rounds: number;
  readonly batch: number;
}

const { ending, reportFailure } = makeInterruptionOnEndSignals();

try {
  const asked = parseBenchOptionsOrHelp(process.argv.slice(2), {
    verb: 'bench:floor',
    about: 'Measures what agents that know nothing score, beside agents of known skill.',
    more: 'Options stand behind two hyphens: npm run bench:floor -- --json',
    options: Object.values(options),
  });
  if ('help' in asked) console.log(asked.help);
  else
    await measureAndPrintFloor(
      asked.parseOptionValue(options.smallest)
        ? { rounds: 1, batch: smallestBatch }
        : { rounds: asked.parseOptionValue(options.rounds) ?? defaultRounds, batch: usualBatch },
      asked.parseOptionValue(options.json),
    );
} catch (error) {
  reportFailure(error);
}

async function measureAndPrintFloor(size: Size, json: boolean): Promise<void> {
  const progress = json ? process.stderr : process.stdout;
  const log = (line: string): void => void progress.write(`${line}\n`);
  const agents = await measureOnTemporaryWorkerOnFreePorts({ json, log, ending }, (worker) =>
    evaluateNullAndKnownAgents(worker, size, log),
  );
  printFloor(agents, json, log);
}

/** Makes a benchmark and evaluates the null agents and those of known skill on it. */
async function evaluateNullAndKnownAgents(
  worker: Development,
  { rounds, batch }: Size,
  log: (line: string) => void,
): Promise<readonly AgentResult[]> {
  const client = createClient({ url: worker.url, key: worker.key, signal: ending.signal });
  const servers = await mapInParallel(worker.servers, registeredAtOnce, (server) => client.servers.add(server));
  const { id: catalog } = await client.catalogs.create(servers.map(({ id }) => id));
  const run = await client.explorations.create({ name: 'floor', catalog, batch, budget: { rounds }, review: 'accept' });
  await client.explorations.wait(run.id);
  const benchmark = await client.benchmarks.freeze({ explorations: [run.id], privateShare: 0, floor: false });
  log(`${countWithNoun(benchmark.units, 'unit')} of ${countWithNoun(servers.length, 'server')}`);
  const { id } = await client.evaluations.create({
    benchmark: benchmark.id,
    name: 'floor',
    agents: [
      ...agentsOfKnownSkill.map((name) => ({ name, model: `offline-${name}` })),
      ...nullPolicy.options.map((policy) => ({ name: policy, loop: 'null' as const, policy })),
    ],
  });
  const record = await client.evaluations.wait(id);
  if (record.status !== 'completed')
    throw new CommandError(`the evaluation is ${record.status}: ${makePrintableLine(record.reason ?? '')}`);
  return (await client.evaluations.results(id)).agents;
}

function printFloor(agents: readonly AgentResult[], json: boolean, log: (line: string) => void): void {
  const isNull = ({ name }: AgentResult): boolean => nullPolicy.options.some((policy) => policy === name);
  const blind = agents.filter(isNull);
  const floor = computeBestScoresOfNullAgents(blind);
  if (json) {
    const figures = (score: (key: ScorerKey) => unknown): object =>
      Object.fromEntries(scorerKeys.map((key) => [key, score(key)]));
    return console.log(
      roundedJsonLine({
        units: agents[0]?.units ?? 0,
        floor: figures((key) => floor[key]?.value ?? null),
        nullAgents: Object.fromEntries(blind.map(({ name, scores }) => [name, figures((key) => scores[key].mean)])),
        agents: Object.fromEntries(
          agents
            .filter((each) => !isNull(each))
            .map(({ name, scores }) => [
              name,
              figures((key) => ({ mean: scores[key].mean, low: scores[key].low, high: scores[key].high })),
            ]),
        ),
      }),
    );
  }
  for (const { name, scores } of agents)
    log([name.padEnd(16), ...scorerKeys.map((key) => `${key} ${summaryText(scores[key])}`)].join('  '));
}
