import { describe, expect, it } from 'vitest';
import { makeCasesOfUnit, chooseUnitIds } from '#core/evaluation/new-cases.ts';

const ids = Array.from({ length: 30 }, (_, number) => `u_${String(number).padStart(24, '0')}`);

describe('the chosen units of an evaluation', () => {
  it('are all units of the split, by id, if there is no sample', () => {
    expect(chooseUnitIds(ids, undefined)).toEqual(ids);
    expect(chooseUnitIds(ids.toReversed(), undefined)).toEqual(ids);
    expect(chooseUnitIds([], undefined)).toEqual([]);
  });

  it('are the same for the same seed in any order of the benchmark', () => {
    const wanted = { units: 6, seed: 4 };
    const first = chooseUnitIds(ids, wanted);
    expect(first).toHaveLength(6);
    expect(new Set(first).size).toBe(6);
    expect(first).toEqual(first.toSorted());
    expect(chooseUnitIds(ids, wanted)).toEqual(first);
    expect(chooseUnitIds(ids.toReversed(), wanted)).toEqual(first);
    expect(first.every((id) => ids.includes(id))).toBe(true);
  });

  it('differ for different seeds', () => {
    const samples = [1, 2, 3, 4].map((seed) => chooseUnitIds(ids, { units: 5, seed }).join());
    expect(new Set(samples).size).toBeGreaterThan(1);
  });

  it('are all units if the sample is larger', () => {
    for (const units of [30, 31, 10_000]) expect(chooseUnitIds(ids, { units, seed: 1 })).toEqual(ids);
  });
});

describe('the cases of a unit', () => {
  it('are one for each agent and trial, each with its own id', () => {
    const cases = makeCasesOfUnit('u_1', ['steady', 'a.01', 'a'], 12, ['request']);
    expect(cases).toHaveLength(36);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(36);
    expect(cases.filter(({ agent }) => agent === 'a').map(({ trial }) => trial)).toEqual(
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
    expect(cases.every(({ stage, revision }) => stage.kind === 'attempt' && revision === 0)).toBe(true);
  });
});
