import {
  type Draft,
  makeDraft,
  lookUpInDraftOrItsTable,
  emptyTable,
  tableWithDraftChanges,
  lookUp,
  type Table,
} from './table.ts';
import { type Abundance, abundanceAfterChanges, noAbundance } from '#core/statistics/richness/abundance.ts';
import { type ClusterSums, noClusters, sumsWithProbeAddedOrRemoved } from '#core/statistics/richness/probe-coverage.ts';

/** An executed probe: its distinct transitions, and how many of them the steered units have found. */
export interface Probe {
  readonly unit: string;
  readonly round: number;
  /** Numbers of its transitions, ascending. */
  readonly transitions: readonly number[];
  readonly found: number;
}

/** The probes of a run, kept out of its feedback. */
export interface ProbeLedger {
  readonly probes: Table<string, Probe>;
  /** The probes that wait for each transition that the steered units have not found yet. */
  readonly waiting: Table<number, readonly string[]>;
  readonly sums: ClusterSums;
  /** The transitions that the steered units have not found yet, by the number of probes that made them. */
  readonly unfound: Abundance;
}

export const noProbes: ProbeLedger = {
  probes: emptyTable(),
  waiting: emptyTable(),
  sums: noClusters,
  unfound: noAbundance,
};

/**
 * Returns the ledger after the steered units found `discovered` and the probes `arrived`; `isFound` says whether the
 * steered units have found a transition by now. The cost depends only on what is new.
 */
export const probeLedgerAfterCommit = (
  ledger: ProbeLedger,
  discovered: Iterable<number>,
  arrived: readonly Omit<Probe, 'found'>[],
  isFound: (transition: number) => boolean,
): ProbeLedger => {
  const probes = makeDraft(ledger.probes);
  const waiting = makeDraft(ledger.waiting);
  let { sums } = ledger;
  for (const transition of discovered) {
    for (const unit of lookUp(ledger.waiting, transition) ?? []) {
      const probe = lookUpInDraftOrItsTable(probes, unit);
      if (!probe) continue;
      const size = probe.transitions.length;
      sums = sumsWithProbeAddedOrRemoved(
        sumsWithProbeAddedOrRemoved(sums, size, probe.found, -1),
        size,
        probe.found + 1,
      );
      probes.changed.set(unit, { ...probe, found: probe.found + 1 });
    }
    if (lookUp(ledger.waiting, transition)) waiting.changed.set(transition, []);
  }
  for (const probe of arrived) {
    const missing = probe.transitions.filter((transition) => !isFound(transition));
    for (const transition of missing) addProbeWaitingForTransition(waiting, transition, probe.unit);
    const found = probe.transitions.length - missing.length;
    probes.changed.set(probe.unit, { ...probe, found });
    sums = sumsWithProbeAddedOrRemoved(sums, probe.transitions.length, found);
  }
  const changes = Array.from(waiting.changed, ([transition, units]) => ({
    before: lookUp(ledger.waiting, transition)?.length ?? 0,
    after: units.length,
  }));
  return {
    probes: tableWithDraftChanges(probes),
    waiting: tableWithDraftChanges(waiting),
    sums,
    unfound: abundanceAfterChanges(ledger.unfound, changes),
  };
};

const addProbeWaitingForTransition = (
  waiting: Draft<number, readonly string[]>,
  transition: number,
  unit: string,
): void => {
  waiting.changed.set(transition, [...(lookUpInDraftOrItsTable(waiting, transition) ?? []), unit]);
};
