import type { StrategyName } from '#core/exploration/config.ts';
import { frontier } from '#core/exploration/frontier/frontier.ts';
import {
  defaultSampling,
  everything,
  hierarchical,
  inverseFrequency,
  type Sampler,
  type SamplingParameters,
  twoPhase,
} from '#core/exploration/samplers.ts';

/** How units get their candidate tools, and what the generator is told about them. */
export interface Strategy {
  readonly sampler: Sampler;
  /** Whether the generator learns which transitions among the candidates are known. */
  readonly tellsKnown: boolean;
  /** Whether the generator sees the whole catalog and writes units itself, without a scenario; nothing is drawn then. */
  readonly seesCatalog: boolean;
  /** Units that one answer of the generator brings. */
  readonly unitsPerAnswer: number;
}

/** How candidate tools are drawn, by the name of the strategy. */
export const strategyOf = (name: StrategyName, parameters: SamplingParameters = defaultSampling): Strategy => {
  switch (name) {
    case 'inverse-frequency':
      return steered(inverseFrequency(parameters));
    case 'hierarchical':
      return steered(hierarchical(parameters));
    case 'sgvef':
      return steered(twoPhase(parameters));
    case 'frontier':
      return steered(frontier(parameters));
    case 'sgve':
      return unsteered(parameters);
    case 'gve':
      return { sampler: everything, tellsKnown: false, seesCatalog: true, unitsPerAnswer: 5 };
  }
};

/** How probes are drawn and written, whatever the strategy of the run: without feedback. */
export const probeStrategy = (parameters: SamplingParameters = defaultSampling): Strategy => unsteered(parameters);

const steered = (sampler: Sampler): Strategy => ({ sampler, tellsKnown: true, seesCatalog: false, unitsPerAnswer: 1 });

const unsteered = (parameters: SamplingParameters): Strategy => ({
  sampler: hierarchical(parameters),
  tellsKnown: false,
  seesCatalog: false,
  unitsPerAnswer: 1,
});
