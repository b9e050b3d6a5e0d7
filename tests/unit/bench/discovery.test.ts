import { describe, expect, test } from 'vitest';
import { simulateCurve, countRoundsToShareOrNull } from '../../../bench/discovery/curve.ts';
import { makeEvenlySpacedBand } from '../../../bench/discovery/band.ts';
import { compareUnitsNeeded, summarizeFamily } from '../../../bench/discovery/family-figures.ts';
import {
  compareFrontierWithSgvefAndLimit,
  summarizeStrategyRuns,
  summarizeWhenRunsReached,
} from '../../../bench/discovery/figures.ts';
import { leastUnitsToShare, computeMeanMaxTransitionsPerUnit } from '../../../bench/discovery/limit.ts';
import { parseDiscoveryOptionsOrHelp } from '../../../bench/discovery/options.ts';
import { makeComparisonJson } from '../../../bench/discovery/record.ts';
import { curvesSvg } from '../../../bench/discovery/svg.ts';
import { comparisonLines, reachedText } from '../../../bench/discovery/text.ts';
import { roundedJsonLine } from '../../../bench/shared/json-line.ts';
import { smallFile } from './simulated.ts';

describe('the limit of new transitions per unit', () => {
  test('is L - 1 for a chain of L calls without left-out calls', () => {
    expect(computeMeanMaxTransitionsPerUnit(smallFile())).toBeCloseTo((1 + 2 + 3) / 3);
  });

  test('is the mean of max(0, K - 1) if only K of L calls remain', () => {
    // Two calls, each kept with 1/2: both with 1/4. Three: 3/8 for two of them, 1/8 for all, which shows two.
    const file = smallFile({
      generator: { ...smallFile().generator, chainLength: [2, 3] },
      execution: { dropRate: 0.5 },
      transitions: 10,
    });
    expect(computeMeanMaxTransitionsPerUnit(file)).toBeCloseTo((1 / 4 + (3 / 8 + 2 / 8)) / 2);
    // 8 of 10 transitions at 4 * 0.4375 a round: 5 rounds of 5 units.
    expect(leastUnitsToShare(file, 0.8)).toBe(25);
  });
});

describe('the round in which runs reached the target', () => {
  test('counts runs that never reached it as later than all others', () => {
    expect(summarizeWhenRunsReached([30, null, 10, 20])).toEqual({ reached: 3, of: 4, median: 25, min: 10, max: null });
    expect(summarizeWhenRunsReached([30, null, null])).toEqual({ reached: 1, of: 3, median: null, min: 30, max: null });
    expect(summarizeWhenRunsReached([10, 20, null, null])).toMatchObject({ median: null });
    expect(summarizeWhenRunsReached([null])).toEqual({ reached: 0, of: 1, median: null, min: null, max: null });
    expect(summarizeWhenRunsReached([4, 9])).toEqual({ reached: 2, of: 2, median: 6.5, min: 4, max: 9 });
  });

  test('is printed in words', () => {
    expect(reachedText(summarizeWhenRunsReached([1_000, 2_000, 4_000]))).toBe('2,000 (1,000 to 4,000)');
    expect(reachedText(summarizeWhenRunsReached([10, 20, null]))).toBe('20 (10 or more, not reached in 1 of 3)');
    expect(reachedText(summarizeWhenRunsReached([10, null, null]))).toBe(
      'not reached (10 or more, not reached in 2 of 3)',
    );
    expect(reachedText(summarizeWhenRunsReached([null, null]))).toBe('not reached');
    expect(reachedText(summarizeWhenRunsReached([7]))).toBe('7');
  });

  test('counts a share that is just reached', () => {
    expect(countRoundsToShareOrNull(0.8, { found: [3, 4, 5] }, 5)).toBe(2);
    expect(countRoundsToShareOrNull(0.55, { found: [54, 55] }, 100)).toBe(2);
    expect(countRoundsToShareOrNull(1, { found: [3, 4] }, 5)).toBeNull();
  });
});

const curve = (...found: number[]) => ({ found, nodeCoverage: found.map((each) => each / 10) });
const setting = { file: smallFile({ transitions: 10 }), rounds: 4, target: 0.8 };

describe('the comparison of strategies', () => {
  const seeded = (...curves: readonly ReturnType<typeof curve>[]) =>
    curves.map((each, place) => ({ seed: place + 1, curve: each }));
  const frontier = summarizeStrategyRuns(seeded(curve(4, 8, 10), curve(2, 6, 8, 8)), setting);
  const sgvef = summarizeStrategyRuns(seeded(curve(1, 2, 4, 5), curve(1, 2, 3, 8)), setting);

  test('extends a curve at its last value after the run has ended', () => {
    expect(frontier.foundAtEnd).toBe(9);
    expect(frontier.foundAt60).toBeNull();
    expect(frontier.target.rounds).toEqual({ reached: 2, of: 2, median: 2.5, min: 2, max: 3 });
    expect(frontier.target.units).toEqual({ reached: 2, of: 2, median: 12.5, min: 10, max: 15 });
    expect(frontier.milestones.map(({ share }) => share)).toEqual([0.5, 0.8, 0.95]);
    const { milestones } = summarizeStrategyRuns(seeded(curve(1)), { ...setting, target: 0.6 });
    expect(milestones.map(({ share }) => share)).toEqual([0.5, 0.6, 0.8, 0.95]);
  });

  test('gives an upper bound for the ratio to a median that was not reached', () => {
    const comparison = compareFrontierWithSgvefAndLimit(
      { ...setting, seeds: 2 },
      new Map([
        ['sgvef', sgvef],
        ['frontier', frontier],
      ] as const),
    );
    expect(comparison.frontierToSgvef).toEqual({ value: 12.5 / 20, atMost: true });
    expect(comparison.frontierToLimit).toBeCloseTo(12.5 / 5);
    expect(comparisonLines(comparison).join('\n')).toContain(
      'frontier needs at most 0.63 times the units of sgvef to 80%.',
    );
    expect(makeComparisonJson(comparison)).toMatchObject({
      world: 'small',
      target: 0.8,
      seeds: 2,
      limitUnits: 5,
      frontierToSgvef: 0.625,
      frontierToLimit: 2.5,
    });
  });

  test('has the values of each seed in its JSON line, from which the medians can be computed again', () => {
    const strategies = new Map([
      ['sgvef', sgvef],
      ['frontier', frontier],
    ] as const);
    const line = roundedJsonLine(
      makeComparisonJson(compareFrontierWithSgvefAndLimit({ ...setting, seeds: 2 }, strategies)),
    );
    const unitsTo = (share: number, rounds: number | null) => ({
      share,
      rounds,
      units: rounds === null ? null : rounds * 5,
    });
    expect(JSON.parse(line)).toMatchObject({
      runs: [
        { strategy: 'sgvef', seed: 1, milestones: [unitsTo(0.5, 4), unitsTo(0.8, null), unitsTo(0.95, null)] },
        { strategy: 'sgvef', seed: 2, milestones: [unitsTo(0.5, 4), unitsTo(0.8, 4), unitsTo(0.95, null)] },
        { strategy: 'frontier', seed: 1, milestones: [unitsTo(0.5, 2), unitsTo(0.8, 2), unitsTo(0.95, 3)] },
        { strategy: 'frontier', seed: 2, milestones: [unitsTo(0.5, 2), unitsTo(0.8, 3), unitsTo(0.95, null)] },
      ],
      strategies: { frontier: { units: { median: 12.5, min: 10, max: 15 } } },
    });
  });

  test('has no ratio without both strategies, or if frontier did not reach the target', () => {
    const alone = compareFrontierWithSgvefAndLimit(
      { ...setting, seeds: 2 },
      new Map([['frontier', frontier]] as const),
    );
    expect(alone).toMatchObject({ frontierToSgvef: null, frontierToLimit: 2.5 });
    const never = compareFrontierWithSgvefAndLimit(
      { ...setting, seeds: 2 },
      new Map([
        ['frontier', sgvef],
        ['sgvef', sgvef],
      ] as const),
    );
    expect(never).toMatchObject({ frontierToSgvef: null, frontierToLimit: null });
  });
});

test('a run ends when it has found enough, or after its rounds', () => {
  const job = { file: smallFile(), strategy: 'sgve', seed: 1, rounds: 50 } as const;
  const enough = simulateCurve({ ...job, until: 0.5 });
  expect(enough.found.at(-1)).toBeGreaterThanOrEqual(4);
  expect(enough.found.at(-2) ?? 0).toBeLessThan(4);
  expect(enough.nodeCoverage).toHaveLength(enough.found.length);
  expect(simulateCurve({ ...job, rounds: 1, until: 1 }).found).toHaveLength(1);
  expect(simulateCurve({ ...job, until: 0.5 })).toEqual(enough);
});

test('the chart draws a band for the curves of each strategy', () => {
  const scale = { transitions: 10, rounds: 3, unitsOfRound: 5 };
  const band = makeEvenlySpacedBand([curve(1, 2, 3), curve(3, 4)], scale);
  expect(band).toEqual([
    { units: 0, median: 0, min: 0, max: 0 },
    { units: 5, median: 0.2, min: 0.1, max: 0.3 },
    { units: 10, median: expect.closeTo(0.3), min: 0.2, max: 0.4 },
    { units: 15, median: 0.35, min: 0.3, max: 0.4 },
  ]);
  expect(makeEvenlySpacedBand([curve(1)], { ...scale, rounds: 1_001 }).at(-1)?.units).toBe(5_005);
  const svg = curvesSvg('a <b> & "c"', new Map([['frontier', band]]));
  expect(svg).toContain('a &lt;b> &amp; &quot;c&quot;');
  expect(svg).toContain('>frontier</text>');
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
});

test('a family gives bounds for worlds that one strategy did not finish, and skips worlds that decide nothing', () => {
  const world = { seed: 1, file: smallFile() };
  const rows = [
    compareUnitsNeeded(world, { sgvef: 20, frontier: 5 }, 100),
    compareUnitsNeeded(world, { sgvef: null, frontier: 50 }, 100),
    compareUnitsNeeded(world, { sgvef: 10, frontier: 15 }, 100),
    compareUnitsNeeded(world, { sgvef: 10, frontier: null }, 100),
    compareUnitsNeeded(world, { sgvef: null, frontier: null }, 100),
  ];
  expect(rows.map(({ ratio }) => ratio)).toEqual([
    { value: 0.25, atMost: false },
    { value: 0.5, atMost: true },
    { value: 1.5, atMost: false },
    { value: Infinity, atMost: false },
    null,
  ]);
  expect(summarizeFamily(rows)).toEqual({ worse: 2, undecided: 1, medianRatio: 1, largestRatio: Infinity });
  expect(summarizeFamily([])).toEqual({ worse: 0, undecided: 0, medianRatio: null, largestRatio: null });
});

describe('the options of bench:discovery', () => {
  test('have defaults, which given values replace', () => {
    expect(parseDiscoveryOptionsOrHelp([])).toMatchObject({
      kind: 'world',
      world: null,
      strategies: ['gve', 'sgve', 'sgvef', 'frontier'],
      rounds: 450,
      target: 0.8,
      svg: null,
      json: false,
    });
    expect(
      parseDiscoveryOptionsOrHelp(['--seeds', '2', '--strategy', 'sgvef', '--target', '0.9', '--json']),
    ).toMatchObject({
      seeds: [1, 2],
      strategies: ['sgvef'],
      target: 0.9,
      json: true,
    });
    expect(parseDiscoveryOptionsOrHelp(['--family', '2', '--first-seed', '7'])).toMatchObject({
      kind: 'family',
      seeds: [7, 8],
      rounds: 3_000,
    });
  });

  test.each([
    [['--rounds', '0'], '--rounds "0"'],
    [['--seeds', '0'], '--seeds "0"'],
    [['--seeds', '1.5'], '--seeds "1.5"'],
    [['--strategy', 'lucky'], 'there is no strategy "lucky"'],
    [['--target', '0'], '--target "0"'],
    [['--target', '1.1'], '--target "1.1"'],
    [['--world', 'x.json', '--family', '3'], '--world and --family'],
    [['--svg', 'x.svg', '--family', '3'], '--svg and --family'],
    [['--family', '0'], '--family "0"'],
    [['--first-seed', '3'], '--first-seed goes with --family'],
  ])('refuse %j with a sentence that names it', (argv, sentence) => {
    expect(() => parseDiscoveryOptionsOrHelp(argv)).toThrow(sentence);
  });
});
