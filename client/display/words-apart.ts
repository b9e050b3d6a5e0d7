/** Returns the words that only one of two texts has, in order, each once; letter case and punctuation are ignored. */
export function wordsApart(one: string, other: string): readonly [string[], string[]] {
  const [first, second] = [wordsOf(one), wordsOf(other)];
  return [lacking(first, second), lacking(second, first)];
}

/** Returns a text's words by their normalized form. */
const wordsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/[\p{L}\p{M}\p{N}]+(?:[.,:/@'’_-][\p{L}\p{M}\p{N}]+)*/gu)].map(([word]) => [
      word.normalize('NFC').toLowerCase(),
      word,
    ]),
  );

const lacking = (words: ReadonlyMap<string, string>, from: ReadonlyMap<string, string>): string[] =>
  [...words].filter(([form]) => !from.has(form)).map(([, word]) => word);
