import { z } from 'zod';
import type { Step } from './chaining.ts';
import { chattyStyles, mergedStyles, plainStyles, spreadStyles, type Style } from './connectors.ts';
import { statedTextWithoutQuotes, wordOfNumberOrNull, statedValueText, type SlotValue } from './literals.ts';
import type { Phrase } from './phrases.ts';
import type { Dice } from './seeded.ts';

/** How the requests of a pair differ. The writer cannot convert units: it writes a paraphrase then, and says so. */
export type Relation = 'paraphrase' | 'order' | 'value-form' | 'added-context' | 'detail';

const writable = z.enum(['paraphrase', 'order', 'value-form', 'added-context', 'detail']);
const asked = z.looseObject({ kind: writable }).transform(({ kind }) => kind);

/** Returns the kind that a prompt asks for; a paraphrase for any that the writer cannot write. */
export const writableRelationOrParaphrase = (variable: unknown): Relation => asked.catch('paraphrase').parse(variable);

type Phrases = readonly [Phrase, Phrase];

/** Returns the kind that a pair of these steps and wordings can have: the one that was asked for, or a paraphrase. */
export const possibleRelationOrParaphrase = (
  relation: Relation,
  steps: readonly Step[],
  phrases: readonly Phrases[],
): Relation => {
  switch (relation) {
    case 'order':
      return phrases.some(hasDifferentSlotOrders) ? relation : 'paraphrase';
    case 'value-form':
      return steps.some(statesNumberWritableAsWord) ? relation : 'paraphrase';
    default:
      return relation;
  }
};

/** Returns whether two wordings have their slots in different orders. */
export const hasDifferentSlotOrders = ([one, other]: Phrases): boolean =>
  one.slots.length > 1 && one.slots.join(' ') !== other.slots.join(' ');

const statesNumberWritableAsWord = ({ fillings }: Step): boolean =>
  Object.values(fillings).some(
    (filling) => filling.kind === 'stated' && otherFormOfValueOrNull(filling.value) !== null,
  );

/** Returns a value in another form: a number up to twelve as a word; null for any other. */
export const otherFormOfValueOrNull = (value: SlotValue): string | null =>
  typeof value === 'number' ? wordOfNumberOrNull(value) : null;

/** How each of two requests states a value. */
export const valueFormatters = (
  relation: Relation,
): readonly [(value: SlotValue) => string, (value: SlotValue) => string] => [
  statedValueText,
  relation === 'value-form' ? (value) => otherFormOfValueOrNull(value) ?? statedValueText(value) : statedValueText,
];

/** Returns the words of each request that state a value, without quotes. */
export const spansOfValueInBothRequests = (value: SlotValue, relation: Relation): readonly [string, string] => {
  const other = relation === 'value-form' ? otherFormOfValueOrNull(value) : null;
  return [statedTextWithoutQuotes(value), other ?? statedTextWithoutQuotes(value)];
};

/** Draws the styles of both requests. */
export const drawStylesOfBothRequests = (
  relation: Relation,
  dice: Dice,
): readonly [readonly Style[], readonly Style[]] => {
  const [one, other] = relation === 'detail' ? [mergedStyles, spreadStyles] : [plainStyles, chattyStyles];
  return dice.chance(0.5) ? [one, other] : [other, one];
};
