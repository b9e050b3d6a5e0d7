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
export function countFailures({ calls, failedCalls, classes }: AttemptSums): FailureCounts {
  const sum = (belongs: (name: FailureClass) => boolean): number =>
    failureClass.options.reduce((total, name) => total + (belongs(name) ? (classes.get(name) ?? 0) : 0), 0);
  const sumsByName = <Name extends string>(names: readonly Name[], of: (failure: FailureClass) => Name) =>
    Object.fromEntries(names.map((name) => [name, sum((failure) => of(failure) === name)]));
  return failureCounts.parse({
    calls,
    failedCalls,
    byClass: sumsByName(failureClass.options, (failure) => failure),
    byCategory: sumsByName(failureCategory.options, (failure) => categoryOfFailure[failure]),
    byLayer: sumsByName(failureLayer.options, (failure) => layerOfFailure[categoryOfFailure[failure]]),
    undecided: failedCalls - sum(() => true),
  });
}
