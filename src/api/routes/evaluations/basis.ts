import type { Context } from 'hono';
import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import { catalogChanges } from '#core/catalog/changes.ts';
import type { ServerConnection } from '#core/catalog/server.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { EvaluationConfig } from '#core/evaluation/config.ts';
import { chosenUnits } from '#core/evaluation/opening.ts';
import type { ApiEnv } from '../../context.ts';
import { refusal } from '../../problem.ts';
import type { BenchmarkService, WorkspaceService } from '../../services.ts';

const itemsPerRead = 200;

/** What an evaluation is made on: units, the tools that agents may see, and how to reach their servers. */
export interface Basis {
  readonly units: readonly BenchmarkUnit[];
  readonly tools: readonly Tool[];
  readonly servers: readonly ServerConnection[];
}

/** Gathers what an evaluation needs of its benchmark and servers, or refuses with what is missing. */
export async function basisOf(c: Context<ApiEnv>, config: EvaluationConfig): Promise<Basis> {
  const benchmark = await readableBenchmark(c, config);
  const units = chosenUnits(await allUnits(benchmark), config);
  if (units.length === 0) throw refusal('nothing-to-evaluate', `the split "${config.split}" has no units`);
  const pinned = await benchmark.catalogTools();
  // A replay needs no server, and is true to what was recorded.
  if (config.recording === 'replay') return { units, tools: pinned, servers: [] };
  const names = new Set(pinned.map(({ server }) => server));
  const { servers, tools: current } = await registered(c.var.services.workspace(c.var.caller.workspace), names);
  const changes = catalogChanges(pinned, current);
  if (changes.length > 0 && config.catalog === undefined) {
    throw refusal(
      'catalog-changed',
      `${changes.length} of the benchmark's tools are not as its servers list them now; choose "pinned" or "current" as catalog`,
      changes.map(({ tool, change }) => ({ where: tool, message: change })),
    );
  }
  return { units, tools: config.catalog === 'current' ? current : pinned, servers };
}

/** The benchmark of the caller's workspace; of another one only its public units, where it is known to the deployment. */
async function readableBenchmark(
  c: Context<ApiEnv>,
  { benchmark: id, split }: EvaluationConfig,
): Promise<BenchmarkService> {
  const { services, caller } = c.var;
  const own = await services.workspace(caller.workspace).findResource('benchmark', id);
  if (own !== null) return services.benchmark(own.object);
  const foreign = await services.directory.findBenchmark(id);
  if (foreign === null) throw refusal('not-found', `there is no benchmark ${id}`);
  if (split !== 'public') {
    throw refusal(
      'forbidden',
      `the private units of ${id} belong to another workspace; evaluate on the split "public"`,
    );
  }
  return services.benchmark(foreign.object);
}

async function allUnits(benchmark: BenchmarkService): Promise<BenchmarkUnit[]> {
  const units: BenchmarkUnit[] = [];
  for (let after = ''; ;) {
    const read = await benchmark.listUnits('all', after, itemsPerRead);
    const last = read.at(-1);
    if (last === undefined) return units;
    units.push(...read);
    after = last.id;
  }
}

/** The servers of these names as they are registered now, with the tools that they listed last. */
async function registered(
  workspace: WorkspaceService,
  names: ReadonlySet<string>,
): Promise<{ servers: ServerConnection[]; tools: Tool[] }> {
  const servers: ServerConnection[] = [];
  const tools: Tool[] = [];
  for (let after = ''; ;) {
    const read = await workspace.listServers(after, itemsPerRead);
    const last = read.at(-1);
    if (last === undefined) break;
    for (const { id, name } of read) {
      const connection = names.has(name) ? await workspace.serverConnection(id) : null;
      if (connection === null) continue;
      servers.push(connection);
      tools.push(...(await workspace.getServerTools(id)));
    }
    after = last.id;
  }
  const missing = [...names].filter((name) => !servers.some((server) => server.name === name));
  if (missing.length > 0) {
    throw refusal('not-found', `these servers of the benchmark are not registered: ${missing.join(', ')}`);
  }
  return { servers, tools };
}
