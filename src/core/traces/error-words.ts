import { isJsonObject } from '#core/values/json-schema/json-object.ts';
import { removeOurPlaceholders } from '#core/values/placeholders.ts';

/** Maximum number of argument values that are looked for, and their sizes in characters. */
const maxLeaves = 64;
const quotedChars = 2;
/** Without quotes a value must be long, or be no single word, to be told from the server's own words. */
const bareWordChars = 12;
const bareTextChars = 5;
const longestLeaf = 4_000;

/** A longer text is read in its first and last lines: what lies between may be anything, such as a whole page. */
const readChars = 1_200;
const lineChars = 400;
/** A shorter first line is a heading, and the next one counts too. */
const headingChars = 20;

/** What servers repeat of what they were given. */
const echoes =
  /\b(?:instead was|but (?:got|received|was|found)|input_value=|input was|received value:?|you (?:sent|provided):?)\s*[^\n]*/gi;

/**
 * Returns the words of an error that are the server's own: without our placeholders and without what it repeats of the
 * arguments, which may contain any words.
 */
export const serverOwnWordsOf = (text: string, args: Readonly<Record<string, unknown>> | null): string => {
  let words = removeOurPlaceholders(firstAndLastLinesIfLong(text)).replaceAll(echoes, ' … ');
  for (const leaf of listTextLeavesLongestFirst(args)) {
    if (leaf.length < quotedChars || leaf.length > longestLeaf) continue;
    for (const [open, close] of quotes) words = words.replaceAll(`${open}${leaf}${close}`, `${open}…${close}`);
    if (leaf.length >= (/^\p{L}+$/u.test(leaf) ? bareWordChars : bareTextChars)) words = words.replaceAll(leaf, '…');
  }
  return words;
};

const quotes = [
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['[', ']'],
  ['(', ')'],
  ['\\"', '\\"'],
] as const;

/** Returns a text, or the first and last lines of a long one. */
export const firstAndLastLinesIfLong = (text: string): string => {
  if (text.length <= readChars) return text;
  const [first = '', ...others] = text.split('\n').filter((line) => line.trim() !== '');
  const heading = first.length < headingChars ? [first, others[0] ?? ''] : [first];
  return [...heading.map((line) => line.slice(0, lineChars)), (others.at(-1) ?? '').slice(-lineChars)].join('\n');
};

/** Returns the texts among the values of a call's arguments, the longest first. */
export const listTextLeavesLongestFirst = (args: unknown): string[] => {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (found.length >= maxLeaves) return;
    if (typeof value === 'string') found.push(value);
    else if (Array.isArray(value)) value.forEach(visit);
    else if (isJsonObject(value)) Object.values(value).forEach(visit);
  };
  visit(args);
  return found.toSorted((a, b) => b.length - a.length);
};
