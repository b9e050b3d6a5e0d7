import { expect, test } from 'vitest';
import { decideBetweenAgents, listUndecidedAgents, unitsOfDraw, type DrawnBatch } from '#core/evaluation/decision.ts';
import { expectedSpread } from '#core/evaluation/expected-spread.ts';
import { drawBySpread } from '#core/statistics/draw-by-spread.ts';
import { makeRandom } from '#core/values/random.ts';

const size = 100;
const stop = { kind: 'decided', difference: 0.1, error: 0.05 } as const;

/** All units in batches, drawn with equal chances. */
function drawAll(seed: number): DrawnBatch[] {
  const left = new Set(Array.from({ length: size }, (_, unit) => String(unit)));
  const batches: DrawnBatch[] = [];
  while (left.size > 0) {
    const drawn = drawBySpread(makeRandom(seed, batches.length), [...left], () => 1, unitsOfDraw(size));
    for (const { item } of drawn) left.delete(item);
    batches.push({
      units: drawn.map(({ item, ...chances }) => ({ unit: item, ...chances })),
      share: 1 - left.size / size,
    });
  }
  return batches;
}

/** Agents that succeed with these chances at every unit. */
const outcomesOf =
  (seed: number, chances: Readonly<Record<string, number>>) =>
  (agent: string, unit: string): number =>
    makeRandom(seed, agent, unit).next() < (chances[agent] ?? 0) ? 1 : 0;

test('an agent that is much better is found early, and what is found is right', () => {
  const found = Array.from({ length: 40 }, (_, seed) => {
    const { pairs } = decideBetweenAgents(
      { agents: ['a', 'b'], size, stop },
      drawAll(seed),
      outcomesOf(seed, { a: 0.35, b: 0.8 }),
    );
    return pairs[0];
  });
  expect(found.every((pair) => pair?.verdict === 'better')).toBe(true);
  const units = found.map((pair) => pair?.decidedAfter ?? size).toSorted((a, b) => a - b);
  expect(units[20]).toBeLessThan(35);
});

test('two agents of the same chances are rarely told apart, and all units mostly say that they differ by no more than matters', () => {
  const verdicts = Array.from({ length: 200 }, (_, seed) => {
    const { pairs } = decideBetweenAgents(
      { agents: ['a', 'b'], size, stop },
      drawAll(seed),
      outcomesOf(seed, { a: 0.85, b: 0.85 }),
    );
    return pairs[0]?.verdict;
  });
  // 5% and three standard errors.
  expect(verdicts.filter((verdict) => verdict === 'better' || verdict === 'worse').length).toBeLessThan(20);
  expect(verdicts.filter((verdict) => verdict === 'no-difference').length).toBeGreaterThan(150);
});

test('of four agents the best is named, and an agent gets no more units once all of its pairs are decided', () => {
  const agents = ['a', 'b', 'c', 'd'];
  const valueAt = outcomesOf(1, { a: 0.05, b: 0.95, c: 0.5, d: 0.45 });
  const all = drawAll(1);
  const early = decideBetweenAgents({ agents, size, stop }, all.slice(0, 10), valueAt);
  expect(early.best).toBe('b');
  expect(listUndecidedAgents(agents, early)).not.toContain('b');
  expect(listUndecidedAgents(agents, early)).toEqual(expect.arrayContaining(['c', 'd']));
  const late = decideBetweenAgents({ agents, size, stop }, all, valueAt);
  expect(late.pairs.find(({ a, b }) => a === 'a' && b === 'b')?.decidedAfter).toBeLessThanOrEqual(40);
  expect(late.units).toBe(size);
});

test('a decision stays as it was when more units are drawn for other agents', () => {
  const valueAt = outcomesOf(2, { a: 0.1, b: 0.9 });
  const [few, all] = [drawAll(2).slice(0, 8), drawAll(2)].map(
    (batches) => decideBetweenAgents({ agents: ['a', 'b'], size, stop }, batches, valueAt).pairs,
  );
  expect(all).toEqual(few);
});

test('units without a score count as no difference, and as one half in means', () => {
  const { pairs, means } = decideBetweenAgents({ agents: ['a', 'b'], size, stop }, drawAll(3), (agent) =>
    agent === 'a' ? null : 1,
  );
  expect(pairs).toMatchObject([{ verdict: 'no-difference', difference: 0, unscored: pairs[0]?.units }]);
  expect(means).toMatchObject([
    { agent: 'a', mean: 0.5, unscored: size },
    { agent: 'b', mean: 1, low: 1, unscored: 0 },
  ]);
});

test('units that earlier agents agreed on are expected to tell least', () => {
  expect(expectedSpread({ scored: 0, sum: 0 })).toBe(0.5);
  expect(expectedSpread({ scored: 6, sum: 3 })).toBe(0.5);
  expect(expectedSpread({ scored: 6, sum: 6 })).toBeCloseTo(expectedSpread({ scored: 6, sum: 0 }));
  expect(expectedSpread({ scored: 6, sum: 6 })).toBeLessThan(0.15);
});
