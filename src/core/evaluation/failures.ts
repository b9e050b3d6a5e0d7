import {
  categoryOfFailure,
  failureCategory,
  failureClass,
  failureLayer,
  layerOfFailure,
} from '#core/traces/failure.ts';
import type { AttemptRecord } from './case.ts';
import { failureCounts, type FailureCounts } from './results-record.ts';

/** Counts the failed calls of the attempts that were evaluated, by class, category and layer. */
export function failuresOf(attempts: readonly AttemptRecord[]): FailureCounts {
  const { calls, failed } = answeredCalls(attempts);
  const classes = failed.flatMap(({ failure }) => failure ?? []);
  const categories = classes.map((each) => categoryOfFailure[each]);
  return failureCounts.parse({
    calls: calls.length,
    failedCalls: failed.length,
    byClass: countsOf(failureClass.options, classes),
    byCategory: countsOf(failureCategory.options, categories),
    byLayer: countsOf(
      failureLayer.options,
      categories.map((each) => layerOfFailure[each]),
    ),
    undecided: failed.length - classes.length,
  });
}

/** The calls of evaluated attempts that came to an answer, and those of them that failed. */
export function answeredCalls(attempts: readonly AttemptRecord[]): {
  readonly calls: AttemptRecord['calls'];
  readonly failed: AttemptRecord['calls'];
} {
  const calls = attempts
    .filter(({ evaluated }) => evaluated)
    .flatMap((attempt) => attempt.calls.filter(({ outcome }) => outcome !== 'fault'));
  return { calls, failed: calls.filter(({ outcome }) => outcome === 'failure') };
}

const countsOf = (names: readonly string[], found: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(names.map((name) => [name, found.filter((each) => each === name).length]));
