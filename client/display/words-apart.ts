/** The words that only one of two texts has, in their order, each once; letter case and punctuation make no difference. */
export function wordsApart(one: string, other: string): readonly [string[], string[]] {
  const [first, second] = [wordsOf(one), wordsOf(other)];
  return [lacking(first, second), lacking(second, first)];
}

/** A text's words as they stand there, by the form in which they are compared. */
const wordsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/[\p{L}\p{M}\p{N}]+(?:[.,:/@'’_-][\p{L}\p{M}\p{N}]+)*/gu)].map(([word]) => [
      word.normalize('NFC').toLowerCase(),
      word,
    ]),
  );

const lacking = (words: ReadonlyMap<string, string>, from: ReadonlyMap<string, string>): string[] =>
  [...words].filter(([form]) => !from.has(form)).map(([, word]) => word);
