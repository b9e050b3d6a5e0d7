import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { makeDiscoveryEstimator, type StepsAmong } from '#core/exploration/frontier/expected-discoveries.ts';

type Step = { readonly likely: number; readonly weight: number; readonly fresh: number };
const none: Step = { likely: 0, weight: 0, fresh: 0 };
const known: Step = { likely: 1, weight: 1, fresh: 0 };
const hoped = (likely: number): Step => ({ likely, weight: likely, fresh: likely });

const among = (steps: readonly (readonly Step[])[]): StepsAmong => {
  const flat = steps.flat();
  return {
    stride: steps.length,
    likely: Float64Array.from(flat, ({ likely }) => likely),
    weight: Float64Array.from(flat, ({ weight }) => weight),
    fresh: Float64Array.from(flat, ({ fresh }) => fresh),
  };
};
const finds = (steps: readonly (readonly Step[])[]): number =>
  makeDiscoveryEstimator(steps.length)(among(steps), steps.length);

describe('the expected finds of a set', () => {
  it('equal the probability of its only step', () => {
    const [only] = [hoped(0.5)];
    expect(
      finds([
        [none, only],
        [none, none],
      ]),
    ).toBeCloseTo(0.5);
  });

  it('follow a chain from step to step', () => {
    const sure = hoped(1);
    // It begins with either step, and continues after the first.
    expect(
      finds([
        [none, sure, none],
        [none, none, sure],
        [none, none, none],
      ]),
    ).toBeCloseTo(1.5, 2);
  });

  it('begin where there is a step, however many tools have none', () => {
    const row = Array.from({ length: 8 }, () => none);
    const only = Array.from({ length: 8 }, (_, from) => (from === 0 ? row.with(1, hoped(0.5)) : row));
    expect(finds(only)).toBeCloseTo(0.5);
  });

  it('do not count the way straight back', () => {
    const sure = hoped(1);
    expect(
      finds([
        [none, sure],
        [sure, none],
      ]),
    ).toBeCloseTo(1, 2);
  });

  it('approximate the mean chain length if any tool can follow any other', () => {
    const mesh = Array.from({ length: 12 }, () => Array.from({ length: 12 }, () => hoped(1)));
    expect(finds(mesh)).toBeCloseTo(3.5, 3);
  });

  it('are zero if nothing is likely or everything is known', () => {
    expect(
      finds([
        [none, none],
        [none, none],
      ]),
    ).toBe(0);
    expect(
      finds([
        [none, known],
        [known, none],
      ]),
    ).toBe(0);
  });

  it('decrease if a known step attracts the chain', () => {
    const plain = [
      [none, hoped(0.6), none],
      [none, none, none],
      [none, none, none],
    ];
    const lured = [
      [none, hoped(0.6), known],
      [none, none, none],
      [none, none, none],
    ];
    expect(finds(lured)).toBeLessThan(finds(plain));
  });

  it('ignore the diagonal and anything beyond the size', () => {
    const steps = among([
      [known, hoped(0.5), known],
      [none, known, known],
      [known, known, known],
    ]);
    expect(makeDiscoveryEstimator(3)(steps, 2)).toBeCloseTo(0.5);
  });

  it('do not depend on what was estimated before', () => {
    const estimate = makeDiscoveryEstimator(12);
    const small = [
      [none, hoped(0.5), known],
      [hoped(0.25), none, hoped(0.7)],
      [none, hoped(0.9), none],
    ];
    const mesh = Array.from({ length: 12 }, () => Array.from({ length: 12 }, () => hoped(0.8)));
    const before = estimate(among(small), 3);
    expect(estimate(among(mesh), 12)).toBeGreaterThan(before);
    expect(estimate(among(small), 3)).toBe(before);
  });

  it('lie between zero and the finds of the longest chains', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const step = fc.tuple(share, fc.boolean()).map(([likely, isKnown]) => (isKnown ? known : hoped(likely)));
    fc.assert(
      fc.property(
        fc
          .integer({ min: 2, max: 6 })
          .chain((size) =>
            fc.array(fc.array(step, { minLength: size, maxLength: size }), { minLength: size, maxLength: size }),
          ),
        (steps) => {
          const value = finds(steps);
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(3.5 + 1e-9);
        },
      ),
    );
  });
});
