import { expect, test } from 'vitest';
import { makeSentStep } from '#agents/steps.ts';
import type { InfrastructureFault } from '#core/models/faults.ts';
import type { FailureClass } from '#core/traces/failure.ts';
import {
  failureVerdictOfServerFault,
  findFaultThatBreaksAttemptOrNull,
  stepsWithFaultsAsFailures,
} from '#core/traces/spoilt-call.ts';
import { step, type Step } from '#core/traces/trace.ts';

const fault = (code: InfrastructureFault['code'], status?: number): InfrastructureFault => ({
  where: 'server',
  name: 'fruit',
  code,
  detail: 'gone',
  ...(status === undefined ? {} : { status }),
});

test.each<[fault: InfrastructureFault, failure: FailureClass]>([
  [fault('timeout'), 'asynchronous-indeterminacy'],
  [fault('unreachable'), 'network-instability'],
  [fault('connection-lost'), 'network-instability'],
  [fault('malformed-protocol'), 'network-instability'],
  [fault('rate-limited', 429), 'service-scope-limitation'],
  [fault('http-status', 401), 'authentication-deficit'],
  [fault('http-status', 403), 'access-policy-rejection'],
  [fault('http-status', 423), 'resource-contention'],
  [fault('http-status', 500), 'network-instability'],
  [fault('http-status', 503), 'network-instability'],
  [fault('http-status'), 'network-instability'],
])('%o has the class %s', (broken, failure) => {
  expect(failureVerdictOfServerFault(broken)).toMatchObject({ source: 'rule', class: failure });
});

const stepOf = (outcome: Parameters<typeof makeSentStep>[0]['outcome']): Step =>
  step.parse(makeSentStep({ tool: 'fruit/apple', arguments: {}, outcome, latencyMs: 1, turn: 1, turnTokens: null }));
const unmounted = stepOf({ kind: 'fault', fault: fault('unreachable'), unmounted: true });
const missed = stepOf({ kind: 'fault', fault: fault('replay-miss') });
const late = stepOf({ kind: 'fault', fault: fault('timeout') });
const answered = stepOf({ kind: 'success', text: 'ripe', truncated: false, sha256: 'a'.repeat(64) });

test('an attempt is not evaluated if no server could be connected to', () => {
  expect(findFaultThatBreaksAttemptOrNull([unmounted, unmounted])).toEqual(fault('unreachable'));
});

test('an attempt is not evaluated if its recording lacks an answer', () => {
  expect(findFaultThatBreaksAttemptOrNull([answered, missed])).toEqual(fault('replay-miss'));
});

test('an attempt is evaluated if servers are late, or answer after they could not be connected to', () => {
  expect(findFaultThatBreaksAttemptOrNull([late, late])).toBeNull();
  expect(findFaultThatBreaksAttemptOrNull([unmounted, answered])).toBeNull();
  expect(findFaultThatBreaksAttemptOrNull([])).toBeNull();
  expect(stepsWithFaultsAsFailures([unmounted, answered])).toMatchObject([
    { outcome: 'failure', cause: 'environment', text: 'fruit: gone' },
    { outcome: 'success' },
  ]);
});
