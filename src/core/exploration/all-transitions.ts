import {
  countEstimateWithin,
  estimateByRecaptureOrNull,
  type CountEstimate,
} from '#core/statistics/richness/recapture.ts';
import { chao1WithInterval } from '#core/statistics/richness/chao1.ts';
import type { Abundance } from '#core/statistics/richness/abundance.ts';
import type { ClusterSums } from '#core/statistics/richness/probe-coverage.ts';
import type { ExplorationConfig, StrategyName } from './config.ts';
import type { AllTransitions } from './reading-record.ts';
import { strategies } from './strategies.ts';

/** What an estimate of all transitions is made of. */
export interface FoundSoFar {
  /** Tools of the catalog, which has none whose effect its servers do not allow. */
  readonly tools: number;
  /** The transitions that the steered units executed. */
  readonly abundance: Abundance;
  readonly probes: ClusterSums;
  /** The transitions of probes that the steered units have not executed, by the number of probes. */
  readonly unfound: Abundance;
}

/** Returns how many transitions so many tools could make: ordered pairs of different ones. */
export const countPossibleTransitions = (tools: number): number => tools * (tools - 1);

/**
 * Estimates how many transitions there are in all, never fewer than were found and never more than can exist. Chao1 assumes draws that do not
 * look at what was found, so where a strategy steers the probes decide; where Chao1 was published with the strategy, it stays.
 */
export function estimateAllTransitions(
  strategy: StrategyName,
  { tools, abundance, probes, unfound }: FoundSoFar,
): AllTransitions {
  const { S } = abundance;
  const possible = Math.max(S, countPossibleTransitions(tools));
  const { estimateFrom: from } = strategies[strategy];
  const recapture = estimateByRecaptureOrNull(S, probes);
  const made = from === 'recapture' ? recapture : S === 0 ? null : chao1Estimate(abundance, 0);
  return {
    possible,
    probes: probes.probes,
    estimate: made && { from, ...countEstimateWithin(made, S, possible) },
    // What was not found is drawn by the probes alone, whatever steers the units.
    byProbesAlone: recapture && countEstimateWithin(chao1Estimate(unfound, S), S, possible),
  };
}

function chao1Estimate(abundance: Abundance, beside: number): CountEstimate {
  const { estimate, low, high } = chao1WithInterval(abundance);
  return { value: beside + estimate, low: beside + low, high: beside + high };
}

/**
 * Returns why a run may not stop or be measured as its configuration says, with what would be right: a rule that reads Chao1 where the strategy
 * steers, or a bound above what its tools can make. Null if it may.
 */
export function unsoundStopTextOrNull(
  { strategy, stop, bound }: Pick<ExplorationConfig, 'strategy' | 'stop' | 'bound'>,
  tools: number,
): string | null {
  if (stop.rule === 'chao1' && strategies[strategy].estimateFrom !== 'chao1') {
    const others = Object.entries(strategies).flatMap(([name, { estimateFrom }]) =>
      estimateFrom === 'chao1' ? [name] : [],
    );
    return `stop.rule: chao1 does not hold under ${strategy}, whose units avoid what is known; take the rule probe, or one of the strategies ${others.join(', ')}`;
  }
  const possible = countPossibleTransitions(tools);
  if (bound === undefined || bound <= possible) return null;
  return `bound: ${bound} is more than the ${possible} transitions that ${tools} tools can make`;
}
