import type { SurveyEntry } from '#core/catalog/survey.ts';

/** Most characters of a server's entries together. */
export const maxSurveyChars = 6_000;

/**
 * Cuts entries so that their texts have at most `maxChars` characters together: short ones stay whole, and the long
 * ones get equal shares of the rest. The cut characters are counted.
 */
export const cutEntriesToTotal = <Entry extends Pick<SurveyEntry, 'text' | 'cutChars'>>(
  entries: readonly Entry[],
  maxChars: number,
): Entry[] => {
  const share = largestCutLength(
    entries.map(({ text }) => text.length),
    maxChars,
  );
  return entries.map((entry) => {
    const kept = cutBetweenCharacters(entry.text, share);
    return { ...entry, text: kept, cutChars: entry.cutChars + entry.text.length - kept.length };
  });
};

/** Returns the largest length to which all may be cut so that the sum of the lengths is at most `total`. */
const largestCutLength = (lengths: readonly number[], total: number): number => {
  let left = total;
  const ascending = lengths.toSorted((a, b) => a - b);
  for (const [index, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (length > share) return share;
    left -= length;
  }
  return total;
};

/** Cuts between characters. */
const cutBetweenCharacters = (text: string, chars: number): string => {
  if (text.length <= chars) return text;
  const kept = text.slice(0, chars);
  return kept.isWellFormed() ? kept : text.slice(0, chars - 1);
};
