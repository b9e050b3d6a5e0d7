import { describe, expect, it } from 'vitest';
import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import { casesOf, chosenUnits } from '#core/evaluation/opening.ts';

const unit = (number: number): BenchmarkUnit => ({
  id: `u_${String(number).padStart(24, '0')}`,
  split: number % 3 === 0 ? 'private' : 'public',
  source: 'One thing',
  followUp: 'The same thing',
  chain: ['fruit/apple'],
  arguments: [],
  facts: [],
  semanticEquivalence: 95,
  parameterSolvability: 95,
  provenance: { exploration: 'exp', unit: 'r0001-u00', round: 1, models: {}, prompts: [], harness: 'h' },
});
const units = Array.from({ length: 30 }, (_, number) => unit(number));

const chosen = (config: Parameters<typeof chosenUnits>[1], from: readonly BenchmarkUnit[] = units): string[] =>
  chosenUnits(from, config).map(({ id }) => id);

describe('the units of an evaluation', () => {
  it('are those of the split, by id', () => {
    expect(chosen({ split: 'all' })).toEqual(units.map(({ id }) => id));
    expect(chosen({ split: 'private' })).toHaveLength(10);
    expect(chosen({ split: 'public' })).toHaveLength(20);
    expect(chosenUnits(units, { split: 'private' }).every(({ split }) => split === 'private')).toBe(true);
    expect(chosen({ split: 'private' }, units.slice(1, 3))).toEqual([]);
  });

  it('are the same for the same seed, whatever order the benchmark has them in', () => {
    const config = { split: 'public', sample: { units: 6, seed: 4 } } as const;
    const first = chosen(config);
    expect(first).toHaveLength(6);
    expect(new Set(first).size).toBe(6);
    expect(first).toEqual(first.toSorted());
    expect(chosen(config)).toEqual(first);
    expect(chosen(config, units.toReversed())).toEqual(first);
    expect(chosenUnits(units, config).every(({ split }) => split === 'public')).toBe(true);
  });

  it('are others for other seeds', () => {
    const samples = [1, 2, 3, 4].map((seed) => chosen({ split: 'all', sample: { units: 5, seed } }).join());
    expect(new Set(samples).size).toBeGreaterThan(1);
  });

  it('are all there are where more are wanted', () => {
    for (const wanted of [20, 21, 10_000])
      expect(chosen({ split: 'public', sample: { units: wanted, seed: 1 } })).toEqual(chosen({ split: 'public' }));
  });
});

describe('the cases of a unit', () => {
  it('are every agent and every trial, each with an id of its own', () => {
    const cases = casesOf('u_1', ['steady', 'a.01', 'a'], 12);
    expect(cases).toHaveLength(36);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(36);
    expect(cases.filter(({ agent }) => agent === 'a').map(({ trial }) => trial)).toEqual(
      Array.from({ length: 12 }, (_, place) => place + 1),
    );
    expect(cases.every(({ stage, revision }) => stage.kind === 'attempt' && revision === 0)).toBe(true);
  });
});
