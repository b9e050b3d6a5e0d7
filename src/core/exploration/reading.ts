import { type ExplorationState, type NodeCoverage, nodeCoverage, type UnitCounts } from '#core/exploration/state.ts';
import { seenTimes } from '#core/richness/abundance.ts';
import { type Chao1, chao1 } from '#core/richness/chao1.ts';
import { type ProbeShare, probeShare } from '#core/richness/probe-coverage.ts';
import { sampleCoverage } from '#core/richness/sample-coverage.ts';
import type { Interval } from '#core/statistics/wilson.ts';

/** How much a run has found, and how much is left, after a round. */
export interface Reading {
  readonly round: number;
  readonly units: UnitCounts;
  /** Different executed transitions. */
  readonly S: number;
  /** Their units, added up. */
  readonly n: number;
  /** Transitions executed in one, two and three units. */
  readonly f1: number;
  readonly f2: number;
  readonly f3: number;
  /** Executed transitions in which a value passed at least once. */
  readonly valuesPassed: number;
  readonly chao1: Chao1;
  /** The chance that the next observation is of a known transition; 0 before the first. */
  readonly sampleCoverage: number;
  /** S / Chao1 with the interval that Chao1's gives; 0 within 0..1 while S is 0. It flatters: Chao1 is a lower bound at best. */
  readonly transitionCoverage: { readonly value: number } & Interval;
  /** f1/f3 and f2/f3; null while f3 is 0. */
  readonly ratios: { readonly f1f3: number | null; readonly f2f3: number | null };
  readonly nodeCoverage: NodeCoverage;
  /** The share of all probe transitions that the steered units have found; null before the first. */
  readonly probeCoverage:
    | (ProbeShare & {
        /** Holds at all readings of a run together with 95%; 0..1. */
        readonly anytimeLow: number;
        /** Probe transitions, each counted once a probe. */
        readonly transitions: number;
        /** Probes that made a transition. */
        readonly probes: number;
      })
    | null;
}

/** Reads a state. Its cost does not grow with the run. */
export const readingOf = (state: ExplorationState): Reading => {
  const { abundance, probes } = state;
  const [f1, f2, f3] = [seenTimes(abundance, 1), seenTimes(abundance, 2), seenTimes(abundance, 3)];
  const { S, n } = abundance;
  const estimate = chao1(abundance);
  const share = probeShare(probes.sums);
  return {
    round: state.round,
    units: state.units,
    S,
    n,
    f1,
    f2,
    f3,
    valuesPassed: state.valuesPassed,
    chao1: estimate,
    sampleCoverage: sampleCoverage(abundance),
    transitionCoverage:
      S === 0
        ? { value: 0, low: 0, high: 1 }
        : { value: S / estimate.estimate, low: S / estimate.high, high: S / estimate.low },
    ratios: { f1f3: f3 === 0 ? null : f1 / f3, f2f3: f3 === 0 ? null : f2 / f3 },
    nodeCoverage: nodeCoverage(state),
    probeCoverage: share && {
      ...share,
      anytimeLow: state.anytimeLow,
      transitions: probes.sums.size,
      probes: probes.sums.probes,
    },
  };
};
