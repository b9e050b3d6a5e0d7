import { expect, test } from 'vitest';
import {
  chooseAlarmAction,
  heartbeatEveryMs,
  renewedUntilMs,
  workerLease,
  type AlarmAction,
} from '#core/evaluation/lease.ts';

const leasedUntilMs = 100_000;
const ringing = { deadlineMs: 600_000, leaseMs: 45_000, leasedUntilMs, isBusy: false };
type Ringing = Parameters<typeof chooseAlarmAction>[0];

test.each<[string, Partial<Ringing>, AlarmAction]>([
  ['without a lease, at its deadline', { nowMs: 600_000, leasedUntilMs: null }, { kind: 'expire' }],
  ['at its deadline', { nowMs: 600_000, leasedUntilMs: 620_000 }, { kind: 'expire' }],
  ['when its lease is over', { nowMs: leasedUntilMs }, { kind: 'take-back' }],
  ['during a call', { nowMs: leasedUntilMs, isBusy: true }, { kind: 'hold', untilMs: leasedUntilMs + 45_000 }],
  ['before its lease is over', { nowMs: 99_000 }, { kind: 'hold', untilMs: leasedUntilMs }],
  ['when the service was down meanwhile', { nowMs: 300_000 }, { kind: 'hold', untilMs: 345_000 }],
])('the alarm of an attempt rings %s', (_, when, expected) => {
  expect(chooseAlarmAction({ nowMs: 0, ...ringing, ...when })).toEqual(expected);
});

test('a sign of life extends a lease to its whole duration, unless the last one was a moment ago', () => {
  expect(renewedUntilMs(workerLease, leasedUntilMs, 60_000)).toBe(105_000);
  expect(renewedUntilMs(workerLease, leasedUntilMs, leasedUntilMs - workerLease.ms + 1_999)).toBeNull();
});

test('a worker may lose two heartbeats, and what it held is back within a minute', () => {
  expect(heartbeatEveryMs(workerLease.ms)).toBe(15_000);
  expect(workerLease.ms).toBeLessThan(60_000);
});
