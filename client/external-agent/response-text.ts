import { maxResponseChars } from '#core/evaluation/claim.ts';

/** Enough of an output to see whether it is too long: a line break at its end is none of the response. */
export const keptChars = maxResponseChars + 3;

/** The response that an output is: without one line break at its end, and cut where it is too long. */
export function responseOf(printed: string): { readonly response: string; readonly cut: boolean } {
  const response = printed.replace(/\r?\n$/, '');
  if (response.length <= maxResponseChars) return { response, cut: false };
  // A letter of two units is not torn apart.
  return { response: response.slice(0, maxResponseChars).replace(/[\uD800-\uDBFF]$/, ''), cut: true };
}
