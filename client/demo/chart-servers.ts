import type { BenchmarkRecord } from '#core/benchmarks/benchmark.ts';
import type { CatalogRecord } from '#core/catalog/server.ts';
import { type EvolutionRecord, evolutionId } from '#core/exploration/evolution/record.ts';
import type { DomainTransition, ExplorationRecord } from '#core/exploration/record.ts';
import { exportBenchmarkToFile } from '../files/benchmark-file.ts';
import type { Client } from '../client.ts';
import type { Sink } from '../command-line/output.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';
import { CommandError } from '../../engine/usage-error.ts';
import { showEvolutionUntilEnd, showExplorationUntilEnd } from '../progress/follow.ts';
import type { NewExploration } from '../resources/explorations.ts';
import type { NewServer } from '../resources/servers.ts';
import { mapInParallel } from '../map-in-parallel.ts';

/**
 * Grows a run with variants of its units, by what is left of its budget in dollars; null if it has no accepted unit to
 * start from, or nothing is left. Throws if the evolution does not complete.
 */
export async function evolveRunIfUnitsAndBudgetLeft(
  client: Client,
  { id, config, units, usage }: Pick<ExplorationRecord, 'id' | 'config' | 'units' | 'usage'>,
  progress: Sink,
): Promise<EvolutionRecord | null> {
  if (units.accepted === 0) return null;
  const { costUsd } = config.budget;
  const left = costUsd === undefined ? undefined : costUsd - usage.costUsd;
  if (left !== undefined && left <= 0) return null;
  const started = await client.evolutions.create(id, {
    seed: config.seed,
    batch: config.batch,
    ...(left === undefined ? {} : { budget: { costUsd: left } }),
  });
  const evolution = await showEvolutionUntilEnd(client, started, progress);
  if (evolution.status === 'completed') return evolution;
  const { number, status, reason } = evolution;
  throw new CommandError(`the evolution ${evolutionId(id, number)} is ${status}: ${makePrintableLine(reason ?? '')}`);
}

const registeredAtOnce = 4;
/** The leaderboard's benchmark keeps private what this one does, and gives it to one submission of a workspace only. */
const privateShare = 0;

export interface ChartOptions extends Omit<NewExploration, 'catalog'> {
  readonly servers: readonly NewServer[];
  /** File for the benchmark. */
  readonly file: string;
  /** Where progress is shown. */
  readonly progress: Sink;
  /** Called when the run is grown, after it was explored. */
  readonly onGrowing: () => void;
}

/** The results, as the API returned them. */
export interface Chart {
  readonly catalog: CatalogRecord;
  readonly run: ExplorationRecord;
  /** Null if the run had nothing to grow. */
  readonly evolution: EvolutionRecord | null;
  /** Units that wait for a reviewer, including variants. */
  readonly reviews: number;
  readonly domains: readonly DomainTransition[];
  readonly benchmark: BenchmarkRecord;
  /** Units of the benchmark that need a fact. */
  readonly grounded: number;
  readonly file: string;
}

/**
 * Performs all steps: registers servers, freezes their tools, explores them, evolves the run, freezes and exports the
 * benchmark.
 */
export async function exploreServersAndExportBenchmark(client: Client, options: ChartOptions): Promise<Chart> {
  const { servers, file, progress, onGrowing, ...config } = options;
  const say = (line: string): void => void progress.write(`${line}\n`);
  const registered = await mapInParallel(servers, registeredAtOnce, async (server) => {
    const added = await client.servers.add(server);
    say(`registered ${added.name} (${added.domain}): ${countWithNoun(added.tools, 'tool')}`);
    return added.id;
  });
  const catalog = await client.catalogs.create(registered);
  say(
    `catalog ${catalog.id}: ${countWithNoun(catalog.tools, 'tool')} of ${countWithNoun(catalog.servers.length, 'server')}`,
  );

  const started = await client.explorations.create({ ...config, catalog: catalog.id });
  const run = await showExplorationUntilEnd(client, started, progress);
  if (run.status !== 'completed')
    throw new CommandError(`the exploration is ${run.status}: ${makePrintableLine(run.reason ?? '')}`);
  onGrowing();
  const evolution = await evolveRunIfUnitsAndBudgetLeft(client, run, progress);

  const benchmark = await client.benchmarks.freeze({
    explorations: [run.id],
    name: config.name,
    seed: config.seed,
    privateShare,
    // The benchmark of the leaderboard, a sample of it, has one.
    floor: false,
  });
  await exportBenchmarkToFile(client, benchmark.id, file);
  const { open: reviews } = await client.reviews.agreement(run.id);
  const domains = await client.explorations.domains(run.id);
  const grounded = await countGroundedUnits(client, benchmark.id);
  return { catalog, run, evolution, reviews, domains, benchmark, grounded, file };
}

async function countGroundedUnits(client: Client, benchmark: string): Promise<number> {
  let grounded = 0;
  for await (const unit of client.benchmarks.units(benchmark, { pageSize: 100 }))
    if (unit.kind !== 'task' && unit.facts.length > 0) grounded += 1;
  return grounded;
}
