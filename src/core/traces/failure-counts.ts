import { z } from 'zod';
import {
  categoryOfFailure,
  failureCategory,
  failureClass,
  failureLayer,
  layerOfFailure,
  type FailureClass,
} from './failure.ts';
import { hasFailed, isReportedError } from './step-outcome.ts';
import type { Step } from './trace.ts';

/** Failed calls, in sums that can be added. */
export const failureTally = z.object({
  /** Without calls of earlier releases that an infrastructure fault broke. */
  calls: z.int(),
  failedCalls: z.int(),
  /** How many of the failed calls their servers marked as successes although the text reports an error. */
  reportedErrors: z.int(),
  /** Failed calls that the environment spoilt: no usable answer came from the server. */
  spoiltCalls: z.int(),
  /** Failed calls by class, if one was decided. */
  classes: z.partialRecord(failureClass, z.int()),
});
export type FailureTally = Readonly<z.infer<typeof failureTally>>;

export const noFailures: FailureTally = { calls: 0, failedCalls: 0, reportedErrors: 0, spoiltCalls: 0, classes: {} };

/** Counts the failed calls of a trace. */
export function tallyFailedCallsOfSteps(steps: readonly Step[]): FailureTally {
  const answered = steps.filter(({ outcome }) => outcome !== 'fault');
  const failed = answered.filter(hasFailed);
  const classes: FailureTally['classes'] = {};
  for (const { failure } of failed)
    if (failure !== null && failure.source !== 'undecided') classes[failure.class] = (classes[failure.class] ?? 0) + 1;
  return {
    calls: answered.length,
    failedCalls: failed.length,
    reportedErrors: failed.filter(isReportedError).length,
    spoiltCalls: failed.filter(({ cause }) => cause === 'environment').length,
    classes,
  };
}

export function addTallies(one: FailureTally, other: FailureTally): FailureTally {
  const classes: FailureTally['classes'] = { ...one.classes };
  for (const name of failureClass.options) {
    const more = other.classes[name];
    if (more !== undefined) classes[name] = (classes[name] ?? 0) + more;
  }
  return {
    calls: one.calls + other.calls,
    failedCalls: one.failedCalls + other.failedCalls,
    reportedErrors: one.reportedErrors + other.reportedErrors,
    spoiltCalls: one.spoiltCalls + other.spoiltCalls,
    classes,
  };
}

/** Failed calls as clients see them. Calls with a class and undecided ones add up to `failedCalls`. */
export const failureCounts = z.object({
  ...failureTally.omit({ classes: true }).shape,
  /** `spoiltCalls / calls`, 0..1; null without calls. */
  spoiltShare: z.number().nullable(),
  byClass: z.record(failureClass, z.int()),
  byCategory: z.record(failureCategory, z.int()),
  byLayer: z.record(failureLayer, z.int()),
  /** Failed calls whose class was not decided. */
  undecided: z.int(),
});
export type FailureCounts = z.infer<typeof failureCounts>;

/** Sums failed calls by class, category and layer. */
export function failureCountsOfTally({
  calls,
  failedCalls,
  reportedErrors,
  spoiltCalls,
  classes,
}: FailureTally): FailureCounts {
  const sum = (belongs: (name: FailureClass) => boolean): number =>
    failureClass.options.reduce((total, name) => total + (belongs(name) ? (classes[name] ?? 0) : 0), 0);
  const sumsByName = <Name extends string>(names: readonly Name[], of: (failure: FailureClass) => Name) =>
    Object.fromEntries(names.map((name) => [name, sum((failure) => of(failure) === name)]));
  return failureCounts.parse({
    calls,
    failedCalls,
    reportedErrors,
    spoiltCalls,
    spoiltShare: calls === 0 ? null : spoiltCalls / calls,
    byClass: sumsByName(failureClass.options, (failure) => failure),
    byCategory: sumsByName(failureCategory.options, (failure) => categoryOfFailure[failure]),
    byLayer: sumsByName(failureLayer.options, (failure) => layerOfFailure[categoryOfFailure[failure]]),
    undecided: failedCalls - sum(() => true),
  });
}
