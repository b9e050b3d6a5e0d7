import { type CatalogIndex, transitionNumber } from './catalog-index.ts';
import { domainHeatMapAfterTransitions } from './domains.ts';
import type { UnitOutcome } from './outcome.ts';
import { type Probe, probeLedgerAfterCommit } from './probe-ledger.ts';
import { neverSeen, type TransitionCount } from './counts.ts';
import { type ExplorationState, isSetAsideUncalled, isSetAside, neverUsed, type ToolCount } from './state.ts';
import { type Draft, makeDraft, lookUpInDraftOrItsTable, tableWithDraftChanges, lookUp } from './table.ts';
import { type Trial, rememberedTrialsAfterMore } from './trials.ts';
import { yieldsAfterCommit } from './yields.ts';
import { abundanceAfterChanges } from '#core/statistics/richness/abundance.ts';
import { neighbouringToolPairs, transitionsOfSuccessfulCalls, type Transition } from '#core/traces/transitions.ts';

/** A unit to count, and whether its draws count too. */
export interface OutcomeToCount {
  readonly outcome: UnitOutcome;
  readonly countDraws: boolean;
}

/** Counters and registries after learning, with the numbers of what changed. */
export interface CountedOutcomes {
  readonly state: ExplorationState;
  readonly tools: readonly number[];
  readonly transitions: readonly number[];
  /** Executed for the first time. */
  readonly discovered: readonly number[];
  readonly probes: readonly Probe[];
  readonly trials: readonly Trial[];
}

/**
 * Counts units in counters, registries and the probe ledger, in any order. Only accepted units teach about transitions;
 * about calls, also those that were rejected because no call succeeded. Draws count for units in
 * any state, because a tool for which nothing can be written must be set aside eventually; but not for dropped units,
 * because a fault says nothing about tools. Probes are counted only in the ledger.
 */
export const stateAndChangesAfterOutcomes = (
  state: ExplorationState,
  round: number,
  outcomes: readonly OutcomeToCount[],
): CountedOutcomes => {
  const { catalog } = state;
  const tools = makeDraft(state.tools);
  const transitions = makeDraft(state.transitions);
  const arrived: Omit<Probe, 'found'>[] = [];
  const trials: Trial[] = [];
  for (const { outcome, countDraws } of outcomes) {
    const accepted = outcome.status === 'accepted';
    if (outcome.probe) {
      if (!accepted) continue;
      const executed = [...executedTransitionNumbers(catalog, outcome)].toSorted(compareNumbers);
      arrived.push({ unit: outcome.unit, round, transitions: executed });
      continue;
    }
    if (countDraws && outcome.status !== 'dropped') {
      addUnitToDrawCounts(catalog, tools, outcome);
      trials.push(...listSetTrialsOfUnit(catalog, round, outcome));
    }
    if (accepted || outcome.status === 'rejected') addUnitToCallCounts(catalog, tools, outcome);
    if (!accepted) continue;
    addUnitToTransitionCounts(catalog, transitions, outcome);
  }
  const countBefore = (number: number): TransitionCount => lookUp(state.transitions, number) ?? neverSeen;
  const changes = Array.from(transitions.changed, ([number, count]) => ({
    number,
    before: countBefore(number).executed,
    after: count.executed,
  }));
  const discovered = changes.filter((change) => change.before === 0 && change.after > 0).map(({ number }) => number);
  const known = tableWithDraftChanges(transitions);
  const isKnown = (number: number): boolean => (lookUp(known, number)?.executed ?? 0) > 0;
  const probes = probeLedgerAfterCommit(state.probes, discovered, arrived, isKnown);
  const newlyPassed = [...transitions.changed].filter(
    ([number, count]) => count.valuePassed > 0 && countBefore(number).valuePassed === 0,
  );
  return {
    state: {
      ...state,
      trials: rememberedTrialsAfterMore(state.trials, trials),
      yields: yieldsAfterCommit(state.yields, catalog, known, state.trials, { trials, discovered }),
      tools: tableWithDraftChanges(tools),
      ...countToolsByStateAfterDraft(state, tools),
      transitions: known,
      abundance: abundanceAfterChanges(state.abundance, changes),
      valuesPassed: state.valuesPassed + newlyPassed.length,
      domains: domainHeatMapAfterTransitions(state.domains, catalog, changes),
      probes,
    },
    tools: [...tools.changed.keys()].toSorted(compareNumbers),
    transitions: [...transitions.changed.keys()].toSorted(compareNumbers),
    discovered: discovered.toSorted(compareNumbers),
    probes: arrived.flatMap(({ unit }) => lookUp(probes.probes, unit) ?? []),
    trials,
  };
};

const compareNumbers = (a: number, b: number): number => a - b;

const distinctTransitionNumbers = (catalog: CatalogIndex, pairs: readonly Transition[]): Set<number> =>
  new Set(pairs.flatMap((pair) => transitionNumber(catalog, pair) ?? []));

const executedTransitionNumbers = (catalog: CatalogIndex, { traces }: UnitOutcome): Set<number> =>
  distinctTransitionNumbers(
    catalog,
    traces.flatMap(({ calls }) => transitionsOfSuccessfulCalls(calls)),
  );

const updateToolCountInDraft = (
  catalog: CatalogIndex,
  tools: Draft<number, ToolCount>,
  tool: string,
  by: (count: ToolCount) => ToolCount,
): void => {
  const number = catalog.numbers.get(tool);
  if (number !== undefined) tools.changed.set(number, by(lookUpInDraftOrItsTable(tools, number) ?? neverUsed));
};

const addUnitToDrawCounts = (catalog: CatalogIndex, tools: Draft<number, ToolCount>, { draws }: UnitOutcome): void => {
  for (const draw of draws)
    for (const tool of new Set(draw))
      updateToolCountInDraft(catalog, tools, tool, (count) => ({ ...count, draws: count.draws + 1 }));
};

/**
 * Returns the rejected sets of a unit, and the set from which its chain was written. If the writer gave no usable
 * answer (the unit is then rejected without a chain), nobody knows what it would have done with the last set.
 */
const listSetTrialsOfUnit = (catalog: CatalogIndex, round: number, { draws, chain, status }: UnitOutcome): Trial[] =>
  (chain.length === 0 && status !== 'lost' ? draws.slice(0, -1) : draws)
    .map((draw, attempt) => {
      const candidates = distinctNumbersOfCatalogTools(catalog, draw);
      const steps = attempt === draws.length - 1 ? distinctNumbersOfCatalogTools(catalog, chain) : [];
      return { round, candidates, chain: steps.filter((tool) => candidates.includes(tool)) };
    })
    .filter(({ candidates }) => candidates.length > 1);

/** Returns the numbers of these tools, each once, in order of first occurrence, without those that the catalog lacks. */
const distinctNumbersOfCatalogTools = (catalog: CatalogIndex, tools: readonly string[]): number[] => [
  ...new Set(tools.flatMap((tool) => catalog.numbers.get(tool) ?? [])),
];

const addUnitToCallCounts = (catalog: CatalogIndex, tools: Draft<number, ToolCount>, { traces }: UnitOutcome): void => {
  for (const { calls } of traces)
    for (const { tool, ok } of calls)
      updateToolCountInDraft(catalog, tools, tool, (count) => ({
        ...count,
        calls: count.calls + 1,
        successes: count.successes + (ok ? 1 : 0),
      }));
};

const addUnitToTransitionCounts = (
  catalog: CatalogIndex,
  transitions: Draft<number, TransitionCount>,
  outcome: UnitOutcome,
): void => {
  const executed = executedTransitionNumbers(catalog, outcome);
  const expected = distinctTransitionNumbers(catalog, neighbouringToolPairs(outcome.chain));
  const passed = distinctTransitionNumbers(catalog, outcome.valuePassed);
  for (const number of new Set([...executed, ...expected])) {
    const count = lookUpInDraftOrItsTable(transitions, number) ?? neverSeen;
    transitions.changed.set(number, {
      executed: count.executed + (executed.has(number) ? 1 : 0),
      expected: count.expected + (expected.has(number) ? 1 : 0),
      valuePassed: count.valuePassed + (executed.has(number) && passed.has(number) ? 1 : 0),
    });
  }
};

const countToolsByStateAfterDraft = (
  state: ExplorationState,
  tools: Draft<number, ToolCount>,
): Pick<ExplorationState, 'coveredTools' | 'calledTools' | 'setAsideTools' | 'hopelessTools'> => ({
  coveredTools: state.coveredTools + countToolsGainingProperty(state, tools, ({ successes }) => successes > 0),
  calledTools: state.calledTools + countToolsGainingProperty(state, tools, ({ calls }) => calls > 0),
  setAsideTools: state.setAsideTools + countToolsGainingProperty(state, tools, isSetAside),
  hopelessTools: state.hopelessTools + countToolsGainingProperty(state, tools, isSetAsideUncalled),
});

/** Returns by how many tools more a property holds after the changes than before. */
const countToolsGainingProperty = (
  state: ExplorationState,
  tools: Draft<number, ToolCount>,
  holds: (count: ToolCount) => boolean,
): number => {
  let more = 0;
  for (const [number, count] of tools.changed)
    more += Number(holds(count)) - Number(holds(lookUp(state.tools, number) ?? neverUsed));
  return more;
};
