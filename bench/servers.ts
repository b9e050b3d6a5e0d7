import { writeFileSync } from 'node:fs';
import { createClient, type Client } from '../client/client.ts';
import { flagOption, makeOneOfParser, optionalOption } from '../client/command-line/options.ts';
import { countWithNoun, makePrintableLine } from '../client/command-line/text.ts';
import { CommandError, UsageError } from '../engine/usage-error.ts';
import { makeInterruptionOnEndSignals } from '../client/demo/interruption.ts';
import { mapInParallel } from '../client/map-in-parallel.ts';
import type { Development } from '../engine/development.ts';
import { checkServerFileAndKeepPath } from '../client/start/start-options.ts';
import { callsOfCase, callsOfUnit } from './servers/calls.ts';
import { figuresByServer, toMeasuredUnit, type Measured } from './servers/figures.ts';
import { serverTableLines } from './servers/text.ts';
import { parseBenchOptionsOrHelp } from './shared/bench-line.ts';
import { roundedJsonLine } from './shared/json-line.ts';
import { makeDistinctListParser, makeWholeNumberParser } from './shared/readers.ts';
import { measureOnTemporaryWorkerOnFreePorts } from './shared/measure-on-servers.ts';

/**
 * `npm run bench:servers`: what Sextant makes of stdio servers that it was not developed on: docs/measurements.md.
 */
const batch = 5;
const atOnce = 4;
const defaults = { rounds: 10, seed: 1 } as const;
const agents = ['steady', 'hasty', 'forgetful'] as const;

const parseAgents = (given: string): (typeof agents)[number][] =>
  given === 'none' ? [] : makeDistinctListParser(makeOneOfParser(agents))(given);

const parseTextUnchanged = (given: string): string => given;

const options = {
  servers: optionalOption(
    'servers',
    'FILE',
    'the `mcpServers` file that says how to start the servers; required',
    checkServerFileAndKeepPath,
  ),
  rounds: optionalOption(
    'rounds',
    'N',
    `rounds of ${batch} units (${defaults.rounds} without it)`,
    makeWholeNumberParser(1, 100),
  ),
  seed: optionalOption(
    'seed',
    'N',
    `the seed of the run (${defaults.seed} without it)`,
    makeWholeNumberParser(1, 1_000_000),
  ),
  agents: optionalOption(
    'agents',
    'NAMES',
    `the agents to evaluate, with commas between them, or \`none\` for the exploration alone (${agents.join(',')} without it)`,
    parseAgents,
  ),
  calls: optionalOption('calls', 'FILE', 'where to write every call for reading, as JSON lines', parseTextUnchanged),
  json: flagOption('json', 'end with one line of JSON; progress goes to the standard error'),
  help: flagOption('help', 'this text'),
};

interface Wanted {
  readonly servers: string;
  readonly rounds: number;
  readonly seed: number;
  readonly agents: readonly (typeof agents)[number][];
  readonly calls: string | undefined;
  readonly json: boolean;
}

const { ending, reportFailure } = makeInterruptionOnEndSignals();

try {
  const asked = parseBenchOptionsOrHelp(process.argv.slice(2), {
    verb: 'bench:servers',
    about: 'Explores and evaluates on other MCP servers than the bundled ones, and counts what their calls became.',
    more: 'Options stand behind two hyphens: npm run bench:servers -- --servers servers.json',
    options: Object.values(options),
  });
  if ('help' in asked) console.log(asked.help);
  else {
    const servers = asked.parseOptionValue(options.servers);
    if (servers === undefined) throw new UsageError('--servers is missing: the `mcpServers` file of the servers');
    await measureAndPrintServerFigures({
      servers,
      rounds: asked.parseOptionValue(options.rounds) ?? defaults.rounds,
      seed: asked.parseOptionValue(options.seed) ?? defaults.seed,
      agents: asked.parseOptionValue(options.agents) ?? agents,
      calls: asked.parseOptionValue(options.calls),
      json: asked.parseOptionValue(options.json),
    });
  }
} catch (error) {
  reportFailure(error);
}

async function measureAndPrintServerFigures(wanted: Wanted): Promise<void> {
  const { json, servers, rounds, seed, calls } = wanted;
  const progress = json ? process.stderr : process.stdout;
  const log = (line: string): void => void progress.write(`${line}\n`);
  const measured = await measureOnTemporaryWorkerOnFreePorts({ json, log, servers, ending }, (worker) =>
    exploreAndEvaluate(worker, wanted, log),
  );
  if (calls !== undefined) writeFileSync(calls, measured.calls.map((call) => `${JSON.stringify(call)}\n`).join(''));
  const figures = figuresByServer(measured);
  if (json) console.log(roundedJsonLine({ rounds, seed, ...figures }));
  else for (const line of ['', ...serverTableLines(figures.servers, figures.all)]) log(line);
}

/** Explores the servers, and evaluates agents of known skill on the units that were accepted. */
async function exploreAndEvaluate(
  worker: Development,
  { rounds, seed, agents: evaluated }: Wanted,
  log: (line: string) => void,
): Promise<Measured> {
  const client = createClient({ url: worker.url, key: worker.key, signal: ending.signal });
  const servers = await mapInParallel(worker.servers, atOnce, (server) => client.servers.add(server));
  const { id: catalog } = await client.catalogs.create(servers.map(({ id }) => id));
  const { tools } = await client.catalogs.get(catalog);
  log(`${countWithNoun(tools.length, 'tool')} of ${countWithNoun(servers.length, 'server')}`);
  const run = await client.explorations.create({
    name: 'servers',
    catalog,
    batch,
    seed,
    budget: { rounds },
    // Nobody reviews, and a parked unit would not be executed.
    review: 'accept',
  });
  for await (const { event } of client.explorations.events(run.id)) {
    if (event.type === 'round.committed') log(`round ${event.round} of ${rounds}`);
    if (event.type === 'run.paused' || event.type === 'run.ended') break;
  }
  const { status } = await client.explorations.get(run.id);
  const ids = (await Array.fromAsync(client.explorations.units(run.id, { pageSize: 100 }))).map(({ id }) => id);
  const units = await mapInParallel(ids, atOnce, (id) => client.explorations.unit(run.id, id));
  log(`the exploration is ${status}: ${countWithNoun(units.length, 'unit')}`);
  const cases = evaluated.length === 0 ? [] : await freezeEvaluateAndReadCases(client, run.id, evaluated, log);
  return {
    tools,
    units: units.map(({ unit }) => toMeasuredUnit(unit)),
    calls: [...units.flatMap(callsOfUnit), ...cases.flatMap(callsOfCase)],
  };
}

async function freezeEvaluateAndReadCases(
  client: Client,
  exploration: string,
  evaluated: Wanted['agents'],
  log: (line: string) => void,
) {
  const benchmark = await client.benchmarks.freeze({
    explorations: [exploration],
    unproven: 'keep',
    privateShare: 0,
    floor: false,
  });
  log(`${countWithNoun(benchmark.units, 'frozen unit')}, ${benchmark.unproven ?? 0} of them unproven`);
  const { id } = await client.evaluations.create({
    benchmark: benchmark.id,
    name: 'servers',
    agents: evaluated.map((name) => ({ name, model: `offline-${name}` })),
  });
  const record = await client.evaluations.wait(id);
  if (record.status !== 'completed')
    throw new CommandError(`the evaluation is ${record.status}: ${makePrintableLine(record.reason ?? '')}`);
  const cases = (await Array.fromAsync(client.evaluations.cases(id, { pageSize: 100 }))).map((each) => each.id);
  return mapInParallel(cases, atOnce, (each) => client.evaluations.case(id, each));
}
