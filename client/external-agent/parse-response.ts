import { maxResponseChars } from '#core/evaluation/claim.ts';

/** Enough of an output to see whether it is too long: one line break at its end does not count. */
export const keptChars = maxResponseChars + 3;

/** Returns the response in an output: without one line break at its end, and cut if it is too long. */
export function parseResponseCutToLimit(printed: string): { readonly response: string; readonly cut: boolean } {
  const response = printed.replace(/\r?\n$/, '');
  if (response.length <= maxResponseChars) return { response, cut: false };
  // Never cuts between the two units of a character.
  return { response: response.slice(0, maxResponseChars).replace(/[\uD800-\uDBFF]$/, ''), cut: true };
}
