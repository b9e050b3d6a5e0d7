import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { expectedDiscoveries, type StepsAmong } from '#core/exploration/frontier/expected-discoveries.ts';

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
const finds = (steps: readonly (readonly Step[])[]): number => expectedDiscoveries(among(steps), steps.length);

describe('the expected finds of a set', () => {
  it('equal the weight of its only step', () => {
    const [only] = [hoped(0.5)];
    expect(
      finds([
        [none, only],
        [none, none],
      ]),
    ).toBeCloseTo(1 - Math.exp(-0.5));
  });

  it('follow a chain from step to step', () => {
    const sure = hoped(1);
    const moves = 1 - Math.exp(-1);
    // It starts at the first or the second tool, each with one step of weight 1.
    expect(
      finds([
        [none, sure, none],
        [none, none, sure],
        [none, none, none],
      ]),
    ).toBeCloseTo(moves * 1 + 0.5 * moves * moves);
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
    expect(expectedDiscoveries(steps, 2)).toBeCloseTo(1 - Math.exp(-0.5));
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
