import type { Usage } from '#core/models/usage.ts';

/** Returns usage in the form of a log of Inspect AI: tokens, those of caches and thoughts where there are any, and the cost in US dollars. */
export const makeInspectUsage = ({
  promptTokens,
  completionTokens,
  cachedTokens,
  cacheWriteTokens,
  reasoningTokens,
  costUsd,
}: Usage) => ({
  input_tokens: promptTokens,
  output_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
  input_tokens_cache_read: cachedTokens,
  input_tokens_cache_write: cacheWriteTokens,
  reasoning_tokens: reasoningTokens,
  total_cost: costUsd,
});
