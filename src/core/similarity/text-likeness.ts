/** Similarity of two texts by their letters only: cheap, the same for every script, and blind to meaning. */

/** Normalizes letter case, width, white space and punctuation. */
export const normalizeText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<=\p{L})['’](?:s|d|ll|ve|re|m)(?!\p{L})/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

/** A character of a script without spaces between words, or a run of others. */
const unspacedRuns =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;

/** Splits a text into words; in a script without spaces each character is a word. */
export const splitWords = (text: string): string[] => normalizeText(text).match(unspacedRuns) ?? [];

/** Returns the share of common words among all words of two texts: 0..1. */
export const jaccardOfWords = (
  a: string,
  b: string,
  wordsOf: (text: string) => readonly string[] = splitWords,
): number => {
  const left = new Set(wordsOf(a));
  const right = new Set(wordsOf(b));
  const union = left.union(right).size;
  return union === 0 ? 1 : left.intersection(right).size / union;
};

/** Returns Dice's coefficient of two bags: twice the common items divided by all items. */
export const diceCoefficientOfBags = (a: readonly string[], b: readonly string[]): number => {
  if (a.length + b.length === 0) return 1;
  const left = new Map<string, number>();
  for (const item of a) left.set(item, (left.get(item) ?? 0) + 1);
  let shared = 0;
  for (const item of b) {
    const count = left.get(item) ?? 0;
    if (count === 0) continue;
    left.set(item, count - 1);
    shared += 1;
  }
  return (2 * shared) / (a.length + b.length);
};
