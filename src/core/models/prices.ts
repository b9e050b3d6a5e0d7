import { z } from 'zod';

/**
 * Largest token count that we accept for one answer or attempt, so that sums of untrusted counts stay exact integers.
 */
export const mostTokens = 1_000_000_000;

const price = z.number().min(0).max(100_000);

/** The prices of a model's tokens, in US dollars per million. */
export const prices = z.strictObject({
  promptPricePerMTok: price,
  completionPricePerMTok: price,
  /** For the part of the prompt that the endpoint reads from its cache; by default as for the rest. */
  cachedPricePerMTok: price.optional(),
  /** For the part of the prompt that it writes to its cache; by default as for the rest. */
  cacheWritePricePerMTok: price.optional(),
});
export type Prices = z.infer<typeof prices>;

/** Tokens by price: those read from a cache or written there are parts of the prompt's. */
export interface PricedTokens {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
}

/** Returns the cost of tokens in US dollars; 0 without prices. */
export function costUsdOrZero(
  { promptTokens, completionTokens, cachedTokens = 0, cacheWriteTokens = 0 }: PricedTokens,
  {
    promptPricePerMTok = 0,
    completionPricePerMTok = 0,
    ...ofCache
  }: { readonly [Kind in keyof Prices]?: number | undefined } = {},
): number {
  const { cachedPricePerMTok = promptPricePerMTok, cacheWritePricePerMTok = promptPricePerMTok } = ofCache;
  const cached = cachedTokens * (cachedPricePerMTok - promptPricePerMTok);
  const written = cacheWriteTokens * (cacheWritePricePerMTok - promptPricePerMTok);
  return (promptTokens * promptPricePerMTok + cached + written + completionTokens * completionPricePerMTok) / 1_000_000;
}
