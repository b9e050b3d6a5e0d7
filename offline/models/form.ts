import type { Dice } from './seeded.ts';
import type { Cards } from './tools.ts';

/** Fills in a form of an answer, from the variables of its prompt. */
export type Form = (variables: ReadonlyMap<string, unknown>, cards: Cards, dice: Dice) => unknown;
