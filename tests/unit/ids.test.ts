import { expect, test, vi } from 'vitest';
import { newId } from '#api/ids.ts';

test('ids sort by the time at which they were made', () => {
  const times = [0, 1, 35, 36, 1_700_000_000_000, 1_700_000_000_001, 4_000_000_000_000];
  const ids = times.map((ms) => newId('key', new Date(ms)));
  expect(ids.toSorted()).toEqual(ids);
});

test('no character is more likely than another in the random part of an id', () => {
  const counts = new Map<string, number>();
  let next = 0;
  const random = vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
    if (array instanceof Uint8Array) array.forEach((_, index) => (array[index] = next++ % 256));
    return array;
  });
  // Each byte comes equally often: 11 bytes an id, 256 ids.
  for (let n = 0; n < 256; n += 1)
    for (const character of newId('key', new Date()).slice('key_'.length + 9))
      counts.set(character, (counts.get(character) ?? 0) + 1);
  random.mockRestore();
  expect([next, counts.size, new Set(counts.values())]).toEqual([256 * 11, 32, new Set([88])]);
});
