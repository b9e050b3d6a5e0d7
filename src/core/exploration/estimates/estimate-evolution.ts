import type { EvolutionConfig } from '../evolution/config.ts';
import type { StoredModels } from '#core/models/choices.ts';
import type { Usage } from '#core/models/usage.ts';
import {
  multiplyTokens,
  makeCostEstimateFromModelShares,
  sumPromptAndCompletionTokens,
  roundedTokensText,
  type CostEstimate,
} from './cost-estimate.ts';
import { measured } from './measured-costs.ts';

/** What the units of an exploration took, and how many of them were accepted. */
export interface ExploredUnits {
  readonly units: number;
  readonly accepted: number;
  /** Accepted units and variants that earlier evolutions left, at most those that count towards the target. */
  readonly kept: number;
  readonly usage: Usage;
}

/**
 * Estimates what an evolution takes that reaches its target: each variant what an explored unit took, and as many for each that
 * is accepted as there were units for each accepted one.
 */
export function estimateEvolution(
  { targetUnits, batch, budget }: Pick<EvolutionConfig, 'batch' | 'budget'> & { readonly targetUnits: number },
  { units, accepted, kept, usage }: ExploredUnits,
  models: StoredModels,
): CostEstimate {
  const needed = Math.max(0, targetUnits - kept);
  const variants = Math.min(Math.ceil((needed * units) / Math.max(1, accepted)), budget.batches * batch);
  const mean = multiplyTokens(usage, 1 / Math.max(1, units));
  const expected = sumPromptAndCompletionTokens(Object.values(measured.unit));
  const shares = (['writer', 'critic', 'agent'] as const).map((role) => ({
    model: models[role],
    ...multiplyTokens(measured.unit[role], (variants * sumPromptAndCompletionTokens([mean])) / expected),
  }));
  return makeCostEstimateFromModelShares(shares, [
    `${variants} variants for ${needed} more accepted units, ${roundedTokensText(sumPromptAndCompletionTokens([mean]))} tokens each`,
    `The mean of the ${units} units of the exploration, of which ${accepted} were accepted`,
    'A budget, or too few accepted variants, may end it earlier',
  ]);
}
