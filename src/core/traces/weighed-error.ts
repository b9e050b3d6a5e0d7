import { listErrorTraits, type AnsweredCall } from './error-traits.ts';
import weights from './error-weights.json' with { type: 'json' };

const weightOf: ReadonlyMap<string, number> = new Map(Object.entries(weights));

/** Log-odds from which a result counts as an error: the weights prefer to miss one, as the rules do. */
export const errorThreshold = 1;

/**
 * Returns the log-odds that a result which its server marked as a success reports an error, by a logistic model of its
 * traits. `scripts/error-weights.ts` learned the weights from labelled results of many servers.
 */
export const weighError = (call: AnsweredCall): number =>
  listErrorTraits(call).reduce((sum, trait) => sum + (weightOf.get(trait) ?? 0), 0);

/** Returns whether a result weighs enough to count as an error. */
export const isErrorByWeight = (call: AnsweredCall): boolean => weighError(call) >= errorThreshold;
