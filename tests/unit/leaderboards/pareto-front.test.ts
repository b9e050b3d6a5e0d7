import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listIdsOnParetoFront, pickEvenlyFromFront, type Offer } from '#core/leaderboards/pareto-front.ts';

const offer = (id: string, cost: number, score: number): Offer => ({ id, cost, score: -score });

describe('the Pareto front', () => {
  it('is by cost and includes all equal entries', () => {
    const offers = [
      offer('dear and best', 9, 0.9),
      offer('dear', 9, 0.8),
      offer('double b', 2, 0.5),
      offer('double a', 2, 0.5),
      offer('no better for more', 3, 0.5),
      offer('cheap', 1, 0.1),
      offer('free of charge', Infinity, 1),
      { id: 'without a score', cost: 0, score: Infinity },
    ];
    expect(listIdsOnParetoFront(offers)).toEqual(['cheap', 'double a', 'double b', 'dear and best']);
    expect(listIdsOnParetoFront([])).toEqual([]);
  });

  it('contains what no other entry beats', () => {
    const offers = fc.array(
      fc.record({
        cost: fc.oneof(fc.nat(8), fc.constant(Infinity)),
        score: fc.oneof(fc.integer({ min: -8, max: 0 }), fc.constant(Infinity)),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(offers, (drawn) => {
        const all = drawn.map((each, n) => ({ id: `e${n}`, ...each }));
        const known = all.filter((each) => each.cost !== Infinity && each.score !== Infinity);
        const best = known.filter(
          (one) =>
            !known.some(
              (other) =>
                other.cost <= one.cost &&
                other.score <= one.score &&
                (other.cost < one.cost || other.score < one.score),
            ),
        );
        expect(new Set(listIdsOnParetoFront(all))).toEqual(new Set(best.map((each) => each.id)));
      }),
    );
  });
});

describe('a long Pareto front', () => {
  const front = Array.from({ length: 1_001 }, (_, n) => `e${n}`);
  it('is thinned evenly and keeps both ends', () => {
    const kept = pickEvenlyFromFront(front, 200);
    expect(kept).toHaveLength(200);
    expect([kept[0], kept.at(-1)]).toEqual(['e0', 'e1000']);
    const gaps = kept.slice(1).map((id, n) => front.indexOf(id) - front.indexOf(kept[n] ?? ''));
    expect(new Set(gaps)).toEqual(new Set([5, 6]));
  });

  it('is unchanged if it is short enough', () => {
    for (const length of [0, 1, 200])
      expect(pickEvenlyFromFront(front.slice(0, length), 200)).toEqual(front.slice(0, length));
    expect(pickEvenlyFromFront(front.slice(0, 201), 200)).toHaveLength(200);
  });
});
