import { describe, expect, test } from 'vitest';
import {
  rankingChangeByAdding,
  rankingChangeByRemoving,
  computePlacesAndFronts,
  type PresentRanking,
  type MakeTieTest,
} from '#core/leaderboards/ranking-change.ts';
import { type RankingMetric, buildByMetric, rankingOrdersOfProtocol } from '#core/leaderboards/metrics.ts';
import { sortByMetric, sortKeyOrInfinity, type Order } from '#core/leaderboards/order.ts';
import type {
  Place,
  Ranked,
  RankingKeys,
  RankingChange,
  RankingStore,
  WholeRanking,
} from '#core/leaderboards/ranking.ts';
import { submissionTier, type SubmissionTier } from '#core/leaderboards/submissions/state.ts';
import { makeRandom } from '#core/values/random.ts';

/** The behaviour of every ranking store. For Node and workerd, so it uses neither. */

export const value = <T>(found: Ranked<T>): T => {
  if (found.ok) return found.value;
  throw new Error(`${found.fault.code}: ${found.fault.detail}`);
};

/** An entry as a ranking knows it. */
export interface Placed {
  readonly id: string;
  readonly tier: SubmissionTier;
  readonly keys: RankingKeys;
  readonly json: string;
}

/** An entry of the tier `service` whose key is the same by every metric but those that are named. */
export const entryAt = (id: string, key: number, keys: Partial<Record<RankingMetric, number>> = {}): Placed => ({
  id,
  tier: 'service',
  keys: { ...buildByMetric(rankingOrdersOfProtocol('sgvef').metrics, () => key), cost: Infinity, ...keys },
  json: JSON.stringify({ id, name: `name of ${id}`, ofNumbers: [1, 2.5, null] }),
});

/** A ranking that is rebuilt after each change; it produces the changes for a store. */
export class Reference implements PresentRanking {
  readonly orders = rankingOrdersOfProtocol('sgvef');
  readonly entries = new Map<string, Placed>();
  readonly #ties: MakeTieTest;
  #ranked: ReturnType<typeof computePlacesAndFronts> | null = null;
  seq = 0;

  constructor(ties: MakeTieTest = () => () => false) {
    this.#ties = ties;
  }

  listIdsOfParetoFront(tier: SubmissionTier): readonly string[] {
    return this.whole().fronts[tier];
  }

  getOrderOfTier(tier: SubmissionTier, metric: RankingMetric): Order {
    return sortByMetric(
      this.whole().places.filter((place) => place.tier === tier),
      metric,
    );
  }

  getPlaceOrThrow(id: string): Place {
    const place = this.whole().places.find((each) => each.id === id);
    if (place === undefined) throw new Error(`there is no ${id}`);
    return place;
  }

  put(entry: Placed): RankingChange {
    const change = rankingChangeByAdding(this, entry.tier, entry, this.#ties);
    this.entries.set(entry.id, entry);
    this.#ranked = null;
    this.seq = change.seq;
    return change;
  }

  remove(id: string): RankingChange {
    const change = rankingChangeByRemoving(this, id, this.#ties);
    this.entries.delete(id);
    this.#ranked = null;
    this.seq = change.seq;
    return change;
  }

  whole(): WholeRanking {
    const entries = [...this.entries.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    this.#ranked ??= computePlacesAndFronts(rankingOrdersOfProtocol('sgvef'), entries, this.#ties);
    return {
      seq: this.seq,
      ...this.#ranked,
      entries: (after, limit) => Promise.resolve(entries.filter(({ id }) => id > after).slice(0, limit)),
    };
  }
}

/** Everything that can be read from a ranking. */
async function everything(store: RankingStore, ids: readonly string[]): Promise<unknown> {
  const read: unknown[] = [value(await store.seq())];
  for (const metric of rankingOrdersOfProtocol('sgvef').metrics) {
    for (const tier of submissionTier.options) read.push(value(await store.page(tier, metric, 0, 1_000)));
    for (const id of ids) read.push(value(await store.place(metric, id)));
  }
  return read;
}

/** The expected result, from the definition. */
function expected(reference: Reference, ids: readonly string[]): unknown {
  const { seq, places, fronts } = reference.whole();
  const read: unknown[] = [seq];
  for (const metric of rankingOrdersOfProtocol('sgvef').metrics) {
    const found = new Map<string, unknown>();
    for (const tier of submissionTier.options) {
      const order = sortByMetric(
        places.filter((place) => place.tier === tier),
        metric,
      );
      const leaders = order.map((_, at) => order.slice(0, at + 1).findLastIndex((each) => each.leads[metric]));
      const rows = order.map((each, at) => ({
        position: at + 1,
        rank: (leaders[at] ?? 0) + 1,
        ranked: sortKeyOrInfinity(each, metric) !== Infinity,
        onFront: fronts[tier].includes(each.id),
        json: reference.entries.get(each.id)?.json,
      }));
      read.push({ seq, total: order.length, rows });
      for (const [at, { id }] of order.entries()) {
        const leader = leaders[at] ?? 0;
        const above = leader === 0 ? null : (order[leaders[leader - 1] ?? 0]?.id ?? null);
        found.set(id, { seq, total: order.length, ...rows[at], leader: order[leader]?.id, above });
      }
    }
    read.push(...ids.map((id) => found.get(id) ?? null));
  }
  return read;
}

/** The cases; `makeStore` returns the store of a leaderboard without entries. */
export function rankingContract(name: string, makeStore: () => Promise<RankingStore>): void {
  const ids = async (store: RankingStore, metric: RankingMetric = 'success', from = 0, limit = 100) =>
    value(await store.page('service', metric, from, limit)).rows.map(({ json }) => /"id":"([^"]+)"/.exec(json)?.[1]);

  describe(`${name} as a ranking`, () => {
    test('has nothing before the first change', async () => {
      const store = await makeStore();
      expect(value(await store.seq())).toBe(0);
      expect(value(await store.page('service', 'success', 0, 10))).toEqual({ seq: 0, total: 0, rows: [] });
      expect(value(await store.place('success', 'sub_a'))).toBeNull();
    });

    test('stands by key, equal keys by id, without a score last', async () => {
      const store = await makeStore();
      const reference = new Reference();
      for (const [id, key] of [
        ['sub_e', Infinity],
        ['sub_b', 0.5],
        ['sub_d', Infinity],
        ['sub_a', 0.5],
        ['sub_c', -0.25],
        ['sub_f', -0],
        ['sub_g', 1e-17],
        ['sub_h', 0.1 + 0.2],
        ['sub_i', 0.3],
      ] as const)
        expect(value(await store.apply(reference.put(entryAt(id, key))))).toBe('applied');
      expect(await ids(store)).toEqual([
        'sub_c',
        'sub_f',
        'sub_g',
        'sub_i',
        'sub_h',
        'sub_a',
        'sub_b',
        'sub_d',
        'sub_e',
      ]);
      expect(
        value(await store.page('service', 'success', 5, 9)).rows.map(({ position, rank }) => [position, rank]),
      ).toEqual([
        [6, 6],
        [7, 6],
        [8, 8],
        [9, 8],
      ]);
    });

    test('an entry with the key of the next group stays in its own', async () => {
      const store = await makeStore();
      // a cannot be told from the leader above; b, with the same key as a, can.
      const reference = new Reference(() => (one, other) => [one, other].toSorted().join('-') === 'sub_a-sub_top');
      for (const entry of [entryAt('sub_top', 1), entryAt('sub_a', 2), entryAt('sub_b', 2)])
        value(await store.apply(reference.put(entry)));
      expect(value(await store.place('pass-hat-4', 'sub_a'))).toMatchObject({
        position: 2,
        rank: 1,
        leader: 'sub_top',
      });
      expect(value(await store.place('pass-hat-4', 'sub_b'))).toMatchObject({ position: 3, rank: 3, above: 'sub_top' });
      expect(await everything(store, ['sub_a', 'sub_b'])).toEqual(expected(reference, ['sub_a', 'sub_b']));
    });

    test('marks the front of cost and execution', async () => {
      const store = await makeStore();
      const reference = new Reference();
      for (const [id, execution, cost] of [
        ['sub_dear', -0.9, 9],
        ['sub_worse', -0.8, 9],
        ['sub_cheap', -0.2, 1],
        ['sub_free', -1, Infinity],
      ] as const)
        value(await store.apply(reference.put(entryAt(id, execution, { cost }))));
      const rows = value(await store.page('service', 'success', 0, 9)).rows.map(({ onFront }) => onFront);
      expect(rows).toEqual([false, true, false, true]);
      value(await store.apply(reference.remove('sub_dear')));
      expect(value(await store.place('success', 'sub_worse'))?.onFront).toBe(true);
    });

    test('lists an entry whose headline is too low behind those that are ordered by use, as long as a better one is there', async () => {
      const store = await makeStore();
      const reference = new Reference();
      const ordered = async () =>
        value(await store.page('service', 'cost', 0, 9)).rows.map(({ json, rank, ranked }) => [
          /sub_./.exec(json)?.[0],
          rank,
          ranked,
        ]);
      // One pair of requests solved for next to nothing, first while nobody else is there.
      value(await store.apply(reference.put(entryAt('sub_a', -0.11, { cost: 0.000_001 }))));
      expect(await ordered()).toEqual([['sub_a', 1, true]]);
      value(await store.apply(reference.put(entryAt('sub_b', -0.9, { cost: 3 }))));
      value(await store.apply(reference.put(entryAt('sub_c', -0.8, { cost: 1 }))));
      value(await store.apply(reference.put(entryAt('sub_d', -0.79, { cost: 0.5 }))));
      expect(await ordered()).toEqual([
        ['sub_c', 1, true],
        ['sub_b', 2, true],
        ['sub_a', 3, false],
        ['sub_d', 3, false],
      ]);
      expect(value(await store.place('tokens', 'sub_a'))).toMatchObject({ ranked: false });
      expect(value(await store.place('success', 'sub_a'))).toMatchObject({ ranked: true, rank: 4 });
      value(await store.apply(reference.remove('sub_b')));
      expect(await ordered()).toEqual([
        ['sub_d', 1, true],
        ['sub_c', 2, true],
        ['sub_a', 3, false],
      ]);
      expect(await everything(store, ['sub_a', 'sub_d'])).toEqual(expected(reference, ['sub_a', 'sub_d']));
    });

    test('each tier has positions, ties and a front of its own', async () => {
      const [store, rebuilt] = [await makeStore(), await makeStore()];
      // Everybody ties with everybody of their tier, so a tie across tiers would show.
      const reference = new Reference(() => () => true);
      for (const [id, tier, success, cost] of [
        ['sub_a', 'self-reported', -1, 1],
        ['sub_b', 'gateway', -0.9, 2],
        ['sub_c', 'service', -0.5, 3],
        ['sub_d', 'service', -0.4, 4],
        ['sub_e', 'gateway', -0.8, 9],
      ] as const)
        value(await store.apply(reference.put({ ...entryAt(id, success, { cost }), tier })));
      const ranks = async (tier: SubmissionTier) =>
        value(await store.page(tier, 'success', 0, 9)).rows.map(({ position, rank, onFront, json }) => [
          /sub_./.exec(json)?.[0],
          position,
          rank,
          onFront,
        ]);
      const service = [
        ['sub_c', 1, 1, true],
        ['sub_d', 2, 1, false],
      ];
      expect(await ranks('service')).toEqual(service);
      expect(await ranks('gateway')).toEqual([
        ['sub_b', 1, 1, true],
        ['sub_e', 2, 1, false],
      ]);
      expect(await ranks('self-reported')).toEqual([['sub_a', 1, 1, true]]);
      expect(value(await store.place('success', 'sub_d'))).toMatchObject({ total: 2, leader: 'sub_c', above: null });
      value(await rebuilt.rebuild(reference.whole()));
      expect(await everything(rebuilt, ['sub_a', 'sub_d'])).toEqual(await everything(store, ['sub_a', 'sub_d']));
      value(await store.apply(reference.remove('sub_b')));
      expect(await ranks('gateway')).toEqual([['sub_e', 1, 1, true]]);
      expect(await ranks('service')).toEqual(service);
    });

    test('a change that came before changes nothing, one that misses others is a gap', async () => {
      const store = await makeStore();
      const reference = new Reference();
      const first = reference.put(entryAt('sub_a', 1));
      const second = reference.put(entryAt('sub_b', 2));
      const third = reference.remove('sub_a');
      expect(value(await store.apply(second))).toBe('gap');
      expect(value(await store.seq())).toBe(0);
      for (const change of [first, first, second, first, second])
        expect(value(await store.apply(change))).toBe('applied');
      expect(await ids(store)).toEqual(['sub_a', 'sub_b']);
      value(await store.apply(third));
      value(await store.apply(first));
      expect(await ids(store)).toEqual(['sub_b']);
      expect(value(await store.seq())).toBe(3);
      expect(value(await store.place('pass-hat-4', 'sub_a'))).toBeNull();
      expect(value(await store.apply({ ...third, seq: 5 }))).toBe('gap');
    });

    test('an entry that went and comes again takes its new place', async () => {
      const store = await makeStore();
      const reference = new Reference();
      for (const entry of [entryAt('sub_a', 1), entryAt('sub_b', 2)]) value(await store.apply(reference.put(entry)));
      value(await store.apply(reference.remove('sub_a')));
      value(await store.apply(reference.put(entryAt('sub_a', 3))));
      expect(await ids(store)).toEqual(['sub_b', 'sub_a']);
      expect(await everything(store, ['sub_a'])).toEqual(expected(reference, ['sub_a']));
    });

    test('pages begin anywhere and end where the ranking does', async () => {
      const store = await makeStore();
      const near: MakeTieTest = () => (one, other) => Math.abs(Number(one.slice(4)) - Number(other.slice(4))) < 7;
      const reference = new Reference(near);
      for (let n = 0; n < 30; n += 1)
        value(await store.apply(reference.put(entryAt(`sub_${String(n).padStart(2, '0')}`, n))));
      const all = value(await store.page('service', 'pass-hat-4', 0, 100)).rows;
      expect(all.map(({ rank }) => rank)).toEqual(Array.from({ length: 30 }, (_, n) => n - (n % 7) + 1));
      for (const [from, limit] of [
        [0, 1],
        [1, 5],
        [6, 9],
        [13, 17],
        [29, 10],
        [30, 10],
        [500, 10],
      ] as const)
        expect(value(await store.page('service', 'pass-hat-4', from, limit)).rows).toEqual(
          all.slice(from, from + limit),
        );
    });

    test('whatever comes and goes: what is read is what the definition says, and what a rebuild gives', async () => {
      const random = makeRandom('whatever comes and goes');
      for (let run = 0; run < 4; run += 1) {
        const [store, rebuilt] = [await makeStore(), await makeStore()];
        const seed = random.below(1_000);
        const reference = new Reference(() => (one, other) => {
          const [a, b] = one < other ? [one, other] : [other, one];
          return ((a.codePointAt(4) ?? 0) * 31 + (b.codePointAt(4) ?? 0) * 17 + seed) % 5 < 2;
        });
        const letters = [...'abcdefghijkl'].map((letter) => `sub_${letter}`);
        value(await rebuilt.apply(new Reference().put(entryAt('sub_old', 1))));
        for (let step = 0; step < 25; step += 1) {
          const id = letters[random.below(letters.length)] ?? 'sub_a';
          const key = () => [Infinity, -1, -0.95, -0.9, -0.8, -0.5, 0][random.below(7)] ?? 0;
          const tier = submissionTier.options[random.below(submissionTier.options.length)] ?? 'service';
          const change = reference.entries.has(id)
            ? reference.remove(id)
            : reference.put({
                ...entryAt(id, key()),
                tier,
                keys: buildByMetric(rankingOrdersOfProtocol('sgvef').metrics, key),
              });
          expect(value(await store.apply(change))).toBe('applied');
        }
        const read = await everything(store, [...letters, 'sub_never']);
        expect(read).toEqual(expected(reference, [...letters, 'sub_never']));
        value(await rebuilt.rebuild(reference.whole()));
        expect(await everything(rebuilt, [...letters, 'sub_never'])).toEqual(read);
        value(await rebuilt.apply(reference.put(entryAt('sub_new', 0.7))));
        expect(await everything(rebuilt, letters)).toEqual(expected(reference, letters));
      }
    });

    test('a rebuild forgets what is not in it, and may be empty', async () => {
      const store = await makeStore();
      value(await store.apply(new Reference().put(entryAt('sub_a', 1))));
      value(await store.rebuild({ ...new Reference().whole(), seq: 9 }));
      expect(value(await store.page('service', 'success', 0, 9))).toEqual({ seq: 9, total: 0, rows: [] });
      expect(value(await store.place('success', 'sub_a'))).toBeNull();
    });
  });
}
