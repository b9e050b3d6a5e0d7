import { nodeCoverage, type ExplorationState } from '#core/exploration/state.ts';
import { classesSeenTimes } from '#core/richness/abundance.ts';
import { chao1 } from '#core/richness/chao1.ts';
import { probeShare } from '#core/richness/probe-coverage.ts';
import { sampleCoverage } from '#core/richness/sample-coverage.ts';
import type { RoundReading } from './reading-record.ts';

/** Computes the reading of a state. Its cost does not grow with the run. */
export const computeReading = (state: ExplorationState): RoundReading => {
  const { abundance, probes } = state;
  const [f1, f2, f3] = [classesSeenTimes(abundance, 1), classesSeenTimes(abundance, 2), classesSeenTimes(abundance, 3)];
  const { S, n } = abundance;
  const estimate = chao1(abundance);
  const share = probeShare(probes.sums);
  return {
    round: state.round,
    units: state.units,
    transitions: S,
    n,
    f1,
    f2,
    f3,
    valuesPassed: state.valuesPassed,
    chao1: estimate,
    sampleCoverage: sampleCoverage(abundance),
    // 0 within 0..1 before the first. It flatters: Chao1 is a lower bound at best.
    transitionCoverage:
      S === 0
        ? { value: 0, low: 0, high: 1 }
        : { value: S / estimate.estimate, low: S / estimate.high, high: S / estimate.low },
    f1ToF3: f3 === 0 ? null : f1 / f3,
    f2ToF3: f3 === 0 ? null : f2 / f3,
    nodeCoverage: nodeCoverage(state),
    probeCoverage: share && {
      ...share,
      anytimeLow: state.anytimeLow,
      transitions: probes.sums.size,
      probes: probes.sums.probes,
    },
  };
};
