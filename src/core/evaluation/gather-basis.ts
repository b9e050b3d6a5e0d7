import { argumentOriginsOfUnit, type BenchmarkUnit, type PairUnit } from '#core/benchmarks/benchmark.ts';
import { listUnitsRelatedToSeen, originOfUnit, type UnitOrigin } from '#core/benchmarks/seen-units.ts';
import { effectOfTool, isEffectWithinLimit } from '#core/catalog/effect.ts';
import { listChangedTools } from '#core/catalog/changes.ts';
import {
  countRequestsOfCase,
  getProtocol,
  listRequestNamesOfUnit,
  type ProtocolKey,
} from '#core/benchmarks/protocols/protocols.ts';
import type { ServerConnection } from '#core/catalog/server.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { err, ok, type Result } from '#core/values/result.ts';
import type { EvaluationConfig } from './config.ts';
import type { EvaluationBasis, UnitPages } from './create-on-basis.ts';
import type { RequestName } from '#core/benchmarks/protocols/case-requests.ts';
import { chooseUnitIds } from './new-cases.ts';
import type { EvaluationRefusal } from './problems.ts';
import { refuseTooManyAttempts } from './size-limits.ts';

const itemsPerRead = 200;

/** Units requested at once; the source returns fewer if they are large. */
const unitsPerPage = 500;

/** The basis of an evaluation, and how to reach the servers of its tools. */
export interface GatheredBasis extends EvaluationBasis {
  readonly servers: readonly ServerConnection[];
  /** How many units of the split are left out, because a wording was written from them or from others of their lineages. */
  readonly seenUnits: number;
}

/** The agents of an evaluation, as far as its basis depends on them. */
export interface BasisAgents {
  readonly count: number;
  /** The units that the wordings of tools were written from which they read. */
  readonly seen: readonly string[];
}

/** The source of the units and their tools. */
export interface UnitSource {
  /** The ids of all units of a split. */
  unitIds(split: EvaluationConfig['split']): Promise<string[]>;
  /** Returns units by id, in this order: as many as fit into a call between objects, and at least the first. */
  readUnitsThatFit(ids: readonly string[]): Promise<BenchmarkUnit[]>;
  listCatalogTools(): Promise<Tool[]>;
  /** How the units are evaluated where nobody chooses. */
  protocol(): Promise<ProtocolKey>;
}

/** Where the servers are registered. */
export interface ServerSource {
  listServers(after: string, limit: number): Promise<readonly { readonly id: string; readonly name: string }[]>;
  serverConnection(id: string): Promise<ServerConnection | null>;
  getServerTools(id: string): Promise<Tool[]>;
}

/**
 * Gathers what an evaluation needs from its benchmark and servers, or refuses with what is missing. `servers` is null
 * if none is asked. Units that a wording was written from are left out, with their lineages: it would only be fitted to them.
 */
export async function gatherEvaluationBasisOrRefuse(
  benchmark: UnitSource,
  servers: ServerSource | null,
  config: Pick<EvaluationConfig, 'split' | 'sample' | 'catalog' | 'trials' | 'protocol' | 'disturb'>,
  { count: agents, seen }: BasisAgents,
): Promise<Result<GatheredBasis, EvaluationRefusal>> {
  const offered = await benchmark.unitIds(config.split);
  const related = seen.length === 0 ? new Set<string>() : await findUnitsRelatedToSeen(benchmark, seen);
  const unseen = offered.filter((id) => !related.has(id));
  const seenUnits = offered.length - unseen.length;
  const ids = chooseUnitIds(unseen, config.sample);
  if (ids.length === 0) return err({ reason: 'no-units', split: config.split, seenUnits });
  const own = await benchmark.protocol();
  const protocol = config.protocol ?? own;
  const requests = countRequestsOfCase(protocol, getProtocol(own).unitKind, config.disturb?.kinds);
  const size = refuseTooManyAttempts({ units: ids.length, agents, trials: config.trials, requests });
  if (!size.ok) return size;
  const units: UnitPages = { count: ids.length, pages: () => generateUnitPages(benchmark, ids) };
  const pinned = await benchmark.listCatalogTools();
  if (servers === null) return ok({ protocol, units, tools: pinned, servers: [], seenUnits });
  const registered = await readServersAndToolsOrRefuse(servers, new Set(pinned.map(({ server }) => server)));
  if (!registered.ok) return registered;
  const { connections, tools: current } = registered.value;
  const changes = listChangedTools(pinned, current);
  // What the servers list besides may be what the catalog left out: agents do not see it, unless the client wants what is current.
  if (config.catalog === undefined && changes.some(({ change }) => change !== 'added'))
    return err({ reason: 'catalog-changed', changes });
  const tools = config.catalog === 'current' ? withoutNewForbiddenTools(current, pinned, connections) : pinned;
  return ok({ protocol, units, tools, servers: connections, seenUnits });
}

/** Returns the current tools without those that no catalog would take now, unless the benchmark has them. */
function withoutNewForbiddenTools(
  current: readonly Tool[],
  pinned: readonly Tool[],
  servers: readonly ServerConnection[],
): Tool[] {
  const names = new Set(pinned.map(({ name }) => name));
  const limits = new Map(servers.map(({ name, allows }) => [name, allows]));
  return current.filter(
    (tool) => names.has(tool.name) || isEffectWithinLimit(effectOfTool(tool), limits.get(tool.server) ?? 'reads'),
  );
}

/** Reads all units page by page, because a lineage may connect units of both splits. */
async function findUnitsRelatedToSeen(
  benchmark: Pick<UnitSource, 'unitIds' | 'readUnitsThatFit'>,
  seen: readonly string[],
): Promise<Set<string>> {
  const origins: UnitOrigin[] = [];
  for await (const page of generateUnitPages(benchmark, await benchmark.unitIds('all')))
    origins.push(...page.map(originOfUnit));
  return listUnitsRelatedToSeen(origins, seen);
}

async function* generateUnitPages(
  benchmark: Pick<UnitSource, 'readUnitsThatFit'>,
  ids: readonly string[],
): AsyncGenerator<BenchmarkUnit[]> {
  for (let from = 0; from < ids.length;) {
    const page = await benchmark.readUnitsThatFit(ids.slice(from, from + unitsPerPage));
    if (page.length === 0) throw new Error(`the benchmark gives no unit ${ids[from] ?? ''}`);
    yield page;
    from += page.length;
  }
}

/** What a unit expects: its requests, its chain, which of its values come from earlier steps, and the servers that it needs besides. */
export interface ExpectedCalls extends Pick<PairUnit, 'chain' | 'arguments' | 'looksLike'> {
  readonly requests: readonly RequestName[];
  readonly servers?: readonly string[];
}

/**
 * Reads page by page what each unit of a split expects, keeping nothing else, each name of `tools` once, and of the sources of
 * arguments only the fields of earlier steps.
 */
export async function readExpectedCallsByUnit(
  benchmark: Pick<UnitSource, 'unitIds' | 'readUnitsThatFit'>,
  split: 'all' | 'public',
  tools: Iterable<string>,
  protocol: ProtocolKey,
): Promise<Map<string, ExpectedCalls>> {
  const names = new Map(Array.from(tools, (name) => [name, name]));
  const expected = new Map<string, ExpectedCalls>();
  for await (const page of generateUnitPages(benchmark, await benchmark.unitIds(split))) {
    for (const unit of page)
      expected.set(unit.id, {
        requests: listRequestNamesOfUnit(protocol, unit),
        ...(unit.kind === 'task' ? { servers: unit.servers } : looksLikeIfNegative(unit)),
        chain: unit.chain.map((name) => names.get(name) ?? name),
        arguments: argumentOriginsOfUnit(unit).filter(({ source }) => source.kind === 'field'),
      });
  }
  return expected;
}

const looksLikeIfNegative = ({ looksLike }: Pick<PairUnit, 'looksLike'>): Pick<ExpectedCalls, 'looksLike'> =>
  looksLike === undefined ? {} : { looksLike };

/** Returns the registered servers with these names, with the tools that they listed last. */
async function readServersAndToolsOrRefuse(
  source: ServerSource,
  names: ReadonlySet<string>,
): Promise<Result<{ connections: ServerConnection[]; tools: Tool[] }, EvaluationRefusal>> {
  const connections: ServerConnection[] = [];
  const tools: Tool[] = [];
  for (let after = ''; ;) {
    const read = await source.listServers(after, itemsPerRead);
    const last = read.at(-1);
    if (last === undefined) break;
    for (const { id, name } of read) {
      const connection = names.has(name) ? await source.serverConnection(id) : null;
      if (connection === null) continue;
      connections.push(connection);
      tools.push(...(await source.getServerTools(id)));
    }
    after = last.id;
  }
  const missing = [...names].filter((name) => !connections.some((server) => server.name === name));
  return missing.length > 0 ? err({ reason: 'servers-missing', servers: missing }) : ok({ connections, tools });
}
