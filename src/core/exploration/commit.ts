import type { UnitCounts } from './counts.ts';
import { stateAndChangesAfterOutcomes, type CountedOutcomes } from './count-outcomes.ts';
import { transitionsByNumbers } from './catalog-index.ts';
import type { UnitOutcome } from './outcome.ts';
import { type Rows, makeStateRowsOfSelection } from './rows.ts';
import { serverHealthAfterRound, type HealthChanges } from './server-health.ts';
import type { ExplorationState, Review } from './state.ts';
import { lookUp, tableWithEntries } from './table.ts';
import { plateauReadings } from './plateau.ts';
import { chao1WithInterval } from '#core/statistics/richness/chao1.ts';
import { anytimeLowerBoundOfFoundShare, countLooksAllowedByProbes } from '#core/statistics/richness/probe-coverage.ts';
import type { Transition } from '#core/traces/transitions.ts';

/** The result of a commit. `state` is always the one to continue with. */
export type Commit =
  | {
      readonly kind: 'committed';
      readonly state: ExplorationState;
      /** The rows to write: exactly those that changed. */
      readonly touched: Rows;
      /** Transitions that a steered unit executed for the first time. */
      readonly discovered: readonly Transition[];
      readonly health: HealthChanges;
    }
  /** The round, or the unit's decision, was committed before: nothing changed. */
  | { readonly kind: 'repeated'; readonly state: ExplorationState }
  /** An earlier round is missing, or the unit was never in review: nothing changed. */
  | { readonly kind: 'out-of-order'; readonly state: ExplorationState };

/**
 * Returns the commit of a round's units, in any order: the new state, and the rows to write. A round that was committed
 * before changes nothing. Rounds must follow each other without gaps, from 1.
 */
export const makeCommitOfFinishedRound = (
  state: ExplorationState,
  round: number,
  outcomes: readonly UnitOutcome[],
): Commit => {
  if (round <= state.round) return { kind: 'repeated', state };
  if (round !== state.round + 1) return { kind: 'out-of-order', state };
  const reviews = outcomes
    .filter(({ status }) => status === 'review')
    .map(({ unit, probe }): Review => ({ unit, probe, settled: false }));
  let units = state.units;
  for (const { probe, status } of outcomes) units = unitCountsWithAdded(units, probe ? 'probes' : status, 1);
  const counted = stateAndChangesAfterOutcomes(
    state,
    round,
    outcomes.map((outcome) => ({ outcome, countDraws: true })),
  );
  return makeCommit({ ...counted, state: { ...counted.state, round, units } }, outcomes, reviews, (after) => ({
    ...after,
    // A round that observed nothing does not show whether the estimate has settled.
    recentChao1:
      after.abundance.n === state.abundance.n
        ? after.recentChao1
        : [...after.recentChao1, chao1WithInterval(after.abundance).estimate].slice(-plateauReadings),
    ...anytimeBoundAfterLook(after),
  }));
};

/**
 * Returns the commit of a unit after its review: accepted and executed, rejected, or dropped by a fault. Its draws were counted with
 * its round. A probe's late transitions are added to the ledger. `anytimeLow` and the stop rule's history wait
 * for the next round.
 */
export const makeCommitOfReviewedUnitOnce = (state: ExplorationState, outcome: UnitOutcome): Commit => {
  const review = lookUp(state.reviews, outcome.unit);
  if (!review || (outcome.status === 'review' && !review.settled)) return { kind: 'out-of-order', state };
  if (review.settled) return { kind: 'repeated', state };
  const units = review.probe
    ? state.units
    : unitCountsWithAdded(unitCountsWithAdded(state.units, 'review', -1), outcome.status, 1);
  const counted = stateAndChangesAfterOutcomes(state, state.round, [
    { outcome: { ...outcome, probe: review.probe }, countDraws: false },
  ]);
  return makeCommit(
    { ...counted, state: { ...counted.state, units } },
    [outcome],
    [{ ...review, settled: true }],
    (after) => after,
  );
};

/** Returns the anytime bound, after another look if there are enough probes by now. */
const anytimeBoundAfterLook = ({
  anytimeLow: low,
  looks,
  probes,
}: ExplorationState): Pick<ExplorationState, 'anytimeLow' | 'looks'> => {
  const allowed = countLooksAllowedByProbes(probes.sums.probes);
  return allowed > looks
    ? { anytimeLow: Math.max(low, anytimeLowerBoundOfFoundShare(probes.sums)), looks: allowed }
    : { anytimeLow: low, looks };
};

const unitCountsWithAdded = (units: UnitCounts, kind: keyof UnitCounts, by: number): UnitCounts => ({
  ...units,
  [kind]: units[kind] + by,
});

const makeCommit = (
  counted: CountedOutcomes,
  outcomes: readonly UnitOutcome[],
  reviews: readonly Review[],
  read: (state: ExplorationState) => ExplorationState,
): Commit => {
  const { catalog } = counted.state;
  const servers = serverHealthAfterRound(
    counted.state.servers,
    counted.state.round,
    new Set(outcomes.flatMap(({ faults }) => faults.map(({ server }) => server))),
    serversWithSuccess(counted.state, outcomes),
  );
  const state = read({
    ...counted.state,
    reviews: tableWithEntries(counted.state.reviews, new Map(reviews.map((review) => [review.unit, review]))),
    servers: servers.servers,
  });
  return {
    kind: 'committed',
    state,
    touched: makeStateRowsOfSelection(state, { ...counted, reviews, servers: servers.changed }),
    discovered: transitionsByNumbers(catalog, counted.discovered),
    health: servers.changes,
  };
};

// Server health is not knowledge about tools, so probes and dropped units count here too.
const serversWithSuccess = ({ catalog }: ExplorationState, outcomes: readonly UnitOutcome[]): Set<string> => {
  const servers = new Set<string>();
  for (const { traces } of outcomes)
    for (const { calls } of traces)
      for (const { tool, ok } of calls) {
        const number = ok ? catalog.numbers.get(tool) : undefined;
        const server = number === undefined ? undefined : catalog.tools[number]?.server;
        if (server !== undefined) servers.add(server);
      }
  return servers;
};
