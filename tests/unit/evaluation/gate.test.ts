import { expect, test } from 'vitest';
import type { UnitResult } from '#core/evaluation/breakdown-record.ts';
import { worstGateVerdict, compareMetricForGate } from '#core/evaluation/gate.ts';
import { makeRandom } from '#core/values/random.ts';
import type { ScorerKey } from '#core/evaluation/scorers.ts';
import { buildRecordByScorer } from '#core/evaluation/scorers.ts';

const options = { minEffect: 0.1, seed: 1 };

const resultsOf = (key: ScorerKey, values: readonly (number | null)[]): UnitResult[] =>
  values.map((value, place) => ({
    unit: `u${place}`,
    agent: 'a',
    trials: 1,
    scores: { ...buildRecordByScorer(() => null), [key]: value },
    passes: null,
    patterns: [],
  }));

const gateOf = (key: ScorerKey, baseline: readonly (number | null)[], candidate: readonly (number | null)[]) =>
  compareMetricForGate(key, resultsOf(key, baseline), resultsOf(key, candidate), options);

const shifted = (by: number) => (_: unknown, place: number) => 0.5 + by + (place % 3) / 100;
const ten = Array.from({ length: 10 });

test('a candidate that is equal, better, or worse by less than what matters holds', () => {
  expect(gateOf('tcs', ten.map(shifted(0)), ten.map(shifted(0))).verdict).toBe('holds');
  expect(gateOf('tcs', ten.map(shifted(0)), ten.map(shifted(0.3))).verdict).toBe('holds');
  expect(gateOf('tcs', ten.map(shifted(0)), ten.map(shifted(-0.05))).verdict).toBe('holds');
});

test('a candidate that is worse by what matters is worse, and the means and the advantage say by how much', () => {
  const gated = gateOf('tcs', ten.map(shifted(0)), ten.map(shifted(-0.3)));
  expect(gated.verdict).toBe('worse');
  expect(gated.candidate).toBeCloseTo((gated.baseline ?? 0) - 0.3);
  expect(gated.comparison.difference).toBeCloseTo(-0.3);
});

test('a lower value is better where the metric says so', () => {
  expect(gateOf('tfd', ten.map(shifted(0)), ten.map(shifted(0.3))).verdict).toBe('worse');
  expect(gateOf('tfd', ten.map(shifted(0)), ten.map(shifted(-0.3))).verdict).toBe('holds');
});

test('the distance from 0 counts where 0 is best', () => {
  expect(
    gateOf(
      'ecg',
      ten.map(() => -0.1),
      ten.map(() => 0.1),
    ).verdict,
  ).toBe('holds');
  expect(
    gateOf(
      'ecg',
      ten.map(() => 0.1),
      ten.map(() => -0.5),
    ).verdict,
  ).toBe('worse');
});

test('too few common units, or too wide an interval, are insufficient', () => {
  expect(gateOf('tcs', [0.5, 0.5, null, 0.5, 0.5, 0.5], [0, 0, 0, 0, 0, 0]).verdict).toBe('insufficient');
  const swings = ten.map((_, index) => (index % 2 === 0 ? 1 : 0));
  expect(gateOf('tcs', swings, swings.toReversed()).verdict).toBe('insufficient');
});

test('units that one of them is not scored on are left out of both means', () => {
  const gated = gateOf('tcs', [...ten.map(() => 0.5), 0, null], [...ten.map(() => 0.5), null, 0]);
  expect(gated).toMatchObject({ baseline: 0.5, candidate: 0.5, comparison: { n: 10, leftOut: 2 } });
});

test('the verdict on several metrics is that of the worst', () => {
  expect(worstGateVerdict([{ verdict: 'holds' }, { verdict: 'insufficient' }, { verdict: 'worse' }])).toBe('worse');
  expect(worstGateVerdict([{ verdict: 'holds' }, { verdict: 'insufficient' }])).toBe('insufficient');
  expect(worstGateVerdict([{ verdict: 'holds' }])).toBe('holds');
});

/** Returns how often a gate lets a candidate pass that solves units at `rate`, where the baseline does at 0.7. */
function passesOf(rate: number, units: number): number {
  const random = makeRandom('gate', String(rate));
  const draw = (p: number): number[] => Array.from({ length: units }, () => Number(random.next() < p));
  const runs = 200;
  let passed = 0;
  for (let run = 0; run < runs; run += 1)
    passed += Number(gateOf('success', draw(0.7), draw(rate)).verdict === 'holds');
  return passed / runs;
}

test('a candidate that is worse by what matters seldom passes, and an equal one passes where there are units enough', () => {
  expect(passesOf(0.6, 200)).toBeLessThanOrEqual(0.06);
  expect(passesOf(0.7, 400)).toBeGreaterThanOrEqual(0.8);
});
