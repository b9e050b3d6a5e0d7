import { describe, expect, it } from 'vitest';
import { trialAndPassesOfCase } from '#core/evaluation/agent-figures.ts';
import { agentBasisOrEmpty } from '#core/evaluation/results-basis.ts';
import type { EvaluationCase } from '#core/evaluation/case.ts';
import { computePassAtKAndHatK, countScoredAndPassedTrials } from '#core/evaluation/compute-passes.ts';
import { makeUnscored } from '#core/scoring/score.ts';
import { basisOf, failing, figuresOf, passing } from './basis.ts';
import { chain, finished, type Made } from './cases.ts';

const ungraded: Made = { tools: chain, grades: { success: makeUnscored('judge-unparsed', {}) } };
const broken: Made = { tools: null };
const trialsOf = (unit: string, ...made: readonly (readonly [Made, Made])[]) =>
  made.map(([source, followUp], at) => finished({ unit, agent: 'a', trial: at + 1 }, source, followUp));

const passesIn = (cases: readonly EvaluationCase[]) =>
  countScoredAndPassedTrials(figuresOf(cases).map(trialAndPassesOfCase));

describe('a trial', () => {
  it('passes only if both attempts are scored and pass', () => {
    expect(passesIn(trialsOf('u', [passing, passing]))).toEqual({ scored: 1, passed: 1 });
    expect(passesIn(trialsOf('u', [passing, failing], [failing, failing]))).toEqual({ scored: 2, passed: 0 });
    for (const missing of [ungraded, broken]) {
      expect(passesIn(trialsOf('u', [passing, missing]))).toEqual({ scored: 0, passed: 0 });
      // It fails for sure, but to count it would count only failures among the half-scored.
      expect(passesIn(trialsOf('u', [failing, missing]))).toEqual({ scored: 0, passed: 0 });
    }
  });
});

it('passes with any number of requests only if all of them do', () => {
  const trial = (...passed: (boolean | null)[]) => ({ trial: 1, passed });
  const trials = [trial(true), trial(false), trial(null), trial(true, true, true), trial(true, true, false)];
  expect(countScoredAndPassedTrials(trials)).toEqual({ scored: 4, passed: 2 });
});

describe('pass@k and pass^k', () => {
  const cases = [
    ...trialsOf('u0', [passing, passing], [passing, passing], [failing, passing]),
    ...trialsOf('u1', [passing, passing], [failing, failing], [ungraded, passing]),
  ];
  const { trials, atK } = computePassAtKAndHatK(agentBasisOrEmpty(basisOf(cases), 'a').figures, 3);

  it('are means over units for each k up to the trials', () => {
    expect(trials).toBe(3);
    expect(atK.map(({ k }) => k)).toEqual([1, 2, 3]);
    // u0 passes 2 of 3, u1 1 of 2.
    expect(atK[0]?.passAtK.mean).toBeCloseTo((2 / 3 + 1 / 2) / 2, 12);
    expect(atK[1]?.passAtK).toMatchObject({ mean: 1, n: 2, unscored: 0 });
    expect(atK[1]?.passHatK.mean).toBeCloseTo((1 / 3 + 0) / 2, 12);
  });

  it('leave a unit with fewer than k scored trials unscored', () => {
    expect(atK[2]?.passAtK).toEqual({ mean: 1, low: null, high: null, n: 1, unscored: 1 });
    expect(atK[2]?.passHatK).toMatchObject({ mean: 0, n: 1, unscored: 1 });
  });

  it('are equal, with the same interval, for k = 1', () => {
    for (const bound of ['mean', 'low', 'high'] as const)
      expect(atK[0]?.passAtK[bound]).toBeCloseTo(atK[0]?.passHatK[bound] ?? Number.NaN, 12);
  });

  it('do not depend on the order of cases', () => {
    expect(computePassAtKAndHatK(agentBasisOrEmpty(basisOf(cases.toReversed()), 'a').figures, 3).atK).toEqual(atK);
  });
});
