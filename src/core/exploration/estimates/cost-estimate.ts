import { z } from 'zod';
import { hasPrice } from '#core/models/list-prices.ts';
import { costUsdOrZero, type Prices } from '#core/models/prices.ts';

/** What a run is expected to take. */
export const costEstimate = z.object({
  tokens: z.int().describe('Prompt and completion tokens of all its models.'),
  costUsd: z.number().nullable().describe('Null if one of its models has no price.'),
  basis: z.string().describe('What it was derived from, in words and numbers.'),
  tells: z
    .object({
      units: z.int(),
      difference: z.number(),
      /** The share of units that is taken to come out differently for two agents. */
      differing: z.number(),
      /** How often a true difference of 0.1 would be shown, 0..1. */
      powerAtTenth: z.number(),
    })
    .optional()
    .describe(
      'For evaluations: the smallest true difference of pass rates between two agents that so many units show with a power of 80%, at an error of 5%. Absent for fewer than six units.',
    ),
  warnings: z
    .array(z.string())
    .optional()
    .describe('What keeps the run from being made as asked, such as a host that gets no more requests.'),
});
export type CostEstimate = z.infer<typeof costEstimate>;

/** Prompt and completion tokens. */
export interface TokenCounts {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** What one model takes in a run. */
export interface ModelShare extends TokenCounts {
  readonly model: Prices;
}

export const multiplyTokens = ({ promptTokens, completionTokens }: TokenCounts, by: number): TokenCounts => ({
  promptTokens: promptTokens * by,
  completionTokens: completionTokens * by,
});

export const sumPromptAndCompletionTokens = (all: readonly TokenCounts[]): number =>
  all.reduce((sum, { promptTokens, completionTokens }) => sum + promptTokens + completionTokens, 0);

/** Adds up what models take. Prompts cost what they cost without a cache, so the cost is rather too high. */
export const makeCostEstimateFromModelShares = (
  shares: readonly ModelShare[],
  basis: readonly string[],
): CostEstimate => ({
  tokens: Math.round(sumPromptAndCompletionTokens(shares)),
  costUsd: shares.every(({ model }) => hasPrice(model))
    ? shares.reduce((sum, { model, ...tokens }) => sum + costUsdOrZero(tokens, model), 0)
    : null,
  basis: [...basis, ...(shares.every(({ model }) => hasPrice(model)) ? [withoutCache] : [noPrice])].join('. '),
});

const withoutCache = 'Costs are list or given prices without what caches save';
const noPrice = 'No cost, because a model has no price';

/** Returns a number of tokens for a person, such as `12,300`. */
export const roundedTokensText = (tokens: number): string =>
  Number(tokens.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 0 });
