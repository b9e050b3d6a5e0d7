import type { TransitionCount, UnitCounts } from './counts.ts';
import type { CatalogIndex } from './catalog-index.ts';
import type { DomainCount } from './domains.ts';
import { noProbes, type ProbeLedger } from './probe-ledger.ts';
import type { Servers } from './server-health.ts';
import { emptyTable, lookUp, type Table } from './table.ts';
import type { Trials } from './trials.ts';
import { noYields, type Yield } from './yields.ts';
import { type Abundance, noAbundance } from '#core/statistics/richness/abundance.ts';

/** Draws without a successful call after which a tool is set aside. */
export const setAsideDraws = 10;

/** What the steered units did with a tool. */
export interface ToolCount {
  /** Draws that had it among their candidates. */
  readonly draws: number;
  /** Calls in the traces of accepted and rejected units, with any outcome. */
  readonly calls: number;
  /** Successful calls. */
  readonly successes: number;
}

/** A unit that was in review; `settled` once its decision has been committed. */
export interface Review {
  readonly unit: string;
  readonly probe: boolean;
  readonly settled: boolean;
}

/** Everything that an exploration has learned. Immutable: a commit returns a new one. */
export interface ExplorationState {
  readonly catalog: CatalogIndex;
  /** The last round committed; 0 before the first. */
  readonly round: number;
  readonly units: UnitCounts;
  /** By tool number; a tool without an entry has only zeros. */
  readonly tools: Table<number, ToolCount>;
  /** Tools with a successful call. */
  readonly coveredTools: number;
  /** Tools with a call, whatever its outcome. */
  readonly calledTools: number;
  readonly setAsideTools: number;
  /** Set-aside tools without any call. */
  readonly hopelessTools: number;
  /** By transition number; transitions that were executed or expected. */
  readonly transitions: Table<number, TransitionCount>;
  /** Abundance of the executed transitions: S, n and f. */
  readonly abundance: Abundance;
  /** Executed transitions in which a value passed at least once. */
  readonly valuesPassed: number;
  readonly domains: Table<string, DomainCount>;
  readonly probes: ProbeLedger;
  readonly trials: Trials;
  /** The counts of each kind of pair, in the order of the kinds. */
  readonly yields: readonly Yield[];
  readonly reviews: Table<string, Review>;
  readonly servers: Servers;
  /** Chao1 after each of the last rounds that observed something, oldest first. */
  readonly recentChao1: readonly number[];
  /** The largest lower bound of probeCoverage so far. */
  readonly anytimeLow: number;
  /** Number of looks at that bound: see `countLooksAllowedByProbes`. */
  readonly looks: number;
}

/** Returns the initial state for a catalog. */
export const initialState = (catalog: CatalogIndex): ExplorationState => ({
  catalog,
  round: 0,
  units: { accepted: 0, review: 0, rejected: 0, lost: 0, dropped: 0, probes: 0 },
  tools: emptyTable(),
  coveredTools: 0,
  calledTools: 0,
  setAsideTools: 0,
  hopelessTools: 0,
  transitions: emptyTable(),
  abundance: noAbundance,
  valuesPassed: 0,
  domains: emptyTable(),
  probes: noProbes,
  trials: emptyTable(),
  yields: noYields,
  reviews: emptyTable(),
  servers: new Map(),
  recentChao1: [],
  anytimeLow: 0,
  looks: 0,
});

export const neverUsed: ToolCount = { draws: 0, calls: 0, successes: 0 };

/** Returns whether a tool was drawn so often without a success that it is no longer waited for. */
export const isSetAside = (count: ToolCount): boolean => count.draws >= setAsideDraws && count.successes === 0;

/** Returns whether a tool was set aside before it was ever called. */
export const isSetAsideUncalled = (count: ToolCount): boolean => isSetAside(count) && count.calls === 0;

/** Returns whether a tool has a successful call in a steered unit that was accepted or rejected. */
export const hasToolSucceeded = (
  { catalog, tools }: Pick<ExplorationState, 'catalog' | 'tools'>,
  tool: string,
): boolean => {
  const number = catalog.numbers.get(tool);
  return number !== undefined && (lookUp(tools, number)?.successes ?? 0) > 0;
};

export interface NodeCoverage {
  /** Tools with a successful call in a steered unit that was accepted or rejected. */
  readonly covered: number;
  /** Tools of the catalog that are not set aside. */
  readonly of: number;
  /** `covered / of`, 0..1; 0 if every tool is set aside. */
  readonly value: number;
  readonly setAside: number;
}

/** Returns the share of the catalog's tools that have been called successfully. */
export const nodeCoverage = (state: ExplorationState): NodeCoverage => {
  const of = state.catalog.tools.length - state.setAsideTools;
  return {
    covered: state.coveredTools,
    of,
    value: of === 0 ? 0 : state.coveredTools / of,
    setAside: state.setAsideTools,
  };
};

/**
 * Returns the share of the catalog's tools that a steered unit, accepted or rejected, called with any outcome: C_node of
 * the paper (Definition 3), which counts a failed call and every tool. 0 for an empty catalog.
 */
export const calledCoverage = ({
  catalog,
  calledTools,
}: Pick<ExplorationState, 'catalog' | 'calledTools'>): Omit<NodeCoverage, 'setAside'> => {
  const of = catalog.tools.length;
  return { covered: calledTools, of, value: of === 0 ? 0 : calledTools / of };
};

/** Returns whether every tool was called, except those that were set aside without a call. */
export const isEveryToolCalledOrHopeless = ({ catalog, calledTools, hopelessTools }: ExplorationState): boolean =>
  calledTools + hopelessTools === catalog.tools.length;
