import { parseFieldReference } from './derived-card.ts';
import { splitClauses } from './connectors.ts';
import {
  listMaskedLiterals,
  maskLiterals,
  listNumbersInMasked,
  findSoleLiteralOrNull,
  type Literal,
  type SlotValue,
} from './literals.ts';
import type { KnownTool } from './tools.ts';
import { lowerAndCollapseSpaces, type Phrase } from './phrases.ts';
import { stemsOfContentWords, makeRarityFunction } from './words.ts';

/** What a clause puts into a slot: a value that it states, or words for the output of an earlier step. */
export type Meant =
  | { readonly kind: 'stated'; readonly text: string; readonly value: SlotValue }
  | { readonly kind: 'reference'; readonly words: string };

/** One clause read as a request for one tool. */
export interface Reading {
  readonly tool: KnownTool;
  /** 0..1: how much of its words point to the tool; above 1 if the clause is one of the tool's own wordings. */
  readonly score: number;
  readonly phrase: Phrase;
  readonly slots: Readonly<Record<string, Meant>>;
}

/** A clause with its readings, best first. */
export interface Clause {
  readonly text: string;
  readonly literals: readonly Literal[];
  readonly readings: readonly Reading[];
}

/** Below this score a clause says nothing about any tool. */
export const recognised = 0.38;

/** From this score on a clause is unambiguous. */
export const certain = 0.75;

/** Splits a request into clauses and reads each with the available tools. */
export const interpretRequest = (request: string, tools: readonly KnownTool[]): Clause[] => {
  const masked = maskLiterals(request);
  const reader = getClauseInterpreterOnce(tools);
  return splitClauses(masked.text).map((text) => {
    const values = [...listMaskedLiterals(text, masked.literals), ...listNumbersInMasked(text)];
    return { text, literals: values, readings: reader({ text, masked: masked.literals, values }) };
  });
};

/** Words that refer to an earlier result. */
export const isPronounPhrase = (words: string): boolean =>
  /^(?:it|that|this|them|those|(?:the|that|this) (?:result|outcome|output|answer)|what you got|what came out)$/iu.test(
    words,
  );

/** A noun without its article, in lower case. */
export const nounWithoutArticle = (noun: string): string =>
  noun
    .trim()
    .toLowerCase()
    .replace(/^(?:the|a|an|that|this)\s+/u, '');

/** A clause with precomputed data. */
interface Heard {
  readonly text: string;
  /** The literals behind its private characters. */
  readonly masked: readonly Literal[];
  /** The values that it states. */
  readonly values: readonly Literal[];
}

type Reader = (clause: Heard) => Reading[];

const readers = new WeakMap<readonly KnownTool[], Reader>();

/** Returns the reader for a list of tools, built once per list. */
const getClauseInterpreterOnce = (tools: readonly KnownTool[]): Reader => {
  const reader = readers.get(tools) ?? makeClauseInterpreter(tools);
  readers.set(tools, reader);
  return reader;
};

const makeClauseInterpreter = (tools: readonly KnownTool[]): Reader => {
  const nouns = new Set(tools.flatMap((tool) => tool.card.gives.map((output) => nounWithoutArticle(output.noun))));
  const weight = makeRarityFunction(tools.map((tool) => tool.vocabulary));
  const descriptionWeight = makeRarityFunction(tools.map((tool) => tool.description));
  return (clause) => {
    const plain = lowerAndCollapseSpaces(clause.text);
    const words = new Set(stemsOfContentWords(clause.text));
    const named = [...nouns].filter((noun) => plain.includes(noun)).toSorted((one, other) => other.length - one.length);
    const readings = tools.flatMap((tool) => {
      const described = 0.1 * sharedWeightShare(words, tool.description, descriptionWeight);
      let best: { phrase: Phrase; score: number; slots: Reading['slots'] | null } | null = null;
      for (const phrase of tool.phrases) {
        const exact = matchSlotsExactlyOrNull(clause, plain, phrase, nouns);
        const score =
          exact === null
            ? 0.7 * sharedWeightShare(phrase.words, words, weight) +
              0.2 * sharedWeightShare(words, phrase.words, weight) +
              described
            : 1 + Math.min(phrase.fixedLength, 400) / 1_000;
        if (best === null || score > best.score) best = { phrase, score, slots: exact };
      }
      if (best === null) return [];
      const { phrase, score } = best;
      return [{ tool, phrase, score, slots: best.slots ?? matchSlotsLoosely(clause, tool, phrase, named) }];
    });
    return readings.toSorted((one, other) => other.score - one.score);
  };
};

/** Returns the slots' content if the clause is one of the tool's wordings, else null. */
const matchSlotsExactlyOrNull = (
  clause: Heard,
  plain: string,
  phrase: Phrase,
  nouns: ReadonlySet<string>,
): Record<string, Meant> | null => {
  const matched = plain.startsWith(phrase.start) ? phrase.match(clause.text) : null;
  if (matched === null) return null;
  const slots: Record<string, Meant> = {};
  for (const [index, slot] of phrase.slots.entries()) {
    const meant = interpretSlotText(matched[index] ?? '', clause.masked);
    const isKnown = (words: string): boolean =>
      nouns.has(nounWithoutArticle(words)) || isPronounPhrase(words) || parseFieldReference(words) !== null;
    if (meant.kind === 'reference' && !isKnown(meant.words)) return null;
    slots[slot] = meant;
  }
  return slots;
};

const interpretSlotText = (piece: string, literals: readonly Literal[]): Meant => {
  const stated = findSoleLiteralOrNull(piece, literals);
  return stated === null ? { kind: 'reference', words: piece.trim() } : { kind: 'stated', ...stated };
};

/** Returns which share of one set's weight the other contains. */
const sharedWeightShare = (
  whole: ReadonlySet<string>,
  other: ReadonlySet<string>,
  weight: (word: string) => number,
): number => {
  let total = 0;
  let held = 0;
  for (const word of whole) {
    const value = weight(word);
    total += value;
    if (other.has(word)) held += value;
  }
  return total === 0 ? 0 : held / total;
};

/**
 * If no wording fits, values go to slots by type, in order; the remaining slots take a noun or a pronoun of the clause.
 */
const matchSlotsLoosely = (
  clause: Heard,
  tool: KnownTool,
  phrase: Phrase,
  named: readonly string[],
): Record<string, Meant> => {
  const values = [...clause.values];
  const slots: Record<string, Meant> = {};
  const open: string[] = [];
  for (const slot of phrase.slots) {
    const samples = tool.card.slots[slot]?.samples ?? [];
    const index = values.findIndex(
      ({ value }) => samples.length === 0 || samples.some((one) => haveSameType(one, value)),
    );
    const [value] = index < 0 ? [] : values.splice(index, 1);
    if (value === undefined) open.push(slot);
    else slots[slot] = { kind: 'stated', ...value };
  }
  for (const [index, slot] of open.entries()) {
    const words = named[index] ?? /\b(?:it|them|that|the result)\b/iu.exec(clause.text)?.[0];
    if (words !== undefined) slots[slot] = { kind: 'reference', words };
  }
  return slots;
};

const haveSameType = (one: SlotValue, other: SlotValue): boolean =>
  typeof one === typeof other && Array.isArray(one) === Array.isArray(other);
