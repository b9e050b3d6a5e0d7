import { z } from 'zod';

/** What is planted in an attempt. */
export const plantedKind = z.enum(['right', 'another-way', 'wrong-value', 'nothing-done', 'claimed', 'partly']);
export type PlantedKind = z.infer<typeof plantedKind>;

/** Whether an attempt of a kind achieved what was asked. */
export const isAchieved: Readonly<Record<PlantedKind, boolean>> = {
  right: true,
  'another-way': true,
  'wrong-value': false,
  'nothing-done': false,
  claimed: false,
  partly: false,
};

/**
 * How an attempt is shown: as it is, once more, with what the answer tells in another order, and with an order to the judge, to
 * say the opposite of what is right, hidden in the answer or in a result.
 */
export const plantedVariant = z.enum(['plain', 'again', 'reordered', 'order-in-answer', 'order-in-result']);
export type PlantedVariant = z.infer<typeof plantedVariant>;
