import type { StrategyName } from '#core/exploration/config.ts';
import { frontier } from '#core/exploration/frontier/frontier.ts';
import {
  defaultSampling,
  everything,
  hierarchical,
  inverseFrequency,
  type Sampler,
  twoPhase,
} from '#core/exploration/samplers.ts';

/** How units get their candidate tools, and what the generator is told about them. */
export interface Strategy {
  readonly sampler: Sampler;
  /** Whether the sampler reads the catalog's schema hints, which take seconds to compute for 10,000 tools. */
  readonly readsSchemas: boolean;
  /** Whether the generator is told which transitions among the candidates are known. */
  readonly tellsKnown: boolean;
  /** Whether earlier finds influence what is drawn or written next; Chao1 then overshoots. */
  readonly steers: boolean;
  /**
   * Whether the generator sees the whole catalog and writes units itself, without a scenario; nothing is drawn then.
   */
  readonly seesCatalog: boolean;
  /** Number of units in one answer of the generator. */
  readonly unitsPerAnswer: number;
}

const steered = (sampler: Sampler): Strategy => ({
  sampler,
  readsSchemas: false,
  tellsKnown: true,
  steers: true,
  seesCatalog: false,
  unitsPerAnswer: 1,
});

/** How probes are drawn and written under every strategy: without feedback. */
export const probeStrategy: Strategy = { ...steered(hierarchical(defaultSampling)), tellsKnown: false, steers: false };

/** The strategies by their names. */
export const strategies: Readonly<Record<StrategyName, Strategy>> = {
  'inverse-frequency': steered(inverseFrequency(defaultSampling)),
  hierarchical: steered(hierarchical(defaultSampling)),
  sgvef: steered(twoPhase(defaultSampling)),
  frontier: { ...steered(frontier(defaultSampling)), readsSchemas: true },
  sgve: probeStrategy,
  gve: { ...probeStrategy, sampler: everything, seesCatalog: true, unitsPerAnswer: 5 },
};
