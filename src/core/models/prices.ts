import { z } from 'zod';

/** Tokens that one answer or attempt can be said to take: sums of what strangers say have to stay whole numbers. */
export const MOST_TOKENS = 1_000_000_000;

const price = z.number().min(0).max(100_000);

/** What a model's tokens cost: US dollars for a million of them. */
export const prices = z.strictObject({ promptPricePerMTok: price, completionPricePerMTok: price });
export type Prices = z.infer<typeof prices>;

/** What tokens cost, in US dollars; 0 without prices. */
export const costUsd = (
  { promptTokens, completionTokens }: { readonly promptTokens: number; readonly completionTokens: number },
  { promptPricePerMTok = 0, completionPricePerMTok = 0 }: Partial<Prices> = {},
): number => (promptTokens * promptPricePerMTok + completionTokens * completionPricePerMTok) / 1_000_000;
