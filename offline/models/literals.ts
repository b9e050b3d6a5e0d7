import { z } from 'zod';
import type { SampleValue } from '../cards/card.ts';

/** A value as a request can state it: lists and objects are stated as JSON. */
export type SlotValue = SampleValue;

/** A quoted string, a bracketed list or an object in braces found in a text. */
export interface Literal {
  /** The characters that state the value: without the quotes, with the brackets. */
  readonly text: string;
  readonly value: SlotValue;
}

const quotes: readonly (readonly [open: string, close: string])[] = [
  ['"', '"'],
  ['`', '`'],
  ['“', '”'],
  ['«', '»'],
];

const firstMask = 0xe000;
const lastMask = 0xf8ff;

/** Formats a value for a request: strings in quotes that they do not contain, numbers bare, lists and objects as JSON. */
export const statedValueText = (value: SlotValue): string => {
  if (typeof value === 'string') {
    const [open, close] = quotes.find(([one, other]) => !value.includes(one) && !value.includes(other)) ?? ['«', '»'];
    return `${open}${value}${close}`;
  }
  return statedTextWithoutQuotes(value);
};

/** The characters of a stated value without its quotes: what a span of the request is. */
export const statedTextWithoutQuotes = (value: SlotValue): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? `[${value.map((item) => JSON.stringify(item)).join(', ')}]` : JSON.stringify(value);
};

/** The text with every quoted string, list and object replaced by one private character, and the values behind those. */
export interface Masked {
  readonly text: string;
  readonly literals: readonly Literal[];
}

/** Masks a text's literals, so that their content is not read as words of the request. */
export const maskLiterals = (text: string): Masked => {
  const literals: Literal[] = [];
  let masked = '';
  let index = 0;
  while (index < text.length) {
    const found = parseLiteralAt(text, index);
    if (found === null || firstMask + literals.length > lastMask) {
      const code = text.charCodeAt(index);
      masked += code >= firstMask && code <= lastMask ? ' ' : text.charAt(index);
      index += 1;
    } else {
      masked += String.fromCharCode(firstMask + literals.length);
      literals.push(found.literal);
      index = found.end;
    }
  }
  return { text: masked, literals };
};

/** The numbers that requests say as words, by value. */
const numberWords = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** Returns a number as a word, from two to twelve; null for any other. `One` has other meanings. */
export const wordOfNumberOrNull = (value: number): string | null => (value >= 2 ? (numberWords[value] ?? null) : null);

/** Every masked literal in a piece of masked text, in order. */
export const listMaskedLiterals = (piece: string, literals: readonly Literal[]): Literal[] =>
  (piece.match(/[\ue000-\uf8ff]/gu) ?? []).flatMap((character) => literals[character.charCodeAt(0) - firstMask] ?? []);

/** Returns the value of a piece of masked text that states nothing else, else null. */
export const findSoleLiteralOrNull = (piece: string, literals: readonly Literal[]): Literal | null => {
  const trimmed = piece.trim();
  if (trimmed.length === 1) {
    const literal = literals[trimmed.charCodeAt(0) - firstMask];
    if (literal !== undefined) return literal;
  }
  if (numberPattern.test(trimmed)) return { text: trimmed, value: Number(trimmed) };
  const said = numberWords.indexOf(trimmed.toLowerCase());
  if (said >= 2) return { text: trimmed, value: said };
  if (trimmed === 'true' || trimmed === 'false') return { text: trimmed, value: trimmed === 'true' };
  return null;
};

const numberPattern = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu;

/** Returns numbers that are separate words in a piece of masked text; not the 256 of SHA-256. */
export const listNumbersInMasked = (piece: string): Literal[] =>
  [...piece.matchAll(/(?<![\w.-])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w-]|\.\d)/giu)].map(([text]) => ({
    text,
    value: Number(text),
  }));

/** Restores the literals of masked text. */
export const restoreMaskedLiterals = (piece: string, literals: readonly Literal[]): string =>
  piece.replace(/[\ue000-\uf8ff]/gu, (character) => {
    const literal = literals[character.charCodeAt(0) - firstMask];
    return literal === undefined ? character : statedValueText(literal.value);
  });

const parseLiteralAt = (text: string, start: number): { literal: Literal; end: number } | null => {
  const character = text.charAt(start);
  if (character === '[') return parseJsonAt(text, start, ']');
  if (character === '{') return parseJsonAt(text, start, '}');
  const pair = quotes.find(([open]) => open === character);
  if (pair === undefined) return null;
  const close = text.indexOf(pair[1], start + 1);
  if (close < 0) return null;
  const inner = text.slice(start + 1, close);
  return { literal: { text: inner, value: inner }, end: close + 1 };
};

const longestJson = 4_000;

/** Reads the shortest JSON from here to a closing mark. */
const parseJsonAt = (text: string, start: number, mark: string): { literal: Literal; end: number } | null => {
  for (let close = text.indexOf(mark, start); close >= 0; close = text.indexOf(mark, close + 1)) {
    const raw = text.slice(start, close + 1);
    const value = parseJsonStructureOrNull(raw);
    if (value !== null) return { literal: { text: raw, value }, end: close + 1 };
    if (raw.length > longestJson) return null;
  }
  return null;
};

const structure = z.union([z.array(z.json()), z.record(z.string(), z.json())]);

const parseJsonStructureOrNull = (raw: string): z.infer<typeof structure> | null => {
  try {
    return structure.safeParse(JSON.parse(raw)).data ?? null;
  } catch {
    return null;
  }
};
