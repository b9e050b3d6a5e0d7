/** What a schema leaf tells about its values: what they are, what they belong to, and how likely they must come from elsewhere. */

import type { SchemaLeaf } from './schema-leaves.ts';
import {
  doesKindSayAll,
  isInformativeWord,
  valueKindOfWord,
  valueKindOfFormat,
  normalizedWordsOfIdentifier,
  normalizedWordSet,
  type Kind,
} from './term-words.ts';

/** Properties of all sorts of things, which mean something only with their owner. */
const bare = normalizedWordSet('id name title key type path number code url slug date status');

/**
 * The telling words of a leaf's name. A bare word (id, name) is joined to its owner: the word before it, else the enclosing
 * object, else the tool's `nouns`.
 */
export const listInformativeWordsOfLeaf = (leaf: SchemaLeaf, nouns: readonly string[]): string[] => {
  const words = normalizedWordsOfIdentifier(leaf.name);
  const head = words.at(-1);
  if (head === undefined) return [];
  const telling = words.filter(
    (word) => isInformativeWord(word) && !bare.has(word) && !doesKindSayAll(valueKindOfWord(word)),
  );
  if (!bare.has(head)) return telling;
  const before = words.slice(0, -1).slice(-1);
  const owners =
    before.length > 0 ? before : leaf.owner === '' ? nouns : normalizedWordsOfIdentifier(leaf.owner).slice(-1);
  return [...telling, ...owners.map((owner) => `${owner} ${head}`)];
};

/** The kind of a leaf's values: what its format says, else its name from the last word on, else its type. */
export const kindOfLeafValues = (leaf: SchemaLeaf): Kind | undefined => {
  const kindOfItsFormat = valueKindOfFormat(leaf.format);
  if (kindOfItsFormat !== undefined) return kindOfItsFormat;
  const isNumber = leaf.types.has('number') || leaf.types.has('integer');
  for (const word of normalizedWordsOfIdentifier(leaf.name).toReversed()) {
    const kind = valueKindOfWord(word);
    if (kind !== undefined && (!isNumber || kind === 'id' || kind === 'time')) return kind;
  }
  if (isNumber) return 'number';
  return leaf.types.has('array') || leaf.types.has('object') ? 'rows' : undefined;
};

/** Whether a leaf can hold a text. */
export const canHoldText = ({ types }: SchemaLeaf): boolean => types.has('string') || types.has('unknown');

/** Words of arguments that say how to do something, not with what. */
const settings = normalizedWordSet(
  `limit max min page offset per count depth width height size timeout format theme style encoding mode verbose sort order
  head tail lang language locale unit padding margin align type flag dry force recursive`,
);

/** How likely a value for an argument is to come from an earlier result: 0..1, and 0 where it is a yes or a no. */
export const earlierResultLikelihood = (leaf: SchemaLeaf): number => {
  if (leaf.types.has('boolean') && leaf.types.size === 1) return 0;
  const chosen = leaf.chosen ? 0.15 : 1;
  const required = leaf.required ? 1 : 0.4;
  const setting = normalizedWordsOfIdentifier(leaf.name).some((word) => settings.has(word)) ? 0.3 : 1;
  return chosen * required * setting;
};

/** How freely a text of any wording can stand in an argument of a kind: 0..1. */
export const freeTextFitnessOfArgument = (leaf: SchemaLeaf, kind: Kind | undefined): number => {
  if (!canHoldText(leaf)) return 0;
  if (kind === 'text') return 0.95;
  return kind === undefined ? 0.6 : 0.15;
};
