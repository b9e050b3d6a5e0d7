import type { SchemaLeaf } from './schema-leaves.ts';
import { isPlain, isTelling, kindOf, kindOfFormatName, nameWords, wordSet, type Kind } from './term-words.ts';

/** What a single value of a schema says: what it is, of what, and how much it wants to be given. */

/** Properties of all sorts of things, which mean something only with their owner. */
const bare = wordSet('id name title key type path number code url slug date status');

/**
 * The telling words of a leaf's name, each alone, and such a thing as an id with what it belongs to: the word before it, else the
 * object that it is part of, else what the tool is about (`nouns`).
 */
export const wordsOfLeaf = (leaf: SchemaLeaf, nouns: readonly string[]): string[] => {
  const words = nameWords(leaf.name);
  const head = words.at(-1);
  if (head === undefined) return [];
  const told = words.filter((word) => isTelling(word) && !bare.has(word) && !isPlain(kindOf(word)));
  if (!bare.has(head)) return told;
  const before = words.slice(0, -1).slice(-1);
  const owners = before.length > 0 ? before : leaf.owner === '' ? nouns : nameWords(leaf.owner).slice(-1);
  return [...told, ...owners.map((owner) => `${owner} ${head}`)];
};

/** The kind of a leaf's values: what its format says, else its name from the last word on, else its type. */
export const kindOfLeaf = (leaf: SchemaLeaf): Kind | undefined => {
  const told = kindOfFormatName(leaf.format);
  if (told !== undefined) return told;
  const isNumber = leaf.types.has('number') || leaf.types.has('integer');
  for (const word of nameWords(leaf.name).toReversed()) {
    const kind = kindOf(word);
    if (kind !== undefined && (!isNumber || kind === 'id' || kind === 'time')) return kind;
  }
  if (isNumber) return 'number';
  return leaf.types.has('array') || leaf.types.has('object') ? 'rows' : undefined;
};

/** Whether a leaf can hold a text. */
export const isWritten = ({ types }: SchemaLeaf): boolean => types.has('string') || types.has('unknown');

/** Words of arguments that say how to do something, not with what. */
const settings = wordSet(
  `limit max min page offset per count depth width height size timeout format theme style encoding mode verbose sort order
  head tail lang language locale unit padding margin align type flag dry force recursive`,
);

/** How likely a value for an argument is to come from an earlier result: 0..1, and 0 where it is a yes or a no. */
export const neededOf = (leaf: SchemaLeaf): number => {
  if (leaf.types.has('boolean') && leaf.types.size === 1) return 0;
  const chosen = leaf.chosen ? 0.15 : 1;
  const required = leaf.required ? 1 : 0.4;
  const setting = nameWords(leaf.name).some((word) => settings.has(word)) ? 0.3 : 1;
  return chosen * required * setting;
};

/** How freely a text of any wording can stand in an argument of a kind: 0..1. */
export const freedomOf = (leaf: SchemaLeaf, kind: Kind | undefined): number => {
  if (!isWritten(leaf)) return 0;
  if (kind === 'text') return 0.95;
  return kind === undefined ? 0.6 : 0.15;
};
