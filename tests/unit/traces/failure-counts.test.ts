import { expect, test } from 'vitest';
import {
  addTallies,
  noFailures,
  failureCountsOfTally,
  tallyFailedCallsOfSteps,
  type FailureTally,
} from '#core/traces/failure-counts.ts';
import type { Step } from '#core/traces/trace.ts';
import { tallyFailedCallsOfUnits } from '#core/units/count-unit-failures.ts';
import { stepFrom } from '../scoring/steps.ts';

const byRule: Step = { ...stepFrom('a/x!'), failure: { source: 'rule', class: 'resource-contention', rule: 'r' } };
const byModel: Step = { ...stepFrom('a/x!'), failure: { source: 'model', class: 'precondition-violation', why: 'w' } };
const reported: Step = { ...stepFrom('a/y'), reported: { rule: 'prefix' } };
const steps = [stepFrom('a/x'), byRule, byRule, byModel, stepFrom('a/x!'), stepFrom('a/x?'), reported];

test('failed calls of a trace are counted by class, undecided ones and reported errors among them', () => {
  const tally = tallyFailedCallsOfSteps(steps);
  expect(tally).toEqual({
    calls: 6,
    failedCalls: 5,
    reportedErrors: 1,
    spoiltCalls: 0,
    classes: { 'resource-contention': 2, 'precondition-violation': 1 },
  });
  expect(failureCountsOfTally(tally)).toMatchObject({
    calls: 6,
    failedCalls: 5,
    byClass: { 'resource-contention': 2, 'precondition-violation': 1, 'network-instability': 0 },
    byCategory: { concurrency: 2, 'state-dependency': 1 },
    byLayer: { environment: 2, cognition: 1 },
    undecided: 2,
  });
});

test('counts of several traces add up, in any order', () => {
  const parts = [
    tallyFailedCallsOfSteps([byRule]),
    tallyFailedCallsOfSteps([byModel, byRule]),
    noFailures,
    tallyFailedCallsOfSteps([stepFrom('a/x')]),
  ];
  const sum = (of: readonly FailureTally[]) => of.reduce(addTallies, noFailures);
  expect(sum(parts)).toEqual(tallyFailedCallsOfSteps([byRule, byModel, byRule, stepFrom('a/x')]));
  expect(sum(parts.toReversed())).toEqual(sum(parts));
  expect(noFailures).toEqual({ calls: 0, failedCalls: 0, reportedErrors: 0, spoiltCalls: 0, classes: {} });
});

test('units of earlier releases, and units that were not executed, count nothing', () => {
  const execution = { calls: [], valuesPassed: [], errors: [], end: 'answered' };
  const failures = tallyFailedCallsOfSteps([byRule]);
  const failed = { source: { ...execution, failures }, followUp: null };
  const nothing = { source: null, followUp: execution };
  const units = [
    { executions: nothing, earlierExecution: null },
    { executions: failed, earlierExecution: null },
    { executions: nothing, earlierExecution: { executions: failed } },
  ];
  expect(tallyFailedCallsOfUnits(units)).toEqual(addTallies(failures, failures));
  expect(tallyFailedCallsOfUnits([])).toEqual(noFailures);
});
