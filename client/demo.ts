import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { budget, explorationConfig } from '#core/exploration/config.ts';
import { startSextantOnThisMachine, type Development } from '../engine/development.ts';
import { useFolderOfCaller } from '../engine/folder-of-caller.ts';
import { usualPorts } from '../engine/usual-ports.ts';
import { createClient } from './client.ts';
import type { Command, Given } from './command-line/command.ts';
import { programOrVerbHelpText } from './command-line/help.ts';
import { flagOption, makeSchemaNumberParser, optionalOption, parseNonEmptyText } from './command-line/options.ts';
import { outputLineWidth } from './command-line/output.ts';
import { parseLineToVerbOrHelp } from './command-line/parse-line.ts';
import { CommandError, UsageError } from '../engine/usage-error.ts';
import { requireWritable } from './files/atomic-file.ts';
import { makeInterruptionOnEndSignals } from './demo/interruption.ts';
import { exploreServersAndExportBenchmark } from './demo/chart-servers.ts';
import { transitionHeatMapLines } from './demo/heat-map.ts';
import { createAndLoadDemoIndex } from './demo/knowledge.ts';
import { findFreePortsByName } from '../engine/free-ports.ts';
import { evaluateAgentsUnderEachProtocol } from './demo/compare-protocols.ts';
import { protocolTableLines } from './demo/protocol-table.ts';
import { leaderboardResultLines, openLeaderboardAndPublishAgents } from './demo/submit.ts';
import { listDomainsOfCatalog, demoResultJson, demoSummaryLines } from './demo/summary.ts';

/**
 * `npm run demo`: all of Sextant in one pass, from starting the servers to a benchmark file and agents on a
 * leaderboard.
 */
const root = join(import.meta.dirname, '..');
const folder = '.sextant/demo';
/** Where the demo before is, until there is another one. */
const lastFolder = '.sextant/demo-before';
const [defaultRounds, defaultBatch, defaultSeed, defaultFile] = [40, 10, 1, 'benchmark.jsonl'];

/** What the demo does, in its order. */
const steps = {
  load: 'load facts that units are grounded in',
  explore: 'explore the tools of the servers',
  grow: 'grow what was found by variants, without near-duplicates',
  rank: 'evaluate three agents for a leaderboard',
  compare: 'evaluate the same agents under each protocol',
} as const;

const options = {
  rounds: optionalOption(
    'rounds',
    'N',
    `how many rounds to explore (${defaultRounds} without it)`,
    makeSchemaNumberParser(budget.shape.rounds),
  ),
  batch: optionalOption(
    'batch',
    'N',
    `units in a round (${defaultBatch} without it)`,
    makeSchemaNumberParser(explorationConfig.shape.batch),
  ),
  seed: optionalOption(
    'seed',
    'N',
    `decides what is drawn (${defaultSeed} without it)`,
    makeSchemaNumberParser(explorationConfig.shape.seed),
  ),
  out: optionalOption('out', 'FILE', `where the benchmark goes (${defaultFile} without it)`, parseNonEmptyText),
  realModel: flagOption('real-model', 'ask the models of .dev.vars, which costs money: needs --max-cost'),
  maxCost: optionalOption(
    'max-cost',
    'USD',
    'with --real-model: end the exploration once so much is spent',
    makeSchemaNumberParser(budget.shape.costUsd),
  ),
  json: flagOption('json', 'end with one line of JSON; progress goes to the standard error'),
  help: flagOption('help', 'this text'),
};

const { ending, reportFailure } = makeInterruptionOnEndSignals();

const demo: Command = {
  verb: 'demo',
  about:
    'Charts the MCP servers that came with Sextant, grows what it finds into a benchmark, and ranks agents on a leaderboard of it.',
  more: 'Options stand behind two hyphens: npm run demo -- --rounds 10',
  operands: [],
  options: Object.values(options),
  run: runDemo,
};

try {
  useFolderOfCaller();
  const request = parseLineToVerbOrHelp(['demo', ...process.argv.slice(2)], { commands: [demo], common: [] });
  if (request.kind === 'help')
    console.log(programOrVerbHelpText('npm run', '', { commands: [demo], common: [] }, [demo]));
  else await runDemo(request.given);
} catch (error) {
  reportFailure(error);
}

async function runDemo(given: Given): Promise<void> {
  const [realModel, maxCost] = [given.parseOptionValue(options.realModel), given.parseOptionValue(options.maxCost)];
  requireRealModelAndLimitTogether(realModel, maxCost);
  const isJson = given.parseOptionValue(options.json);
  const progress = isJson ? process.stderr : process.stdout;
  const say = (line: string): void => void progress.write(`${line}\n`);
  const seed = given.parseOptionValue(options.seed) ?? defaultSeed;
  const file = resolve(given.parseOptionValue(options.out) ?? defaultFile);
  await requireWritable(file);
  if (existsSync(file)) say(`${file} will be replaced; --out names another file`);
  if (existsSync(join(root, folder)))
    say(`the leaderboard of the last demo moves to ${lastFolder}: npm start -- --folder ${lastFolder}`);
  const beginStep = (step: keyof typeof steps): void =>
    say(`\nstep ${Object.keys(steps).indexOf(step) + 1} of ${Object.keys(steps).length}: ${steps[step]}`);
  const ports = await findFreePortsByName(['port', 'gatewayPort', 'modelsPort'], usualPorts);
  const { made, outcome, comparison, knowledge } = await runOnFreshSextantThenStop(
    { ...ports, offlineModels: !realModel },
    say,
    async ({ url, key, servers, offline }) => {
      const client = createClient({ url, key, signal: ending.signal });
      beginStep('load');
      // The passages' vectors come from the offline embedder.
      const knowledge = offline ? await createAndLoadDemoIndex(client, progress) : null;
      beginStep('explore');
      const made = await exploreServersAndExportBenchmark(client, {
        onGrowing: () => beginStep('grow'),
        name: 'demo',
        knowledge: knowledge === null ? undefined : { index: knowledge.index },
        servers,
        progress,
        file,
        strategy: 'frontier',
        review: 'park',
        seed,
        batch: given.parseOptionValue(options.batch) ?? defaultBatch,
        budget: { rounds: given.parseOptionValue(options.rounds) ?? defaultRounds, costUsd: maxCost },
      });
      beginStep('rank');
      const outcome = await openLeaderboardAndPublishAgents(client, made.run, { offline, seed, progress });
      beginStep('compare');
      const comparison = outcome.made
        ? await evaluateAgentsUnderEachProtocol(client, made.catalog, outcome, progress)
        : null;
      return { made, outcome, comparison, knowledge };
    },
  );
  if (isJson) return console.log(JSON.stringify(demoResultJson(made, outcome, comparison, knowledge)));
  const style = process.stdout.isTTY && process.stdout.hasColors() ? 'shaded' : 'numbers';
  const parts = [
    demoSummaryLines(made, knowledge, outputLineWidth(process.stdout)),
    transitionHeatMapLines(listDomainsOfCatalog(made.catalog), made.domains, style),
    leaderboardResultLines(outcome, restartCommandText(ports), outputLineWidth(process.stdout)),
    protocolTableLines(comparison, outputLineWidth(process.stdout)),
  ];
  for (const line of parts.flatMap((part) => ['', ...part])) say(line);
}

/** A real model is never asked by accident, nor without a limit. */
function requireRealModelAndLimitTogether(realModel: boolean, maxCost: number | undefined): void {
  if (realModel && maxCost === undefined)
    throw new UsageError('--real-model costs money: say with --max-cost how many dollars it may spend');
  if (!realModel && maxCost !== undefined)
    throw new UsageError('--max-cost is for --real-model; the offline models cost nothing');
}

type Ports = Record<keyof typeof usualPorts, number>;

/** Restarts the demo's service where its data can be found, on other ports only if the usual ones were in use. */
function restartCommandText({ gatewayPort, modelsPort }: Ports): string {
  const command = `npm start -- --folder ${folder}`;
  return gatewayPort === usualPorts.gatewayPort && modelsPort === usualPorts.modelsPort
    ? command
    : `${command} --gateway-port ${gatewayPort} --models-port ${modelsPort}`;
}

/** Starts everything in its own folder, next to anything else on this machine, and stops it in any case. */
async function runOnFreshSextantThenStop<T>(
  choices: Ports & { readonly offlineModels: boolean },
  say: (line: string) => void,
  work: (development: Development) => Promise<T>,
): Promise<T> {
  const development = await startSextantOnThisMachine({
    folder: join(root, folder),
    fresh: true,
    aside: join(root, lastFolder),
    ...choices,
    log: say,
  });
  try {
    ending.signal.throwIfAborted();
    const broken = development.ended.then((how) => {
      throw new CommandError(how);
    });
    return await Promise.race([work(development), broken]);
  } finally {
    ending.abort();
    say('stopping ...');
    await development.stop();
  }
}
