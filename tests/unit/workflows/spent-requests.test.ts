import { expect, test } from 'vitest';
import { isOutOfRequestsError, SpentRequests } from '#workflows/steps/spent-requests.ts';

test('the requests of an instance add up over its steps until they reach its limit', () => {
  const admission = { requestCount: 0 };
  const spent = new SpentRequests(admission, 100);
  admission.requestCount = 60;
  spent.restoreStepTotal(spent.total);
  expect([spent.total, spent.isUsedUp]).toEqual([60, false]);
  admission.requestCount = 100;
  expect(spent.isUsedUp).toBe(true);
});

test('a replayed instance counts the requests of its earlier steps once', () => {
  const admission = { requestCount: 0 };
  const spent = new SpentRequests(admission, 100);
  // Two steps of two lanes ended before the replay; their results come from the engine's store.
  spent.restoreStepTotal(40);
  spent.restoreStepTotal(70);
  expect(spent.total).toBe(70);
  admission.requestCount = 20;
  spent.restoreStepTotal(spent.total);
  expect([spent.total, spent.isUsedUp]).toEqual([90, false]);
  admission.requestCount = 30;
  expect(spent.isUsedUp).toBe(true);
});

test('an instance is out of requests only when the platform refuses further ones', () => {
  expect(isOutOfRequestsError(new Error('Too many subrequests.'))).toBe(true);
  expect(isOutOfRequestsError(new Error('Aborting engine: Grace period complete'))).toBe(false);
  expect(isOutOfRequestsError(new Error('unit u is at audit'))).toBe(false);
});
