import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { rankingChangeByAdding, rankingChangeByRemoving, type MakeTieTest } from '#core/leaderboards/ranking-change.ts';
import { chunkSize } from '#core/leaderboards/id-chunks.ts';
import { buildByMetric, rankingOrdersOfProtocol } from '#core/leaderboards/metrics.ts';
import type { Place, RankingStore } from '#core/leaderboards/ranking.ts';
import { makeRandom } from '#core/values/random.ts';
import { EmbeddedRanking } from '#durable-objects/leaderboard/embedded-ranking.ts';
import { entryAt, rankingContract, Reference } from '../support/ranking-contract.ts';
import { unique } from '../support/workspace.ts';

/** Runs something on an embedded ranking that was loaded again from storage. */
const onRanking = <T>(id: string, run: (ranking: EmbeddedRanking) => T): Promise<T> =>
  runInDurableObject(env.LEADERBOARD.getByName(id), (_object, { storage }) =>
    storage.transactionSync(() => run(new EmbeddedRanking(storage.sql, () => rankingOrdersOfProtocol('sgvef')))),
  );

rankingContract('the embedded ranking', () => {
  const id = unique('lb');
  const read = async <T>(run: (ranking: EmbeddedRanking) => T) =>
    ({ ok: true, value: await onRanking(id, run) }) as const;
  const store: RankingStore = {
    page: (tier, metric, from, limit) => read((ranking) => ranking.readPage(tier, metric, from, limit)),
    place: (metric, entry) => read((ranking) => ranking.findRankedPlace(metric, entry)),
    seq: () => read((ranking) => ranking.seq),
    apply: (change) => read((ranking) => ranking.applyChangeOrReturnGap(change)),
    rebuild: async (whole) => {
      const entries = await whole.entries('', 1_000);
      return read((ranking) => {
        ranking.replaceRanking(whole, entries);
        return null;
      });
    },
  };
  return Promise.resolve(store);
});

const never: MakeTieTest = () => () => false;
/** So many entries, none of which ties with another. */
const placesOf = (entries: number): Place[] =>
  Array.from({ length: entries }, (_, n) => ({
    id: `sub_${String(n).padStart(5, '0')}`,
    tier: 'service',
    // None is behind the best by the headline.
    behind: false,
    keys: buildByMetric(rankingOrdersOfProtocol('sgvef').metrics, (metric) => (metric === 'success' ? n / 100_000 : n)),
    leads: buildByMetric(rankingOrdersOfProtocol('sgvef').metrics, () => true),
  }));
const wholeOf = (places: readonly Place[]) => ({
  seq: 1,
  places,
  fronts: { service: places.slice(0, 1).map(({ id }) => id), gateway: [], 'self-reported': [] },
});
const entriesOf = (places: readonly Place[]) => places.map(({ id }) => ({ id, json: `{"id":"${id}"}` }));

test('a page reads only the rows of its own entries, for any number of entries', async () => {
  const read = async (entries: number): Promise<number> => {
    const places = placesOf(entries);
    return onRanking(unique('lb'), (ranking) => {
      ranking.replaceRanking(wholeOf(places), entriesOf(places));
      const before = ranking.rowsRead;
      expect(ranking.readPage('service', 'success', Math.floor(entries / 2), 20).rows).toHaveLength(20);
      return ranking.rowsRead - before;
    });
  };
  const few = await read(100);
  expect(few).toBeLessThanOrEqual(61);
  expect(await read(5_000)).toBe(few);
});

test('loading the ranking reads one row for many entries, once', async () => {
  const id = unique('lb');
  const places = placesOf(1_000);
  await onRanking(id, (ranking) => ranking.replaceRanking(wholeOf(places), entriesOf(places)));
  await onRanking(id, (ranking) => {
    expect(ranking.total).toBe(1_000);
    expect(ranking.rowsRead).toBe(Math.ceil(1_000 / chunkSize));
    ranking.getOrderOfTier('service', 'pass-hat-4');
    expect(ranking.getPlaceOrThrow('sub_00500').keys.cost).toBe(500);
    expect(ranking.rowsRead).toBe(Math.ceil(1_000 / chunkSize));
  });
});

test('a change writes the same few rows for any number of entries', async () => {
  const written = async (entries: number): Promise<number[]> => {
    const id = unique('lb');
    const places = placesOf(entries);
    await onRanking(id, (ranking) => ranking.replaceRanking(wholeOf(places), entriesOf(places)));
    return onRanking(id, (ranking) => {
      const rows: number[] = [];
      const counted = (change: Parameters<EmbeddedRanking['applyChangeOrReturnGap']>[0]) => {
        const before = ranking.rowsWritten;
        expect(ranking.applyChangeOrReturnGap(change)).toBe('applied');
        rows.push(ranking.rowsWritten - before);
      };
      counted(
        rankingChangeByAdding(
          ranking,
          'service',
          entryAt('sub_new', entries / 2 + 0.5, { success: (entries / 2 + 0.5) / 100_000 }),
          never,
        ),
      );
      counted(rankingChangeByRemoving(ranking, 'sub_new', never));
      counted(rankingChangeByRemoving(ranking, 'sub_00040', never));
      return rows;
    });
  };
  const few = await written(100);
  // The entry with the row of its index, its chunk, and the standing.
  expect(few.every((rows) => rows <= 4)).toBe(true);
  expect(await written(5_000)).toEqual(few);
});

test('the ranking in memory equals the stored one after any changes', async () => {
  await runInDurableObject(env.LEADERBOARD.getByName(unique('lb')), (_object, { storage }) => {
    const random = makeRandom('kept in memory');
    const kept = new EmbeddedRanking(storage.sql, () => rankingOrdersOfProtocol('sgvef'));
    const near: MakeTieTest = () => (one, other) => (Number(one.slice(4)) * Number(other.slice(4))) % 5 < 2;
    const present = new Set<string>();
    for (let step = 0; step < 300; step += 1) {
      const id = `sub_${100 + random.below(150)}`;
      const entry = {
        ...entryAt(id, 0),
        keys: buildByMetric(
          rankingOrdersOfProtocol('sgvef').metrics,
          () => [Infinity, random.below(20)][random.below(2)] ?? 0,
        ),
      };
      storage.transactionSync(() =>
        kept.applyChangeOrReturnGap(
          present.has(id)
            ? rankingChangeByRemoving(kept, id, near)
            : rankingChangeByAdding(kept, 'service', entry, near),
        ),
      );
      if (!present.delete(id)) present.add(id);
      if (step % 30 !== 29) continue;
      const anew = new EmbeddedRanking(storage.sql, () => rankingOrdersOfProtocol('sgvef'));
      expect(kept.total).toBe(present.size);
      expect([kept.seq, kept.listIdsOfParetoFront('service')]).toEqual([
        anew.seq,
        anew.listIdsOfParetoFront('service'),
      ]);
      for (const metric of rankingOrdersOfProtocol('sgvef').metrics) {
        expect(kept.readPage('service', metric, 0, 150)).toEqual(anew.readPage('service', metric, 0, 150));
        expect(kept.findRankedPlace(metric, id)).toEqual(anew.findRankedPlace(metric, id));
      }
    }
  });
});

test('changes of a failed transaction are dropped from memory', async () => {
  const id = unique('lb');
  const reference = new Reference();
  const first = ['sub_a', 'sub_b', 'sub_c'].map((entry, n) => reference.put(entryAt(entry, n)));
  const later = [reference.remove('sub_a'), reference.put(entryAt('sub_d', 1.5, { cost: 0.5 }))];
  await runInDurableObject(env.LEADERBOARD.getByName(id), (_object, { storage }) => {
    const ranking = new EmbeddedRanking(storage.sql, () => rankingOrdersOfProtocol('sgvef'));
    const take = (changes: typeof first) => {
      for (const change of changes) expect(ranking.applyChangeOrReturnGap(change)).toBe('applied');
    };
    const read = () => [
      ranking.seq,
      ranking.total,
      ranking.listIdsOfParetoFront('service'),
      ranking.readPage('service', 'pass-hat-4', 0, 9),
      ranking.makeCopyOfWholeRanking().places,
    ];
    storage.transactionSync(() => take(first));
    const before = read();
    const failing = () =>
      storage.transactionSync(() => {
        take(later);
        throw new Error('after all was changed');
      });
    expect(failing).toThrow('after all was changed');
    expect(ranking.seq).toBe(5);
    ranking.dropCache();
    expect(read()).toEqual(before);
    storage.transactionSync(() => take(later));
    expect(read()).toEqual(
      storage.transactionSync(() => {
        ranking.dropCache();
        return read();
      }),
    );
    expect(ranking.readPage('service', 'pass-hat-4', 0, 9).rows.map(({ json }) => /sub_./.exec(json)?.[0])).toEqual([
      'sub_b',
      'sub_d',
      'sub_c',
    ]);
  });
});

test('a copy of the ranking stays unchanged while changes continue', async () => {
  await onRanking(unique('lb'), (ranking) => {
    ranking.applyChangeOrReturnGap(rankingChangeByAdding(ranking, 'service', entryAt('sub_a', 1), never));
    const { places, seq } = ranking.makeCopyOfWholeRanking();
    ranking.applyChangeOrReturnGap(rankingChangeByAdding(ranking, 'service', entryAt('sub_b', 0), () => () => true));
    ranking.applyChangeOrReturnGap(rankingChangeByRemoving(ranking, 'sub_a', never));
    expect(seq).toBe(1);
    expect(places.map(({ id, leads }) => [id, leads['pass-hat-4']])).toEqual([['sub_a', true]]);
  });
});
