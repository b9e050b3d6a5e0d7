const encoder = new TextEncoder();

/**
 * Estimates the tokens of a text without a tokenizer: a quarter of its UTF-8 bytes, rounded up. No tokenizer over bytes
 * gives more tokens than bytes, so the true count is at most four times as high.
 */
export const estimateTokens = (text: string): number => Math.ceil(encoder.encode(text).length / 4);

/** More characters per token than any tokenizer reaches on agents' texts, where the mean is some 3 to 5. */
const longestTokenChars = 16;

/** Returns whether a text can have as few tokens as an endpoint counted: it may belong to somebody who wants to be cheap. */
export const canHaveSoFewTokens = (tokens: number, chars: number): boolean => tokens * longestTokenChars >= chars;
