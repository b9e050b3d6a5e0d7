const stopWords = new Set(
  (
    'a an the of to in on at by for from with and or as is are be it its this that these those i me my you your we us our ' +
    'please could can would kindly do does done so than then there here what which who how when where into out up ' +
    'some any all each'
  ).split(' '),
);

/** A light stemmer: enough to match "encode", "encodes", "encoded" and "encoding". */
const stemWord = (word: string): string => {
  if (word.length <= 4) return word.endsWith('s') && !word.endsWith('ss') && word.length > 3 ? word.slice(0, -1) : word;
  const bare = word.replace(/(?:ations?|ings?|ies|ed|es|s|e|y)$/u, '');
  return bare.length >= 3 ? bare : word;
};

/** Returns the stems of a text's content words, in order; numbers and private characters are not words. */
export const stemsOfContentWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}][\p{L}\p{N}]*/gu) ?? [])
    .filter((word) => !stopWords.has(word) && !/^[\ue000-\uf8ff]/u.test(word))
    .map(stemWord);

/** Splits an identifier into words: `list_sorted-byName` has four. */
export const splitIdentifierIntoWords = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Returns a function of how rare a word is among documents, because rare words say more. */
export const makeRarityFunction = (documents: readonly ReadonlySet<string>[]): ((word: string) => number) => {
  const counts = new Map<string, number>();
  for (const document of documents) for (const word of document) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (word) => Math.log(1 + (documents.length + 1) / (1 + (counts.get(word) ?? 0)));
};
