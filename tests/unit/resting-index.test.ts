import { expect, test } from 'vitest';
import { makeIndexThatRestsAfterFailures } from '#adapters/vector/resting-index.ts';
import type { FactIndex } from '#core/ports.ts';

const fault = { where: 'index', name: 'kn_1', code: 'unreachable', detail: 'no connection' } as const;

test('an index that failed three times in a row is not asked for a minute', async () => {
  let asked = 0;
  let works = false;
  let nowMs = 0;
  const index: FactIndex = {
    search: async () => {
      asked += 1;
      return works ? { ok: true, value: [], calls: [] } : { ok: false, fault, calls: [] };
    },
  };
  const rested = makeIndexThatRestsAfterFailures(index, () => nowMs);
  for (let n = 0; n < 5; n += 1) expect(await rested.search('q', 3)).toEqual({ ok: false, fault, calls: [] });
  expect(asked).toBe(3);
  nowMs = 60_000;
  // It still fails: one question is enough to let it rest again.
  await rested.search('q', 3);
  await rested.search('q', 3);
  expect(asked).toBe(4);
  nowMs = 120_000;
  works = true;
  expect(await rested.search('q', 3)).toMatchObject({ ok: true });
  works = false;
  for (let n = 0; n < 3; n += 1) await rested.search('q', 3);
  expect(asked).toBe(8);
});
