import type { TransitionRecord } from '#core/exploration/counts.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { mountingName, type Mounting } from '#core/units/mounting/mounting.ts';
import { describeMounting } from '#core/units/mounting/mounting-texts.ts';
import type { StrategyName } from '#core/exploration/config.ts';
import { createClient, type Client } from '../../client/client.ts';
import { countWithNoun, makePrintableLine } from '../../client/command-line/text.ts';
import { CommandError, UsageError } from '../../engine/usage-error.ts';
import { mapInParallel } from '../../client/map-in-parallel.ts';
import { makeInterruptionOnEndSignals } from '../../client/demo/interruption.ts';
import { blindWriterName } from '../../offline/models/answering.ts';
import type { Development } from '../../engine/development.ts';
import {
  ablationRunOfExploration,
  summarizeByStrategy,
  mergeExecutedTransitions,
  type AblationRun,
} from './ablation/figures.ts';
import { rankingCautions } from './ablation/cautions.ts';
import {
  batch,
  configWithout,
  parseAblationOptionsOrHelp,
  unitsOfRound,
  type AblationOptions,
  type WithoutPart,
} from './ablation/options.ts';
import { runLine, summaryTableLines, unionOfRunsLine } from './ablation/text.ts';
import { measureHintQuality, hintQualityLines } from './ablation/hint-quality.ts';
import { roundedJsonLine } from '../shared/json-line.ts';
import { measureOnTemporaryWorkerOnFreePorts } from '../shared/measure-on-servers.ts';

/**
 * `npm run study -- ablation`: what each sampling strategy finds in the same number of units, on the MCP servers that came with
 * Sextant: docs/measurements.md.
 */
const registeredAtOnce = 4;

const { ending, reportFailure } = makeInterruptionOnEndSignals();

try {
  const asked = parseAblationOptionsOrHelp(process.argv.slice(2));
  if ('help' in asked) console.log(asked.help);
  else await measureAndPrintAblation(asked);
} catch (error) {
  reportFailure(error);
}

/** The results of all runs. */
interface Ablation {
  readonly offline: boolean;
  /** The catalog that all of them explored. */
  readonly tools: readonly Tool[];
  readonly runs: readonly AblationRun[];
  /** The union of what they executed. */
  readonly executed: readonly TransitionRecord[];
}

async function measureAndPrintAblation(options: AblationOptions): Promise<void> {
  const progress = options.json ? process.stderr : process.stdout;
  const log = (line: string): void => void progress.write(`${line}\n`);
  const ablation = await measureOnTemporaryWorkerOnFreePorts(
    { json: options.json, log, ending, ...(options.blindWriter && { vars: { WRITER_MODEL: blindWriterName } }) },
    (worker) => exploreWithEveryStrategy(worker, options, log),
  );
  printAblation(ablation, options, log);
}

/** Registers the servers, freezes their tools, and explores them with every seed and strategy. */
async function exploreWithEveryStrategy(
  worker: Development,
  { strategies, seeds, rounds, mounting, blindWriter, without }: AblationOptions,
  log: (line: string) => void,
): Promise<Ablation> {
  if (blindWriter && !worker.offline)
    throw new UsageError('--blind-writer: a real model is set, and only the offline writer can ignore what is known');
  const client = createClient({ url: worker.url, key: worker.key, signal: ending.signal });
  const servers = await mapInParallel(worker.servers, registeredAtOnce, (server) => client.servers.add(server));
  const made = await client.catalogs.create(servers.map(({ id }) => id));
  const { catalog, tools } = await client.catalogs.get(made.id);
  log(`${countWithNoun(tools.length, 'tool')} of ${countWithNoun(servers.length, 'server')}`);
  // Seed by seed, so that changes on the machine affect all strategies equally.
  const wanted = seeds.flatMap((seed) => strategies.map((strategy) => ({ strategy, seed })));
  const runs: AblationRun[] = [];
  for (const each of wanted) {
    const run = await exploreToEndOrThrow(client, { ...each, catalog: catalog.id, rounds, mounting, without });
    runs.push(run);
    log(`${runs.length} of ${wanted.length}: ${runLine(run)}`);
  }
  return { offline: worker.offline, tools, runs, executed: mergeExecutedTransitions(runs) };
}

interface Wanted {
  readonly strategy: StrategyName;
  readonly seed: number;
  readonly catalog: string;
  readonly rounds: number;
  readonly mounting: Mounting;
  readonly without: WithoutPart | null;
}

/** Runs one exploration to its end. Throws if it did not commit every unit. */
async function exploreToEndOrThrow(
  client: Client,
  { strategy, seed, catalog, rounds, mounting, without }: Wanted,
): Promise<AblationRun> {
  const { id } = await client.explorations.create({
    name: `${strategy}, seed ${seed}`,
    catalog,
    strategy,
    seed,
    batch,
    budget: { rounds },
    mounting,
    ...(without !== null && configWithout[without]),
    // Nobody reviews, and a parked unit would be neither executed nor lost.
    review: 'accept',
  });
  const record = await client.explorations.wait(id);
  const transitions = await Array.fromAsync(client.explorations.transitions(id, { pageSize: 100 }));
  const run = ablationRunOfExploration(record, transitions);
  if (record.status !== 'completed' || run.units !== rounds * unitsOfRound) {
    const { status, reason } = record;
    throw new CommandError(
      `${strategy}, seed ${seed}: ${status} after ${countWithNoun(run.units, 'unit')}: ${makePrintableLine(reason ?? '')}`,
    );
  }
  return run;
}

/** Everything is available here: the tools with their schemas, and the union of what all runs executed. */
function printAblation(
  { offline, tools, runs, executed }: Ablation,
  { seeds, rounds, mounting, blindWriter, without, json }: AblationOptions,
  log: (line: string) => void,
): void {
  const summaries = summarizeByStrategy(runs);
  const together = {
    transitions: executed.length,
    valuesPassed: executed.filter(({ valuePassed }) => valuePassed > 0).length,
  };
  // A run that follows the hint finds what the hint says, so it is compared with the others.
  const unled = runs.filter(({ strategy }) => strategy !== 'frontier');
  const hint = unled.length === 0 ? [] : measureHintQuality(tools, mergeExecutedTransitions(unled));
  const units = rounds * unitsOfRound;
  const cautions = rankingCautions(summaries, { units, seeds: seeds.length });
  if (json) {
    return console.log(
      roundedJsonLine({
        offline,
        tools: tools.length,
        units,
        rounds,
        seeds: seeds.length,
        mounting: mountingName(mounting),
        blindWriter,
        without,
        strategies: summaries,
        runs: runs.map(({ strategy, seed, figures }) => ({ strategy, seed, ...figures })),
        cautions,
        together,
        hint,
      }),
    );
  }
  for (const line of ['', ...summaryTableLines(summaries), '', unionOfRunsLine(together), ...cautions]) log(line);
  if (hint.length > 0)
    log(
      '\nThe schema hint, compared with what the runs found that do not follow it (what did not execute is not proven impossible).',
    );
  for (const line of hintQualityLines(hint)) log(line);
  log(`The base agent saw ${describeMounting(mounting)} (${mountingName(mounting)}).`);
  if (blindWriter) log('The writer was not told which transitions are known.');
  if (without !== null) log(`The explorations were made without ${without}.`);
  if (offline) log('The offline models are rules: they compare the strategies, and say nothing about models.');
}
