import { describe, expect, test } from 'vitest';
import { makeWorld } from '../../../bench/discovery/world.ts';
import {
  figuresOfRun,
  summarizeEstimatesOfRuns,
  summarizeByWorldAndStrategy,
} from '../../../bench/estimates/figures.ts';
import { measureRunAgainstTruth, type Followed } from '../../../bench/estimates/follow.ts';
import { parseEstimatesOptionsOrHelp } from '../../../bench/estimates/options.ts';
import { estimateTableLines } from '../../../bench/estimates/text.ts';
import { KnownShare, estimateTransitionRatesPerProbe } from '../../../bench/estimates/truth.ts';
import { smallFile } from './simulated.ts';

const tenThousand = { least: 10_000, error: 1 };
const few = { least: 100, error: 1 };

describe('the true share of known probe transitions', () => {
  /** One server of two tools, both pairs true, chains of two: a probe shows one or the other. */
  const pair = makeWorld(
    smallFile({
      servers: [{ domain: 'travel', tools: 2 }],
      transitions: 2,
      generator: { chainLength: [2, 2], knownWeight: 1, collapse: 1, attempts: 1 },
    }),
    4,
  );

  test('equals the computed value when a probe starts at a tool by the affinity of its only transition', () => {
    const [there = 0, back = 0] = [pair.affinities.get(1), pair.affinities.get(2)];
    const truth = estimateTransitionRatesPerProbe(pair, 1, tenThousand);
    expect(truth.size).toBe(1);
    expect(truth.error).toBeCloseTo(0.5 / Math.sqrt(10_000));
    expect(Math.abs((truth.perProbe.get(1) ?? 0) - there / (there + back))).toBeLessThan(4 * truth.error);
    const known = new KnownShare(truth);
    expect(known.addTransitionsAndComputeShare([])).toBe(0);
    expect(known.addTransitionsAndComputeShare([1])).toBeCloseTo(truth.perProbe.get(1) ?? 0);
    expect(known.addTransitionsAndComputeShare([2])).toBeCloseTo(1);
  });

  test('counts a quarter of the pairs when half of the calls are left out', () => {
    const dropping = makeWorld({ ...pair.file, execution: { dropRate: 0.5 } }, 4);
    expect(Math.abs(estimateTransitionRatesPerProbe(dropping, 1, tenThousand).size - 0.25)).toBeLessThan(0.02);
  });

  test('takes more probes if the error would be larger than requested', () => {
    const dropping = makeWorld({ ...pair.file, execution: { dropRate: 0.5 } }, 4);
    const truth = estimateTransitionRatesPerProbe(dropping, 1, { least: 10, error: 0.02 });
    expect(truth.error).toBeLessThan(0.02);
    // 0.5 / sqrt(625) is 0.02, and a quarter of the probes show something.
    expect(truth.error).toBeGreaterThan(0.0199);
    expect(estimateTransitionRatesPerProbe(dropping, 1, { least: 10, error: 1 }).error).toBeGreaterThan(0.1);
  });

  test('is as exact as promised with the default number of probes, and the same for the same seed', () => {
    const world = makeWorld(smallFile(), 1);
    expect(estimateTransitionRatesPerProbe(world, 1).error).toBeLessThan(0.005);
    expect(estimateTransitionRatesPerProbe(world, 2, few)).toEqual(estimateTransitionRatesPerProbe(world, 2, few));
  });
});

test('a run is followed until its rounds are over and both the rule and the truth have reached the target', () => {
  const world = makeWorld(smallFile(), 1);
  const truth = estimateTransitionRatesPerProbe(world, 1, { least: 2_000, error: 1 });
  const setting = { seed: 1, rounds: 30, stopRounds: 300, target: 0.5 };
  const run = measureRunAgainstTruth(world, truth, 'sgvef', setting);
  expect(run.readings.map(({ round }) => round)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
  expect(run.readings.map((reading) => reading.truth)).toEqual(
    run.readings.map((reading) => reading.truth).toSorted((a, b) => a - b),
  );
  expect(run.ofRun.map(({ round }) => round)).toEqual([10, 30]);
  expect(run.ofProbes).toHaveLength(2);
  const last = run.readings.at(-1)?.recapture;
  // What is estimated is at least what was found, and at most what three dozen tools or fewer can make.
  expect(last?.low).toBeLessThanOrEqual(last?.value ?? 0);
  expect(last?.truth).toBeGreaterThan(0);
  expect(run.stop?.truth).toBeGreaterThanOrEqual(0.5);
  expect(run.targetRound).toBeLessThanOrEqual(run.stop?.round ?? 0);
  expect(measureRunAgainstTruth(world, truth, 'sgvef', { ...setting, rounds: 5, stopRounds: 5 }).stop).toBeNull();
});

const reading = (round: number, truth: number, value: number, half: number) => ({
  round,
  truth,
  probeCoverage: { value, low: value - half, high: value + half },
  sampleCoverage: truth + 0.2,
  recapture: round === 9 ? null : { value: 90, low: 60, high: 100 + round, truth: 110 },
});
const followed = (over: Partial<Followed> = {}): Followed => ({
  strategy: 'sgve',
  readings: [reading(9, 0.5, 0.9, 0.1), reading(10, 0.5, 0.6, 0.2), reading(11, 0.5, 0.3, 0.1)],
  ofRun: [{ round: 10, estimate: 80, low: 70, high: 120 }],
  ofProbes: [{ round: 10, estimate: 50, low: 40, high: 90 }],
  anytimeHeld: true,
  stop: null,
  targetRound: null,
  ...over,
});
const inWorld = (run: Followed, world = 'w', seed = 1) => ({ world, transitions: 100, seed, run });

describe('the figures of bench:estimates', () => {
  test('are computed over readings and runs', () => {
    const figures = summarizeEstimatesOfRuns([
      inWorld(followed()),
      inWorld(
        followed({ readings: [{ ...reading(1, 0, 0, 0), probeCoverage: null, recapture: null }], anytimeHeld: false }),
      ),
    ]);
    expect(figures).toMatchObject({
      runs: 2,
      probeCoverage: { bias: expect.closeTo(0.1), error: expect.closeTo(0.7 / 3), holds: 0.5, anytimeHolds: 0.5 },
      sampleCoverage: { bias: expect.closeTo(0.2), error: expect.closeTo(0.2) },
      recapture: {
        given: 1,
        holds: 1,
        ratio: expect.closeTo(90 / 110),
        width: expect.closeTo(50.5 / 110),
        lowHolds: 1,
        ratioToAll: 0.9,
      },
      ofRun: [{ round: 10, ratio: 0.8, holds: 1 }],
      ofProbes: [{ round: 10, ratio: 0.5, holds: 0 }],
      stop: { stopped: 0, right: null, lateness: null, round: null },
    });
  });

  test('of one run name its world, its strategy and its seed', () => {
    expect(figuresOfRun(inWorld(followed({ stop: { round: 40, truth: 0.9 }, targetRound: 20 }), 'v', 7))).toEqual({
      world: 'v',
      strategy: 'sgve',
      seed: 7,
      probeCoverage: { bias: expect.closeTo(0.1), error: expect.closeTo(0.7 / 3), holds: 0.5, anytimeHolds: 1 },
      sampleCoverage: { bias: expect.closeTo(0.2), error: expect.closeTo(0.2) },
      recapture: expect.objectContaining({ given: 1, holds: 1 }),
      ofRun: [{ round: 10, ratio: 0.8, holds: 1 }],
      ofProbes: [{ round: 10, ratio: 0.5, holds: 0 }],
      stop: { stopped: 1, right: 1, lateness: 2, round: 40 },
    });
  });

  test('call a stop wrong if the truth had not reached the target', () => {
    const { stop } = summarizeEstimatesOfRuns([
      inWorld(followed({ stop: { round: 60, truth: 0.9 }, targetRound: 30 })),
      inWorld(followed({ stop: { round: 30, truth: 0.7 }, targetRound: 60 })),
      inWorld(followed({ stop: { round: 40, truth: 0.6 }, targetRound: null })),
      inWorld(followed()),
    ]);
    expect(stop).toEqual({ stopped: 0.75, right: 1 / 3, lateness: 1.25, round: 40 });
  });

  test('have a row for each strategy in each world, and tables without gaps', () => {
    const runs = [inWorld(followed()), inWorld(followed({ strategy: 'gve' })), inWorld(followed(), 'v')];
    const rows = summarizeByWorldAndStrategy(runs);
    expect(rows.map(({ world, strategy }) => `${world} ${strategy}`)).toEqual(['w sgve', 'w gve', 'v sgve']);
    const text = estimateTableLines(
      rows,
      summarizeEstimatesOfRuns(runs),
      { seeds: [1], rounds: 11, stopRounds: 20, target: 0.8 },
      0.004,
    );
    expect(text.join('\n')).toContain('v       sgve');
    expect(text.join('\n')).not.toMatch(/NaN|undefined|null/);
  });
});

test('the options of bench:estimates have defaults and refuse wrong values', () => {
  expect(parseEstimatesOptionsOrHelp(['--world', 'a.json, b.json', '--seeds', '2'])).toMatchObject({
    worlds: ['a.json', 'b.json'],
    strategies: ['gve', 'sgve', 'sgvef', 'frontier'],
    seeds: [1, 2],
    rounds: 60,
    stopRounds: 60,
    target: 0.8,
  });
  expect(parseEstimatesOptionsOrHelp([])).toMatchObject({ worlds: null, seeds: { length: 50 } });
  expect(() => parseEstimatesOptionsOrHelp(['--world', 'a.json', '--family', '3'])).toThrow('exclude each other');
  expect(() => parseEstimatesOptionsOrHelp(['--seeds', '3'])).toThrow('--seeds goes with --world');
  expect(() => parseEstimatesOptionsOrHelp(['--world', 'a.json,'])).toThrow('--world "a.json,"');
  expect(() => parseEstimatesOptionsOrHelp(['--rounds', '0'])).toThrow('--rounds "0"');
  expect(() => parseEstimatesOptionsOrHelp(['--target', '1'])).toThrow('--target "1"');
});
