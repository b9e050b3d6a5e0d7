import { z } from 'zod';

/**
 * Largest token count that we accept for one answer or attempt, so that sums of untrusted counts stay exact integers.
 */
export const mostTokens = 1_000_000_000;

const price = z.number().min(0).max(100_000);

/** The prices of a model's tokens, in US dollars per million. */
export const prices = z.strictObject({ promptPricePerMTok: price, completionPricePerMTok: price });
export type Prices = z.infer<typeof prices>;

/** Returns the cost of tokens in US dollars; 0 without prices. */
export const costUsdOrZero = (
  { promptTokens, completionTokens }: { readonly promptTokens: number; readonly completionTokens: number },
  { promptPricePerMTok = 0, completionPricePerMTok = 0 }: Partial<Prices> = {},
): number => (promptTokens * promptPricePerMTok + completionTokens * completionPricePerMTok) / 1_000_000;
