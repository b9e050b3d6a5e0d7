import { refuse } from '#core/values/errors.ts';
import { ok, type Result } from '#core/values/result.ts';
import { hasPrice } from './list-prices.ts';
import type { Prices } from './prices.ts';

/** A model in its role, as a client knows it. */
interface NamedPrices {
  readonly name: string;
  readonly model: Pick<Prices, 'promptPricePerMTok' | 'completionPricePerMTok'>;
}

/** Refuses a budget in dollars if one of the models has no price: what it costs would count as nothing. */
export function refuseBudgetWithoutPrices(
  models: readonly NamedPrices[],
  { costUsd }: { readonly costUsd?: number | undefined },
): Result<null> {
  const unpriced = models.filter(({ model }) => !hasPrice(model));
  if (costUsd === undefined || unpriced.length === 0) return ok(null);
  return refuse(
    'no-price',
    `a budget of $${costUsd} bounds nothing: ${unpriced.map(({ name }) => name).join(', ')} has no price`,
  );
}
