/** Returns the words that only one of two texts has, in order, each once; letter case and punctuation are ignored. */
export function wordsOnlyInEachText(one: string, other: string): readonly [string[], string[]] {
  const [first, second] = [wordsByNormalizedForm(one), wordsByNormalizedForm(other)];
  return [wordsMissingFrom(first, second), wordsMissingFrom(second, first)];
}

/** Returns a text's words by their normalized form. */
const wordsByNormalizedForm = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/[\p{L}\p{M}\p{N}]+(?:[.,:/@'’_-][\p{L}\p{M}\p{N}]+)*/gu)].map(([word]) => [
      word.normalize('NFC').toLowerCase(),
      word,
    ]),
  );

const wordsMissingFrom = (words: ReadonlyMap<string, string>, from: ReadonlyMap<string, string>): string[] =>
  [...words].filter(([form]) => !from.has(form)).map(([, word]) => word);
