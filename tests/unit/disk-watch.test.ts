import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchDisk } from '../../engine/disk-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const full =
  'Uncaught exception: workerd/jsg/value.h:1511: failed: remote.jsg.Error: database or disk is full: SQLITE_FULL';

/** A watch over a disk that has as much room as `room.bytes` says; `wakes` are the answers of the attempts to wake runs. */
function watched(wakes: (number | Error)[]) {
  const room = { bytes: 0 };
  const said: string[] = [];
  const watch = watchDisk({
    folder: '/state',
    measureFreeBytes: () => room.bytes,
    log: (line) => said.push(line),
    wakeRuns: async () => {
      const next = wakes.shift() ?? 0;
      if (next instanceof Error) throw next;
      return next;
    },
  });
  return { room, said, watch };
}

test('a full disk is said in one line however often the runtime says it, and other lines are passed on', async () => {
  const { said, watch } = watched([]);
  expect(watch.takeLine('something else went wrong')).toBe(false);
  for (let n = 0; n < 50; n += 1) expect(watch.takeLine(full)).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(said).toEqual([
    'the disk of /state is full: nothing new is kept, and runs wait; what was committed is safe. Make 16 MiB of room, and they go on',
  ]);
  await watch.stop();
});

test('runs are woken as soon as there is room again, and not before', async () => {
  const { room, said, watch } = watched([new Error('still busy'), 2]);
  watch.takeLine(full);
  room.bytes = 1_000_000;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(said).toHaveLength(1);
  room.bytes = 100_000_000;
  // The first attempt to wake them fails.
  await vi.advanceTimersByTimeAsync(2_000);
  expect(said[1]).toBe('there is room on the disk again; 2 runs that had not ended go on');
  // A disk that fills again is said again.
  watch.takeLine(full);
  expect(said).toHaveLength(3);
  await watch.stop();
});

test('a watch that was stopped wakes nobody', async () => {
  const { room, said, watch } = watched([1]);
  watch.takeLine(full);
  room.bytes = 100_000_000;
  await watch.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(said).toHaveLength(1);
});
