import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AttemptLog } from '#agents/attempt-log.ts';
import { startSteadyClock } from '../../../workflows/steps/steady-clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const limits = { turns: 20, callsPerTurn: 16, tokens: 1_000, timeMs: 60_000, callTimeoutMs: 1_000 };

test('an attempt keeps its time although the clock of the machine is set forth and back', async () => {
  const begun = Date.now();
  const clock = startSteadyClock();
  expect(clock.now(), 'when attempts began is read from it').toBe(begun);
  const log = new AttemptLog({ ...limits }, clock.now);
  await vi.advanceTimersByTimeAsync(20_000);
  vi.setSystemTime(Date.now() + 3_600_000);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(log.findReachedLimit()).toBeNull();
  vi.setSystemTime(Date.now() - 7_200_000);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(log.findReachedLimit()).toBeNull();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(log.findReachedLimit()).toBe('time-limit');
  clock.stop();
});

test('a clock that was stopped leaves no timer', () => {
  startSteadyClock().stop();
  expect(vi.getTimerCount()).toBe(0);
});
