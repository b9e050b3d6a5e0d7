import { describe, expect, test } from 'vitest';
import { compareSplitsOrNull, findingsOfSplitDifference } from '#core/leaderboards/split-difference.ts';
import { makeScore } from '#core/scoring/score.ts';
import { makeRandom } from '#core/values/random.ts';
import { basisOf } from '../evaluation/basis.ts';
import { chain, finished, type Made } from '../evaluation/cases.ts';

const passing: Made = { tools: chain, grades: { success: makeScore(1, {}) } };
const failing: Made = { tools: chain, grades: { success: makeScore(0, {}) } };
const ids = (split: string, units: number) => Array.from({ length: units }, (_, n) => `${split}${n}`);
const none = new Map<string, string>();

/** What an agent does in the units of a split: whether it succeeds in the n-th. */
const split = (name: string, units: number, succeeds: (n: number) => boolean, own: readonly string[] = chain) =>
  basisOf(
    ids(name, units).map((unit, n) => finished({ unit, agent: 'a', trial: 1 }, succeeds(n) ? passing : failing)),
    { units: ids(name, units).map((id) => ({ id, chain: [...own] })) },
  );
const always = () => true;
const never = () => false;

describe('the two splits', () => {
  test('are compared, and an agent that can tell them goes to a moderator with its figures', () => {
    const found = compareSplitsOrNull('a', split('open', 18, never), split('closed', 9, always), none);
    expect(found).toMatchObject({
      scorer: 'success',
      units: { public: 18, private: 9 },
      means: { public: 0, private: 1 },
    });
    expect(findingsOfSplitDifference(found)).toEqual([
      {
        kind: 'split-difference',
        where: 'success 0.000 on 18 public units, 1.000 on 9 private ones that are alike; chance 0.000050',
        message: 'the agent does otherwise on private units than on public ones that are alike, beyond chance',
      },
    ]);
    // Who has seen the public units does better on them.
    const learnt = compareSplitsOrNull('a', split('open', 18, always), split('closed', 9, never), none);
    expect(findingsOfSplitDifference(learnt)).toHaveLength(1);
  });

  test('differ by chance for an agent that cannot tell them', () => {
    const random = makeRandom('cannot tell');
    const half = () => random.below(2) === 0;
    for (let agent = 0; agent < 25; agent += 1) {
      const found = compareSplitsOrNull('a', split('open', 18, half), split('closed', 9, half), none);
      expect(findingsOfSplitDifference(found)).toEqual([]);
    }
    expect(
      findingsOfSplitDifference(compareSplitsOrNull('a', split('open', 3, never), split('closed', 2, always), none)),
    ).toEqual([]);
  });

  test('are not compared where no unit has one that is alike', () => {
    const longer = [...chain, 'trees/oak'];
    expect(compareSplitsOrNull('a', split('open', 9, never), split('closed', 9, always, longer), none)).toBeNull();
    expect(findingsOfSplitDifference(null)).toEqual([]);
  });

  test('count the units of a lineage that are alike as one', () => {
    const lineages = new Map([
      ...ids('open', 18).map((id) => [id, 'open0'] as const),
      ...ids('closed', 9).map((id) => [id, id] as const),
    ]);
    const found = compareSplitsOrNull(
      'a',
      split('open', 18, (n) => n < 9),
      split('closed', 9, always),
      lineages,
    );
    expect(found).toMatchObject({ units: { public: 1, private: 9 }, means: { public: 0.5, private: 1 } });
  });
});
