import { describe, expect, it } from 'vitest';
import { compareAnytime, type ComparedResult } from '#core/evaluation/compare-anytime.ts';
import { orderUnits, drawOrderKeyOfUnit } from '#core/evaluation/unit-order.ts';
import { getProtocol, protocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { makeRandom } from '#core/values/random.ts';
import { buildRecordByScorer, getScorerOrThrow } from '#core/evaluation/scorers.ts';

const result = (success: number | null, trials = 1): ComparedResult => ({
  trials,
  scores: { ...buildRecordByScorer(() => null), success },
});
const units = (n: number): string[] => Array.from({ length: n }, (_, at) => `u_${at}`);

/** Compares agents whose success in each unit is drawn with a probability. */
function compare(ofA: number, ofB: number, n: number, d = 0.05) {
  const random = makeRandom(1, 'compare');
  const draw = (p: number) => new Map(units(n).map((unit) => [unit, result(random.next() < p ? 1 : 0)]));
  return compareAnytime({ a: 'one', b: 'two', d }, { protocol: 'sgvef', trials: 1, order: units(n) }, [
    draw(ofA),
    draw(ofB),
  ]);
}

describe('the comparison of two agents while an evaluation continues', () => {
  it('says that the second is better, or worse, once the interval excludes 0', () => {
    expect(compare(0.3, 0.8, 100)).toMatchObject({ verdict: 'improved', units: 100, leftOut: 0, of: 100 });
    expect(compare(0.8, 0.3, 100)).toMatchObject({ verdict: 'worse' });
    const { low, high, difference, meanA, meanB, decidedAfter } = compare(0.3, 0.8, 100);
    expect(low).toBeGreaterThan(0);
    expect(difference).toBeCloseTo((meanB ?? 0) - (meanA ?? 0), 10);
    expect(high).toBeGreaterThan(difference ?? 1);
    expect(decidedAfter).toBeLessThan(60);
  });

  it('says that there is no difference larger than d once the interval lies within it, and else that it does not know', () => {
    const same = new Map(units(200).map((unit) => [unit, result(1)]));
    const ground = { protocol: 'sgvef' as const, trials: 1, order: units(200) };
    const found = compareAnytime({ a: 'one', b: 'two', d: 0.1 }, ground, [same, same]);
    expect(found).toMatchObject({ verdict: 'no-difference', difference: 0 });
    expect(found.decidedAfter).toBeLessThan(100);
    expect(compare(0.5, 0.5, 30)).toMatchObject({ verdict: 'undecided', decidedAfter: null });
  });

  it('counts units up to the first that one of the agents has not finished, so that quick units have no advantage', () => {
    const ofA = new Map(units(5).map((unit) => [unit, result(1, 2)]));
    const ofB = new Map([...ofA, ['u_3', result(0, 1)]] as const);
    const ground = { protocol: 'sgvef' as const, trials: 2, order: units(5) };
    expect(compareAnytime({ a: 'one', b: 'two', d: 0.05 }, ground, [ofA, ofB])).toMatchObject({ units: 3, of: 5 });
    expect(compareAnytime({ a: 'one', b: 'two', d: 0.05 }, ground, [ofA, new Map()])).toMatchObject({
      units: 0,
      meanA: null,
      difference: null,
      low: -1,
      high: 1,
      verdict: 'undecided',
    });
  });

  it('leaves out units that are not scored for both, and says how many', () => {
    const ofA = new Map(units(4).map((unit) => [unit, result(1)]));
    const ofB = new Map([...ofA, ['u_1', result(null)]] as const);
    const ground = { protocol: 'sgvef' as const, trials: 1, order: units(4) };
    const found = compareAnytime({ a: 'one', b: 'two', d: 0.05 }, ground, [ofA, ofB]);
    expect(found).toMatchObject({ units: 4, leftOut: 1, meanA: 1, meanB: 1 });
  });

  it('compares the headline of every protocol, a value in 0..1 of which more is better', () => {
    for (const key of protocolKey.options)
      expect(getScorerOrThrow(getProtocol(key).headline)).toMatchObject({ range: [0, 1], direction: 'higher' });
  });
});

describe('the order of units', () => {
  it('is drawn by the seed, whatever the order in which they are given', () => {
    const order = orderUnits(1, units(50));
    expect(orderUnits(1, units(50).toReversed())).toEqual(order);
    expect(order).not.toEqual(units(50).toSorted());
    expect(orderUnits(2, units(50))).not.toEqual(order);
    expect(order.toSorted()).toEqual(units(50).toSorted());
    expect(drawOrderKeyOfUnit(1, 'u_1')).toBe(drawOrderKeyOfUnit(1, 'u_1'));
  });

  it('puts each unit first equally often', () => {
    const firsts = Array.from({ length: 2_000 }, (_, seed) => orderUnits(seed, units(4))[0]);
    for (const unit of units(4)) {
      const share = firsts.filter((first) => first === unit).length / 2_000;
      expect(share).toBeGreaterThan(0.21);
      expect(share).toBeLessThan(0.29);
    }
  });
});
