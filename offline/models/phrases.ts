import type { Card } from '../cards/card.ts';
import { stemsOfContentWords } from './words.ts';

/** One wording of a card, ready to be filled and recognized. */
export interface Phrase {
  /** With its slots as `{name}`. */
  readonly text: string;
  /** The slots in their order. */
  readonly slots: readonly string[];
  /** Stems of its own words. */
  readonly words: ReadonlySet<string>;
  /** How many characters are its own. */
  readonly fixedLength: number;
  /** Its beginning, as plain text. */
  readonly start: string;
  /** Returns the slots' content if a masked clause has this wording, in order; null otherwise. */
  match(clause: string): readonly string[] | null;
}

/** A card's wordings, and the stems of all of them. */
export interface Wordings {
  readonly phrases: readonly Phrase[];
  readonly vocabulary: ReadonlySet<string>;
}

const compiled = new WeakMap<Card, Wordings>();

/** Returns a card's wordings, compiled once. */
export const compileWordingsOnce = (card: Card): Wordings => {
  const before = compiled.get(card);
  if (before !== undefined) return before;
  const phrases = card.phrases.map(compilePhrase);
  const wordings = { phrases, vocabulary: new Set(phrases.flatMap((phrase) => [...phrase.words])) };
  compiled.set(card, wordings);
  return wordings;
};

const slotPattern = /\{([^{}]+)\}/gu;

const compilePhrase = (wording: string): Phrase => {
  const text = wording.replace(/(["'`])(\{[^{}]+\})\1/gu, '$2');
  const fixed = text.split(/\{[^{}]+\}/u);
  const slots = [...text.matchAll(slotPattern)].map(([, slot]) => slot ?? '');
  let pattern: RegExp | null = null;
  return {
    text,
    slots,
    words: new Set(stemsOfContentWords(fixed.join(' '))),
    fixedLength: fixed.join('').length,
    start: lowerAndCollapseSpaces(fixed[0] ?? ''),
    match: (clause) => {
      pattern ??= makePhrasePattern(fixed);
      return pattern.exec(clause)?.slice(1) ?? null;
    },
  };
};

/** Lower case, single spaces. */
export const lowerAndCollapseSpaces = (text: string): string => text.toLowerCase().replace(/\s+/gu, ' ');

const makePhrasePattern = (fixed: readonly string[]): RegExp => {
  const source = fixed
    .map((piece) => piece.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&').replace(/\s+/gu, '\\s+'))
    .join('(.+?)');
  return new RegExp(`^${source}$`, 'isu');
};

/** Fills the slots of a phrase. */
export const fillPhrase = (phrase: Phrase, stated: (slot: string) => string): string =>
  phrase.text.replace(slotPattern, (_, slot: string) => stated(slot));
