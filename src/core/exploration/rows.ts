import { type CatalogIndex, toolsOfTransitionNumber, transitionNumber, transitionsByNumbers } from './catalog-index.ts';
import { domainHeatMapAfterTransitions } from './domains.ts';
import { type Probe, probeLedgerAfterCommit } from './probe-ledger.ts';
import type { ServerHealth } from './server-health.ts';
import { neverSeen, type TransitionCount, type TransitionRecord, type UnitCounts } from './counts.ts';
import {
  type ExplorationState,
  initialState,
  isSetAsideUncalled,
  isSetAside,
  neverUsed,
  type Review,
  type ToolCount,
} from './state.ts';
import { lookUp, tableWithEntries } from './table.ts';
import { type Trial, rememberedTrialsAfterMore } from './trials.ts';
import type { Yield } from './yields.ts';
import { makeAbundanceFromCounts } from '#core/statistics/richness/abundance.ts';
import type { Transition } from '#core/traces/transitions.ts';

export interface ToolRow extends ToolCount {
  readonly tool: string;
}

export interface ProbeRow {
  readonly unit: string;
  readonly round: number;
  readonly transitions: readonly Transition[];
}

/** The trials of a round; tools by number, because a run's catalog never changes. */
export interface TrialsRow {
  readonly round: number;
  readonly trials: readonly Pick<Trial, 'candidates' | 'chain'>[];
}

export interface ServerRow extends ServerHealth {
  readonly server: string;
}

/** The one small record of a run. */
export interface ScalarRow {
  readonly round: number;
  readonly units: UnitCounts;
  readonly recentChao1: readonly number[];
  readonly anytimeLow: number;
  readonly looks: number;
  readonly yields: readonly Yield[];
}

/**
 * A state as plain records, each kind with its own key (tool; from and to; unit; unit; server; round). Everything else
 * in a state follows from them. For a commit, these are the rows to write: those that it changed.
 */
export interface Rows {
  readonly tools: readonly ToolRow[];
  readonly transitions: readonly TransitionRecord[];
  readonly probes: readonly ProbeRow[];
  readonly reviews: readonly Review[];
  readonly servers: readonly ServerRow[];
  readonly trials: readonly TrialsRow[];
  readonly scalar: ScalarRow;
}

/** Which records of a state to write. */
export interface Selection {
  readonly tools: readonly number[];
  readonly transitions: readonly number[];
  readonly probes: readonly Probe[];
  readonly reviews: readonly Review[];
  readonly servers: readonly string[];
  /** The trials of a round, all together. */
  readonly trials: readonly Trial[];
}

/** Returns the selected records, tools and transitions in the catalog's order, the others by name. */
export const makeStateRowsOfSelection = (state: ExplorationState, selection: Selection): Rows => ({
  tools: selection.tools.flatMap((number) => {
    const tool = state.catalog.tools[number];
    return tool ? [{ tool: tool.name, ...(lookUp(state.tools, number) ?? neverUsed) }] : [];
  }),
  transitions: selection.transitions.flatMap((number) => {
    const pair = toolsOfTransitionNumber(state.catalog, number);
    if (!pair) return [];
    return [{ from: pair[0].name, to: pair[1].name, ...(lookUp(state.transitions, number) ?? neverSeen) }];
  }),
  probes: selection.probes
    .map(({ unit, round, transitions }) => ({
      unit,
      round,
      transitions: transitionsByNumbers(state.catalog, transitions),
    }))
    .toSorted(compareByUnit),
  reviews: selection.reviews.toSorted(compareByUnit),
  servers: selection.servers.flatMap((server) => {
    const health = state.servers.get(server);
    return health ? [{ server, ...health }] : [];
  }),
  trials: makeTrialRowsByRound(selection.trials),
  scalar: {
    round: state.round,
    units: state.units,
    recentChao1: state.recentChao1,
    anytimeLow: state.anytimeLow,
    looks: state.looks,
    yields: state.yields,
  },
});

/** Rebuilds the state from rows; rows of tools that the catalog lacks are skipped. */
export const rebuildStateFromRows = (catalog: CatalogIndex, rows: Rows): ExplorationState => {
  const tools = new Map<number, ToolCount>();
  for (const { tool, draws, calls, successes } of rows.tools) {
    const number = catalog.numbers.get(tool);
    if (number !== undefined) tools.set(number, { draws, calls, successes });
  }
  const transitions = new Map<number, TransitionCount>();
  for (const { from, to, executed, expected, valuePassed } of rows.transitions) {
    const number = transitionNumber(catalog, [from, to]);
    if (number !== undefined) transitions.set(number, { executed, expected, valuePassed });
  }
  const probes = rows.probes.map(({ unit, round, transitions: pairs }) => ({
    unit,
    round,
    transitions: pairs.flatMap((pair) => transitionNumber(catalog, pair) ?? []).toSorted((a, b) => a - b),
  }));
  const start = initialState(catalog);
  return {
    ...start,
    round: rows.scalar.round,
    units: rows.scalar.units,
    tools: tableWithEntries(start.tools, tools),
    coveredTools: countIf(tools.values(), ({ successes }) => successes > 0),
    calledTools: countIf(tools.values(), ({ calls }) => calls > 0),
    setAsideTools: countIf(tools.values(), isSetAside),
    hopelessTools: countIf(tools.values(), isSetAsideUncalled),
    transitions: tableWithEntries(start.transitions, transitions),
    abundance: makeAbundanceFromCounts(Array.from(transitions.values(), ({ executed }) => executed)),
    valuesPassed: countIf(transitions.values(), ({ valuePassed }) => valuePassed > 0),
    domains: domainHeatMapAfterTransitions(
      start.domains,
      catalog,
      Array.from(transitions, ([number, { executed }]) => ({ number, before: 0, after: executed })),
    ),
    probes: probeLedgerAfterCommit(start.probes, [], probes, (number) => (transitions.get(number)?.executed ?? 0) > 0),
    reviews: tableWithEntries(start.reviews, new Map(rows.reviews.map((review) => [review.unit, review]))),
    servers: new Map(rows.servers.map(({ server, strikes, outUntilRound }) => [server, { strikes, outUntilRound }])),
    recentChao1: rows.scalar.recentChao1,
    anytimeLow: rows.scalar.anytimeLow,
    looks: rows.scalar.looks,
    yields: rows.scalar.yields,
    trials: rows.trials
      .toSorted((a, b) => a.round - b.round)
      .reduce(
        (trials, { round, trials: made }) =>
          rememberedTrialsAfterMore(
            trials,
            made.map((trial) => ({ round, ...trial })),
          ),
        start.trials,
      ),
  };
};

const makeTrialRowsByRound = (trials: readonly Trial[]): TrialsRow[] =>
  Array.from(
    Map.groupBy(trials, ({ round }) => round),
    ([round, made]) => ({ round, trials: made.map(({ candidates, chain }) => ({ candidates, chain })) }),
  );

const compareByUnit = (a: { readonly unit: string }, b: { readonly unit: string }): number =>
  a.unit < b.unit ? -1 : 1;

const countIf = <T>(items: Iterable<T>, holds: (item: T) => boolean): number => {
  let count = 0;
  for (const item of items) if (holds(item)) count += 1;
  return count;
};
