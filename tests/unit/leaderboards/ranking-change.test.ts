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
        const entries = new Map<string, Omit<Place, 'leads'>>();
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
    const near: MakeTieTest = () => (a, b) => Math.abs(Number(a) - Number(b)) < 10;
    for (let n = 100; n < 200; n += 1)
      ranking.take(
        rankingChangeByAdding(
          ranking,
          'service',
          { id: String(n), keys: buildByMetric(rankingOrdersOfProtocol('sgvef').metrics, () => n), json: '' },
          near,
        ),
      );
    const change = rankingChangeByAdding(
      ranking,
      'service',
      { id: '150.5', keys: buildByMetric(rankingOrdersOfProtocol('sgvef').metrics, () => 150.5), json: '' },
      near,
    );
    expect(change.leads).toEqual(
      rankingOrdersOfProtocol('sgvef').metrics.map((metric) => ({ metric, id: '150.5', leads: false })),
    );
    ranking.take(change);
    expect(rankingChangeByRemoving(ranking, '150.5', near).leads).toEqual([]);
  });
});

describe('copied rows of places', () => {
  it('are independent of the originals', () => {
    const places = new Places();
    const put = { id: 'a', keys: buildByMetric(rankingOrdersOfProtocol('sgvef').metrics, () => 1), json: '' };
    places.applyChange({ tier: 'service', put, remove: null, leads: [{ metric: 'pass-hat-4', id: 'a', leads: true }] });
    const copies = places.copyAll();
    places.applyChange({
      tier: 'service',
      put: null,
      remove: null,
      leads: [{ metric: 'pass-hat-4', id: 'a', leads: false }],
    });
    expect(copies[0]?.leads['pass-hat-4']).toBe(true);
    expect(places.getPlaceOrNull('a')?.leads['pass-hat-4']).toBe(false);
    expect(places.getPlaceOrNull('b')).toBeNull();
    expect(() => places.applyChange({ tier: 'service', put, remove: null, leads: [] })).toThrow('has a place');
    expect(() => places.applyChange({ tier: 'service', put: null, remove: 'b', leads: [] })).toThrow('has no place');
  });
});
