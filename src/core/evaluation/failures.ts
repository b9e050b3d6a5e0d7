import {
  categoryOfFailure,
  failureCategory,
  failureClass,
  failureLayer,
  layerOfFailure,
  type FailureClass,
} from '#core/traces/failure.ts';
import type { AttemptSums } from './agent-figures.ts';
import { failureCounts, type FailureCounts } from './results-record.ts';

/** Counts the failed calls of evaluated attempts by class, category and layer. */
export function failuresOf({ calls, failedCalls, classes }: AttemptSums): FailureCounts {
  const sum = (belongs: (name: FailureClass) => boolean): number =>
    failureClass.options.reduce((total, name) => total + (belongs(name) ? (classes.get(name) ?? 0) : 0), 0);
  const sums = <Name extends string>(names: readonly Name[], of: (failure: FailureClass) => Name) =>
    Object.fromEntries(names.map((name) => [name, sum((failure) => of(failure) === name)]));
  return failureCounts.parse({
    calls,
    failedCalls,
    byClass: sums(failureClass.options, (failure) => failure),
    byCategory: sums(failureCategory.options, (failure) => categoryOfFailure[failure]),
    byLayer: sums(failureLayer.options, (failure) => layerOfFailure[categoryOfFailure[failure]]),
    undecided: failedCalls - sum(() => true),
  });
}
