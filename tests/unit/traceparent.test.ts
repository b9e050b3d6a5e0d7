import { expect, test } from 'vitest';
import { attemptName, computeTraceIdOfAttempt, isTraceparent, makeTraceparent } from '#core/values/traceparent.ts';

test.each([
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', true],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00', true],
  ['00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01', false],
  ['00-00000000000000000000000000000000-00f067aa0ba902b7-01', false],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01', false],
  ['ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', false],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\n', false],
  ['', false],
])('whether %j is a traceparent: %s', (text, is) => {
  expect(isTraceparent(text)).toBe(is);
});

test('attempts have trace ids of their own, and the same one each time', async () => {
  const name = attemptName('evl_1', 'r0001-u01', 'steady.01.source');
  const id = await computeTraceIdOfAttempt(name);
  expect(id).toBe(await computeTraceIdOfAttempt(name));
  expect(id).not.toBe(await computeTraceIdOfAttempt(attemptName('evl_1', 'r0001-u01', 'steady.02.source')));
  expect(isTraceparent(makeTraceparent(id, '00f067aa0ba902b7'))).toBe(true);
});
