import { makeChainSampler } from './chain/chain.ts';
import type { StrategyName } from './config.ts';
import type { EstimateSource } from './reading-record.ts';
import { makeFrontierSampler } from './frontier/frontier.ts';
import {
  listToolsOfDrawableServers,
  makeHierarchicalSampler,
  makeInverseCallFrequencySampler,
  type Sampler,
  makeTwoPhaseSampler,
} from './samplers.ts';
import type { SamplingParameters } from './sampling.ts';

/** How units get their candidate tools, and what the generator is told about them. */
export interface Strategy {
  readonly makeSampler: (parameters: SamplingParameters) => Sampler;
  /** Whether the sampler reads the catalog's schema hints, which take seconds to compute for 10,000 tools. */
  readonly readsSchemas: boolean;
  /** Whether the generator is told which transitions among the candidates are known. */
  readonly listsKnownTransitions: boolean;
  /** Whether earlier finds influence what is drawn or written next; Chao1 then overshoots. */
  readonly usesFeedback: boolean;
  /** What estimates the number of all transitions: Chao1 where it was published with the strategy. */
  readonly estimateFrom: EstimateSource;
  /**
   * Whether the generator sees the whole catalog and writes units itself, without a scenario; nothing is drawn then.
   */
  readonly seesCatalog: boolean;
  /** Number of units in one answer of the generator. */
  readonly unitsPerAnswer: number;
  /** Whether its units become tasks: graded, and with a fuzzy wording as their second request. */
  readonly makesTasks: boolean;
}

const makeSteeringStrategy = (makeSampler: Strategy['makeSampler']): Strategy => ({
  makeSampler,
  readsSchemas: false,
  listsKnownTransitions: true,
  usesFeedback: true,
  estimateFrom: 'recapture',
  seesCatalog: false,
  unitsPerAnswer: 1,
  makesTasks: false,
});

/**
 * How probes are drawn and written under every strategy: without feedback, with the parameters of their run, so that
 * `probeCoverage` speaks of the units that the run would write if nothing steered it.
 */
export const probeStrategy: Strategy = {
  ...makeSteeringStrategy(makeHierarchicalSampler),
  listsKnownTransitions: false,
  usesFeedback: false,
  estimateFrom: 'chao1',
};

/** The strategies by their names. */
export const strategies: Readonly<Record<StrategyName, Strategy>> = {
  'inverse-frequency': makeSteeringStrategy(makeInverseCallFrequencySampler),
  hierarchical: makeSteeringStrategy(makeHierarchicalSampler),
  sgvef: { ...makeSteeringStrategy(makeTwoPhaseSampler), estimateFrom: 'chao1' },
  frontier: { ...makeSteeringStrategy(makeFrontierSampler), readsSchemas: true },
  chain: { ...makeSteeringStrategy(makeChainSampler), readsSchemas: true, makesTasks: true },
  sgve: probeStrategy,
  gve: { ...probeStrategy, makeSampler: () => listToolsOfDrawableServers, seesCatalog: true, unitsPerAnswer: 5 },
};
