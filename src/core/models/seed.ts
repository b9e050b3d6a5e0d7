import { makeRandom } from '#core/values/random.ts';

/**
 * Returns the seed of a question to a model, derived from its key: a whole number of 31 bits, the most that endpoints
 * accept.
 */
export const deriveModelSeedFromKeys = (...keys: readonly (string | number)[]): number =>
  makeRandom(...keys).below(2 ** 31);
