import { describe, expect, test } from 'vitest';
import { compareOffering, summariseUnitForOffering } from '#core/evaluation/offering.ts';
import { makeRandom } from '#core/values/random.ts';
import { makeFiguresOfFinishedCaseOrNull } from '#core/evaluation/case-figures.ts';
import { syntheticCase, syntheticTools, syntheticUnit } from '../../../bench/results/synthetic.ts';

const units = (n: number): string[] => Array.from({ length: n }, (_, at) => `u_${at}`);
const outcome = (success: number | null, tokens: number, more: object = {}) => ({
  trials: 1,
  success,
  tokens,
  cachedTokens: 0,
  costUsd: 0,
  durationMs: 1_000,
  calls: 2,
  ...more,
});
type Outcome = ReturnType<typeof outcome>;

/** Compares agents whose success is drawn with a probability, and which take so many tokens. */
function compare(agents: Readonly<Record<string, readonly [p: number, tokens: number]>>, n: number, d = 0.1) {
  const random = makeRandom(1, 'offering');
  const drawn = Object.entries(agents).map(([name, [p, tokens]]): [string, Map<string, Outcome>] => [
    name,
    new Map(units(n).map((unit) => [unit, outcome(Number(random.next() < p), tokens)])),
  ]);
  return compareOffering(d, { protocol: 'sgvef', trials: 1, order: units(n) }, new Map(drawn));
}

describe('the comparison of ways of offering tools', () => {
  test('finds the way that does as well for less', () => {
    const found = compare({ functions: [1, 1_000], search: [1, 700], code: [1, 300] }, 150);
    expect(found).toMatchObject({ suits: 'code', cheaperBy: 'tokens', units: 150, leftOut: 0 });
    expect(found.agents).toMatchObject([
      { agent: 'functions', success: 1, tokens: 1_000, costUsd: null, ruledOutBy: 'search' },
      { agent: 'search', ruledOutBy: 'code' },
      { agent: 'code', ruledOutBy: null },
    ]);
    expect(found.pairs.map(({ a, b }) => [a, b])).toEqual([
      ['functions', 'search'],
      ['functions', 'code'],
      ['search', 'code'],
    ]);
    const { tokens } = found.pairs[1]?.efforts ?? {};
    expect(tokens?.mean).toBeCloseTo(-0.7, 10);
    expect(tokens?.low).toBeLessThan(-0.7);
    expect(tokens?.high).toBeLessThan(0);
  });

  test('prefers a better way to a cheaper one', () => {
    expect(compare({ functions: [0.95, 1_000], code: [0.2, 300] }, 150)).toMatchObject({ suits: 'functions' });
  });

  test('decides nothing from few units, and says what is ruled out', () => {
    expect(compare({ functions: [1, 1_000], code: [1, 300] }, 3).suits).toBeNull();
    const three = compare({ functions: [0.95, 1_000], search: [0.1, 900], code: [0.8, 300] }, 60, 0.01);
    expect(three.suits).toBeNull();
    expect(three.agents.find(({ agent }) => agent === 'search')?.ruledOutBy).not.toBeNull();
  });

  test('does not choose between ways that are alike', () => {
    expect(compare({ one: [1, 500], two: [1, 500] }, 300)).toMatchObject({ suits: null });
  });

  test('goes by costs where all of them are known', () => {
    const dear = new Map(units(150).map((unit) => [unit, outcome(1, 100, { costUsd: 2 })]));
    const cheap = new Map(units(150).map((unit) => [unit, outcome(1, 900, { costUsd: 1, cachedTokens: 800 })]));
    const basis = { protocol: 'sgvef' as const, trials: 1, order: units(150) };
    const found = compareOffering(
      0.1,
      basis,
      new Map([
        ['dear', dear],
        ['cheap', cheap],
      ]),
    );
    expect(found).toMatchObject({
      cheaperBy: 'costUsd',
      suits: 'cheap',
      agents: [{ costUsd: 2 }, { cachedTokens: 800 }],
    });
  });

  test('counts units up to the first that an agent has not finished, and leaves out those that are not scored for all', () => {
    const first = new Map(units(5).map((unit, at) => [unit, outcome(at === 1 ? null : 1, 10)]));
    const second = new Map(units(3).map((unit) => [unit, outcome(1, 10)]));
    const basis = { protocol: 'sgvef' as const, trials: 1, order: units(5) };
    const found = compareOffering(
      0.1,
      basis,
      new Map([
        ['one', first],
        ['two', second],
      ]),
    );
    expect(found).toMatchObject({ units: 3, leftOut: 1, of: 5 });
    expect(
      compareOffering(
        0.1,
        { ...basis, trials: 2 },
        new Map([
          ['one', first],
          ['two', second],
        ]),
      ).units,
    ).toBe(0);
  });

  test('rules nothing out by chance where ways are alike, however often one looks', () => {
    let wrong = 0;
    for (let run = 0; run < 20; run += 1) {
      const random = makeRandom(run, 'same');
      const agent = () =>
        new Map(
          units(60).map((unit) => [unit, outcome(Number(random.next() < 0.6), 100 + Math.floor(random.next() * 100))]),
        );
      const agents = new Map([
        ['a', agent()],
        ['b', agent()],
      ]);
      const looks = [10, 30, 60].map((n) =>
        compareOffering(0.02, { protocol: 'sgvef', trials: 1, order: units(n) }, agents),
      );
      if (looks.some(({ agents: seen }) => seen.some(({ ruledOutBy }) => ruledOutBy !== null))) wrong += 1;
    }
    expect(wrong).toBeLessThanOrEqual(1);
  });

  test('takes no longer for values that all differ', () => {
    const drawn = (from: number) => new Map(units(400).map((unit, at) => [unit, outcome(at % 2, from + at * 1.37)]));
    const basis = { protocol: 'sgvef' as const, trials: 1, order: units(400) };
    const begun = performance.now();
    compareOffering(
      0.05,
      basis,
      new Map([
        ['one', drawn(100)],
        ['two', drawn(170)],
      ]),
    );
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});

test('what a unit came to is the mean of its attempts, with what came from a cache', () => {
  const unit = syntheticUnit(3);
  const traits = new Map(syntheticTools.map((tool) => [tool.name, tool]));
  const figures = makeFiguresOfFinishedCaseOrNull(syntheticCase(unit, 'alpha', 1, 80), unit.chain, traits, {
    protocol: 'sgvef',
  });
  if (figures === null) throw new Error('the case is done');
  const attempts = figures.attempts.map((each) => ({
    ...each,
    promptTokens: 90,
    completionTokens: 10,
    cachedTokens: 40,
    calls: 3,
  }));
  expect(summariseUnitForOffering([{ ...figures, attempts }], 'sgvef')).toMatchObject({
    trials: 1,
    tokens: 100,
    cachedTokens: 40,
    calls: 3,
    success: figures.values.success,
  });
});
