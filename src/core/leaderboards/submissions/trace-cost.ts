import type { AgentConfiguration } from '#core/evaluation/config.ts';
import { costUsdOrZero } from '#core/models/prices.ts';
import type { Trace } from '#core/traces/trace.ts';

type Spent = Pick<Trace, 'promptTokens' | 'completionTokens'>;

/**
 * Returns what an attempt cost, in US dollars, that took `spent` with what came before it. The prices are those of the configuration's model;
 * of a model that an external agent asked besides, only its own figures are known.
 */
export function costOfSpentTokens(
  { modelRequests, ...trace }: Spent & Pick<Trace, 'modelRequests'>,
  spent: Spent,
  { model, prices }: Pick<AgentConfiguration, 'model' | 'prices'>,
): number {
  if (modelRequests === undefined) return costUsdOrZero(spent, prices);
  const before = {
    promptTokens: spent.promptTokens - trace.promptTokens,
    completionTokens: spent.completionTokens - trace.completionTokens,
  };
  return modelRequests
    .map((request) => (request.model === model ? costUsdOrZero(request, prices) : request.costUsd))
    .reduce((sum, cost) => sum + cost, costUsdOrZero(before, prices));
}
