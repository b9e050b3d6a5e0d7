import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchWorkerAndWakeRuns } from '../../engine/worker-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A Worker that answers as `answer` does; counts how often the schedule ran. */
function watched(answer: () => Promise<Response>) {
  vi.stubGlobal('fetch', async (url: string) => (url.endsWith('/v1/wake') ? Response.json({ runs: 1 }) : answer()));
  const stopping = new AbortController();
  const said: string[] = [];
  const state = { schedules: 0, ended: '' };
  const watching = watchWorkerAndWakeRuns({
    url: 'http://worker',
    key: 'k',
    instance: 'one',
    engine: { runSchedule: async () => void (state.schedules += 1) },
    signal: stopping.signal,
    log: (line) => said.push(line),
  }).then((how) => (state.ended = how));
  return {
    state,
    stop: async () => {
      stopping.abort();
      await vi.advanceTimersByTimeAsync(1_000);
      await watching;
    },
  };
}

const healthy = async () => Response.json({ instance: 'one' });

test('a Worker that fails to answer once is not given up because the clock was set forth', async () => {
  let failures = 1;
  const { state, stop } = watched(async () => {
    if (failures === 0) return healthy();
    failures -= 1;
    vi.setSystemTime(Date.now() + 3_600_000);
    throw new Error('refused');
  });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(state.ended).toBe('');
  await stop();
});

test('the schedule runs each minute although the clock was set back', async () => {
  const { state, stop } = watched(healthy);
  vi.setSystemTime(Date.now() - 3_600_000);
  await vi.advanceTimersByTimeAsync(150_000);
  expect(state.schedules).toBe(2);
  await stop();
});

test('one request that a busy Worker does not answer in time is no reason to give it up, silence after that is', async () => {
  let [slow, healthyAfter] = [1, true];
  const { state, stop } = watched(async () => {
    if (slow > 0) {
      slow -= 1;
      await new Promise((resolve) => setTimeout(resolve, 90_000));
      throw new Error('timed out');
    }
    if (healthyAfter) return healthy();
    throw new Error('refused');
  });
  await vi.advanceTimersByTimeAsync(100_000);
  expect(state.ended).toBe('');
  healthyAfter = false;
  await vi.advanceTimersByTimeAsync(40_000);
  expect(state.ended).toMatch(/^the Worker has not answered for 3\d s/);
  await stop();
});
