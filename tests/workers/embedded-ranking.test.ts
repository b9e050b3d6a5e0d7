import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { EmbeddedRanking } from '#durable-objects/embedded-ranking.ts';
import type { RankingStore } from '#core/leaderboards/ranking.ts';
import { entryAt, rankingContract, Reference } from '../support/ranking-contract.ts';
import { unique } from '../support/workspace.ts';

/** Runs something on an embedded ranking that was made anew from what is stored. */
const onRanking = <T>(id: string, run: (ranking: EmbeddedRanking) => T): Promise<T> =>
  runInDurableObject(env.LEADERBOARD.getByName(id), (_object, { storage }) =>
    storage.transactionSync(() => run(new EmbeddedRanking(storage.sql))),
  );

rankingContract('the embedded ranking', () => {
  const id = unique('lb');
  const read = async <T>(run: (ranking: EmbeddedRanking) => T) =>
    ({ ok: true, value: await onRanking(id, run) }) as const;
  const store: RankingStore = {
    page: (metric, from, limit) => read((ranking) => ranking.page(metric, from, limit)),
    place: (metric, entry) => read((ranking) => ranking.place(metric, entry)),
    seq: () => read((ranking) => ranking.seq),
    apply: (change) => read((ranking) => ranking.apply(change)),
    rebuild: async (whole) => {
      const entries = await whole.entries('', 1_000);
      return read((ranking) => {
        ranking.rebuild(whole, entries);
        return null;
      });
    },
  };
  return Promise.resolve(store);
});

test('a page reads the rows of its entries and no others, however many there are', async () => {
  const read = async (entries: number): Promise<number> => {
    const reference = new Reference();
    const whole = reference.whole();
    const all = Array.from({ length: entries }, (_, n) => entryAt(`sub_${String(n).padStart(5, '0')}`, n));
    const order = all.map(({ id, keys }) => ({ id, key: keys.execution, leads: true }));
    return onRanking(unique('lb'), (ranking) => {
      ranking.rebuild({ ...whole, seq: 1, orders: { ...whole.orders, execution: order } }, all);
      const before = ranking.rowsRead;
      expect(ranking.page('execution', Math.floor(entries / 2), 20).rows).toHaveLength(20);
      return ranking.rowsRead - before;
    });
  };
  const few = await read(100);
  expect(few).toBeLessThanOrEqual(61);
  expect(await read(5_000)).toBe(few);
});
