import { randomFor } from '#core/random.ts';

/** Returns the seed of a question to a model, which its key determines: a whole number of 31 bits, as endpoints take no more. */
export const modelSeed = (...keys: readonly (string | number)[]): number => randomFor(...keys).below(2 ** 31);
