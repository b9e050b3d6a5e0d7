import type { Tool } from '#core/catalog/tool.ts';
import type { ExplorationConfig } from '../config.ts';
import type { ExplorationRecord } from '../record.ts';
import type { StoredModels } from '#core/models/choices.ts';
import { groupMountableToolsByServer, makeMountableTool } from '#core/units/mounting/mountable-catalog.ts';
import { isSameMounting, mountingName } from '#core/units/mounting/mounting.ts';
import { sumUnitCountsOfAllStates } from '../reservation.ts';
import {
  multiplyTokens,
  makeCostEstimateFromModelShares,
  sumPromptAndCompletionTokens,
  roundedTokensText,
  type CostEstimate,
  type TokenCounts,
} from './cost-estimate.ts';
import { estimateTokensOfAttempt, measured } from './measured-costs.ts';
import { makeRandomPlaceholderUnits, meanMountedSchemaTokens } from './mounted-size.ts';

/** Units from which a run says what its units take. */
const enoughUnits = 5;
/** One at each of its requests. */
export const attemptsOfUnit = 2;

/** Returns whether a run shows what units of another will take: the same catalog, mounting and models. */
export const isSimilarExplorationWithEnoughUnits = (
  run: Pick<ExplorationRecord, 'config' | 'models' | 'units' | 'usage'>,
  config: Pick<ExplorationConfig, 'catalog' | 'mounting'>,
  models: Readonly<Record<keyof StoredModels, { readonly model: string }>>,
): boolean =>
  run.config.catalog === config.catalog &&
  isSameMounting(run.config.mounting, config.mounting) &&
  (['writer', 'critic', 'agent'] as const).every((role) => run.models[role].model === models[role].model) &&
  sumUnitCountsOfAllStates(run.units) >= enoughUnits &&
  run.usage.promptTokens > 0;

/**
 * Estimates what an exploration takes if neither stop rule nor budget ends it early. `like` is an earlier run, similar by
 * `isSimilarExplorationWithEnoughUnits`; its mean replaces the measured one, divided among the roles as measured.
 */
export function estimateExploration(
  { batch, budget, mounting, agent, seed }: Pick<ExplorationConfig, 'batch' | 'budget' | 'mounting' | 'agent' | 'seed'>,
  tools: readonly Tool[],
  models: StoredModels,
  like: Pick<ExplorationRecord, 'id' | 'units' | 'usage'> | null,
): CostEstimate {
  const units = budget.rounds * (batch + 1);
  const catalog = groupMountableToolsByServer(tools.map(makeMountableTool));
  const schemaTokens = meanMountedSchemaTokens(mounting, catalog, makeRandomPlaceholderUnits(catalog, seed), seed);
  const perUnit: Readonly<Record<'writer' | 'critic' | 'agent', TokenCounts>> = {
    ...measured.unit,
    agent: multiplyTokens(estimateTokensOfAttempt(schemaTokens, agent.turns), attemptsOfUnit),
  };
  const expected = sumPromptAndCompletionTokens(Object.values(perUnit));
  const shown =
    like === null
      ? null
      : { units: sumUnitCountsOfAllStates(like.units), tokens: sumPromptAndCompletionTokens([like.usage]) };
  const mean = shown === null ? expected : shown.tokens / shown.units;
  const shares = (['writer', 'critic', 'agent'] as const).map((role) => ({
    model: models[role],
    ...multiplyTokens(perUnit[role], (units * mean) / expected),
  }));
  return makeCostEstimateFromModelShares(shares, [
    `${budget.rounds} rounds of ${batch} units and a probe, ${roundedTokensText(mean)} tokens a unit`,
    shown === null
      ? `Measured on ${measured.on} with rules in place of models: writer and critic ${roundedTokensText(sumPromptAndCompletionTokens([measured.unit.writer, measured.unit.critic]))} tokens a unit, and ${attemptsOfUnit} attempts of ` +
        `${measured.attempt.turns} turns, each with ${roundedTokensText(schemaTokens)} tokens of tools (${mountingName(mounting)})`
      : `The mean of ${shown.units} units of ${like?.id ?? ''}, which had the same catalog, mounting and models`,
    'A stop rule or a budget may end it earlier',
  ]);
}
