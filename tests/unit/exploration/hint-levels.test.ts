import { describe, expect, it } from 'vitest';

import { makeHintLevelFunction, constantZeroHint } from '#core/exploration/hint/hint-levels.ts';
import { makeRandom } from '#core/values/random.ts';

const TOOLS = 200;

const sharesOf = (level: (from: number, to: number) => number): number[] => {
  const counts = [0, 0, 0, 0];
  for (let from = 0; from < TOOLS; from++)
    for (let to = 0; to < TOOLS; to++)
      if (from !== to) counts[level(from, to)] = (counts[level(from, to)] ?? 0) + 1 / (TOOLS * (TOOLS - 1));
  return counts;
};

describe('the levels of a hint', () => {
  it('contain a half, three tenths, three twentieths and a twentieth of all pairs on any scale', () => {
    const random = makeRandom('scores');
    const scores = Float64Array.from({ length: TOOLS * TOOLS }, () => random.next() ** 7 / 1_000);
    const shares = sharesOf(makeHintLevelFunction((from, to) => scores[from * TOOLS + to] ?? 0, TOOLS));
    for (const [level, share] of [0.5, 0.3, 0.15, 0.05].entries()) expect(shares[level]).toBeCloseTo(share, 1);
  });

  it('distinguish the two values of a yes-or-no hint', () => {
    for (const rare of [0.02, 0.3, 0.7]) {
      const random = makeRandom('yes or no', rare);
      const yes = Uint8Array.from({ length: TOOLS * TOOLS }, () => Number(random.next() < rare));
      const level = makeHintLevelFunction((from, to) => yes[from * TOOLS + to] ?? 0, TOOLS);
      const used = sharesOf(level).filter((share) => share > 0);
      // A hint that is yes for less than a twentieth of the pairs still has its level.
      expect(used).toHaveLength(2);
    }
  });

  it('are a single level if there is no hint or nothing to compare', () => {
    expect(sharesOf(makeHintLevelFunction(constantZeroHint, TOOLS))).toEqual([expect.closeTo(1), 0, 0, 0]);
    expect(makeHintLevelFunction(() => 1, 1)(0, 0)).toBe(0);
  });
});
