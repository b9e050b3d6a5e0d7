import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  rankingChangeByAdding,
  rankingChangeByRemoving,
  computePlacesAndFronts,
  type MakeTieTest,
} from '#core/leaderboards/ranking-change.ts';
import { type RankingMetric, buildByMetric, rankingOrdersOfProtocol } from '#core/leaderboards/metrics.ts';
import { sortByMetric } from '#core/leaderboards/order.ts';
import { Places } from '#core/leaderboards/places.ts';
import { buildByTier, submissionTier, type SubmissionTier } from '#core/leaderboards/submissions/state.ts';
import type { Place, RankingChange, RankingKeys } from '#core/leaderboards/ranking.ts';

/** A symmetric relation of ids that says anything at all, another by each metric. */
const tiesBy =
  (seed: number): MakeTieTest =>
  (metric) =>
  (a, b) => {
    const [first, second] = a < b ? [a, b] : [b, a];
    let hash = seed;
    for (const each of `${metric}|${first}|${second}`) hash = (Math.imul(hash, 31) + (each.codePointAt(0) ?? 0)) | 0;
    return Math.abs(hash) % 5 < 2;
  };

const key = fc.oneof(
  fc.integer({ min: -6, max: 6 }),
  fc.constant(Infinity),
  // As sort keys are: there is no -0 among them.
  fc.double({ noNaN: true, min: -1, max: 1 }).map((n) => n + 0),
);
/** Keys that differ by metric, and are often equal: 12 drawn ones, the n-th by the n-th metric. */
const keys = fc
  .array(key, {
    minLength: rankingOrdersOfProtocol('sgvef').metrics.length,
    maxLength: rankingOrdersOfProtocol('sgvef').metrics.length,
  })
  .map((drawn): RankingKeys =>
    buildByMetric(
      rankingOrdersOfProtocol('sgvef').metrics,
      (metric) => drawn[rankingOrdersOfProtocol('sgvef').metrics.indexOf(metric)] ?? 0,
    ),
  );
const id = fc.nat(25).map((n) => `sub_${String.fromCodePoint(97 + n)}`);
/** An entry that comes in, or goes where it is in already. */
const step = fc.record({ id, tier: fc.constantFrom(...submissionTier.options), keys });

/** A ranking that takes in one change after the other. */
class Ranking {
  readonly orders = rankingOrdersOfProtocol('sgvef');
  readonly places: Places;
  seq = 0;
  readonly fronts: Record<SubmissionTier, readonly string[]> = buildByTier(() => []);

  constructor(asked: readonly RankingMetric[]) {
    this.places = new Places();
    for (const metric of asked) for (const tier of submissionTier.options) this.places.getLiveOrderOfTier(tier, metric);
  }

  listIdsOfParetoFront(tier: SubmissionTier) {
    return this.fronts[tier];
  }

  getOrderOfTier(tier: SubmissionTier, metric: RankingMetric) {
    return this.places.getLiveOrderOfTier(tier, metric);
  }

  getPlaceOrThrow(entry: string): Place {
    return this.places.getPlaceOrThrow(entry);
  }

  take(change: RankingChange): void {
    this.places.applyChange(change);
    this.seq = change.seq;
    this.fronts[change.tier] = change.front;
  }
}

const leadersIn = (places: readonly Place[]): ReadonlyMap<string, boolean | undefined> =>
  new Map(
    places.flatMap(({ id: entry, leads }) =>
      rankingOrdersOfProtocol('sgvef').metrics.map((metric) => [`${metric} ${entry}`, leads[metric]] as const),
    ),
  );

describe('an incremental change of a ranking', () => {
  it('gives the same ranking as a rebuild, and names who starts or stops leading', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer(), (steps, seed) => {
        const ties = tiesBy(seed);
        const ranking = new Ranking(rankingOrdersOfProtocol('sgvef').metrics);
        const entries = new Map<string, Omit<Place, 'leads' | 'behind'>>();
        for (const entry of steps) {
          const before = new Map(leadersIn(ranking.places.copyAll()));
          const isIn = entries.has(entry.id);
          const change = isIn
            ? rankingChangeByRemoving(ranking, entry.id, ties)
            : rankingChangeByAdding(ranking, entry.tier, { ...entry, json: '' }, ties);
          ranking.take(change);
          if (isIn) entries.delete(entry.id);
          else entries.set(entry.id, entry);
          const { places, fronts } = computePlacesAndFronts(
            rankingOrdersOfProtocol('sgvef'),
            [...entries.values()],
            ties,
          );
          expect(ranking.fronts).toEqual(fronts);
          for (const metric of rankingOrdersOfProtocol('sgvef').metrics)
            for (const tier of submissionTier.options) {
              const own = places.filter((place) => place.tier === tier);
              expect(ranking.getOrderOfTier(tier, metric)).toEqual(sortByMetric(own, metric));
            }
          for (const metric of rankingOrdersOfProtocol('sgvef').metrics)
            if (isIn) before.delete(`${metric} ${entry.id}`);
          expect(new Set(change.behind.map((each) => each.id)).size).toBe(change.behind.length);
          for (const each of change.leads) before.set(`${each.metric} ${each.id}`, each.leads);
          expect(before).toEqual(leadersIn(places));
        }
        expect(ranking.places.total).toBe(entries.size);
        expect(new Places(ranking.places.copyAll()).getLiveOrderOfTier('service', 'pass-hat-4')).toEqual(
          ranking.getOrderOfTier('service', 'pass-hat-4'),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('names only entries whose groups change', () => {
    const ranking = new Ranking([]);
    // All of them are as good by the headline, so that none is behind.
    const keysAt = (n: number) =>
      buildByMetric(rankingOrdersOfProtocol('sgvef').metrics, (metric) => (metric === 'success' ? n / 10_000 : n));
    const near: MakeTieTest = () => (a, b) => Math.abs(Number(a) - Number(b)) < 10;
    for (let n = 100; n < 200; n += 1)
      ranking.take(rankingChangeByAdding(ranking, 'service', { id: String(n), keys: keysAt(n), json: '' }, near));
    const change = rankingChangeByAdding(ranking, 'service', { id: '150.5', keys: keysAt(150.5), json: '' }, near);
    expect(change.leads).toEqual(
      rankingOrdersOfProtocol('sgvef').metrics.map((metric) => ({ metric, id: '150.5', leads: false })),
    );
    ranking.take(change);
    expect(rankingChangeByRemoving(ranking, '150.5', near).leads).toEqual([]);
  });
});

describe('an entry far below the best of its tier', () => {
  const at = (name: string, success: number, cost: number) => ({
    id: name,
    keys: { success: -success, 'pass-hat-4': -success, cost, tokens: cost, duration: cost },
    json: '',
  });
  const never: MakeTieTest = () => () => false;
  const costOrder = (ranking: Ranking) =>
    ranking.getOrderOfTier('service', 'cost').map((place) => (place.behind ? `(${place.id})` : place.id));

  it('has no place by use, and has one again when the best goes', () => {
    const ranking = new Ranking(['cost']);
    const add = (...entry: Parameters<typeof at>) => {
      ranking.take(rankingChangeByAdding(ranking, 'service', at(...entry), never));
    };
    add('idle', 0.11, 0.000_001);
    expect(costOrder(ranking)).toEqual(['idle']);
    add('best', 0.9, 3);
    add('good', 0.8, 1);
    add('fair', 0.79, 0.5);
    expect(costOrder(ranking)).toEqual(['good', 'best', '(fair)', '(idle)']);
    expect(ranking.getOrderOfTier('service', 'success').map((place) => place.id)).toEqual([
      'best',
      'good',
      'fair',
      'idle',
    ]);
    const change = rankingChangeByRemoving(ranking, 'best', never);
    expect(change.behind.map((each) => [each.id, each.behind])).toEqual([['fair', false]]);
    ranking.take(change);
    expect(costOrder(ranking)).toEqual(['fair', 'good', '(idle)']);
  });

  it('of another tier puts nobody behind', () => {
    const ranking = new Ranking([]);
    ranking.take(rankingChangeByAdding(ranking, 'gateway', at('best', 1, 1), never));
    ranking.take(rankingChangeByAdding(ranking, 'service', at('other', 0.2, 1), never));
    expect(ranking.getPlaceOrThrow('other').behind).toBe(false);
  });

  it('stays on the front of cost and the headline, which shows both', () => {
    const ranking = new Ranking([]);
    ranking.take(rankingChangeByAdding(ranking, 'service', at('best', 0.9, 3), never));
    ranking.take(rankingChangeByAdding(ranking, 'service', at('cheap', 0.5, 1), never));
    expect(ranking.fronts.service).toEqual(['cheap', 'best']);
  });
});

describe('copied rows of places', () => {
  it('are independent of the originals', () => {
    const places = new Places();
    const none = { tier: 'service', put: null, remove: null, behind: [], leads: [] } as const;
    const keysOfOne = buildByMetric(rankingOrdersOfProtocol('sgvef').metrics, () => 1);
    const put = { id: 'a', keys: keysOfOne, behind: false, json: '' };
    places.applyChange({ ...none, put, leads: [{ metric: 'pass-hat-4', id: 'a', leads: true }] });
    const copies = places.copyAll();
    places.applyChange({ ...none, leads: [{ metric: 'pass-hat-4', id: 'a', leads: false }] });
    expect(copies[0]?.leads['pass-hat-4']).toBe(true);
    expect(places.getPlaceOrNull('a')?.leads['pass-hat-4']).toBe(false);
    expect(places.getPlaceOrNull('b')).toBeNull();
    expect(() => places.applyChange({ ...none, put })).toThrow('has a place');
    expect(() => places.applyChange({ ...none, remove: 'b' })).toThrow('has no place');
  });
});
