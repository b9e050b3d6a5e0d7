import { estimateAllTransitions } from './all-transitions.ts';
import type { ExplorationConfig } from './config.ts';
import { chao1PlateauMeanOrNull } from './plateau.ts';
import { strategies } from './strategies.ts';
import { calledCoverage, nodeCoverage, type ExplorationState } from './state.ts';
import { countClassesSeenTimes } from '#core/statistics/richness/abundance.ts';
import { chao1WithInterval, type Chao1 } from '#core/statistics/richness/chao1.ts';
import { computeFoundShareWithIntervalOrNull } from '#core/statistics/richness/probe-coverage.ts';
import { sampleCoverage } from '#core/statistics/richness/sample-coverage.ts';
import type { RoundReading } from './reading-record.ts';

/**
 * Computes the reading of a state of a run with this strategy and the fixed bound that it was given, if any. Its cost does not grow with the
 * run.
 */
export const computeRoundReading = (
  state: ExplorationState,
  { strategy, bound }: Pick<ExplorationConfig, 'strategy' | 'bound'>,
): RoundReading => {
  const { abundance, probes } = state;
  const [f1, f2, f3] = [
    countClassesSeenTimes(abundance, 1),
    countClassesSeenTimes(abundance, 2),
    countClassesSeenTimes(abundance, 3),
  ];
  const { S, n } = abundance;
  const estimate = chao1WithInterval(abundance);
  const share = computeFoundShareWithIntervalOrNull(probes.sums);
  const called = calledCoverage(state);
  const executed = transitionCoverage(S, estimate, bound);
  return {
    round: state.round,
    units: state.units,
    transitions: S,
    n,
    f1,
    f2,
    f3,
    valuesPassed: state.valuesPassed,
    allTransitions: estimateAllTransitions(strategy, {
      tools: state.catalog.tools.length,
      abundance,
      probes: probes.sums,
      unfound: probes.unfound,
    }),
    chao1: estimate,
    sampleCoverage: sampleCoverage(abundance),
    transitionCoverage: executed,
    plateau: strategies[strategy].estimateFrom === 'chao1' ? chao1PlateauMeanOrNull(state.recentChao1) : null,
    f1ToF3: f3 === 0 ? null : f1 / f3,
    f2ToF3: f3 === 0 ? null : f2 / f3,
    nodeCoverage: nodeCoverage(state),
    calledCoverage: called,
    // SGVEF-Loop, equation 1, with both weights 0.5: the paper names them without values.
    objective: (called.value + executed.value) / 2,
    probeCoverage: share && {
      ...share,
      anytimeLow: state.anytimeLow,
      transitions: probes.sums.size,
      probes: probes.sums.probes,
    },
  };
};

/** Returns the share of all transitions that were executed. A share of Chao1 flatters: it is a lower bound at best. */
const transitionCoverage = (
  S: number,
  estimate: Chao1,
  bound: number | undefined,
): NonNullable<RoundReading['transitionCoverage']> => {
  // The bound is taken as known; what its pilot did not know is in no interval.
  if (bound !== undefined) return { value: S / bound, low: S / bound, high: S / bound, bound };
  // 0 within 0..1 before the first.
  if (S === 0) return { value: 0, low: 0, high: 1, bound: null };
  return { value: S / estimate.estimate, low: S / estimate.high, high: S / estimate.low, bound: null };
};
