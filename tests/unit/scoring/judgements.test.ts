import { describe, expect, it } from 'vitest';

import { getBackRequestsSchemaOrThrow, relevanceAnswer } from '#core/scoring/ar.ts';
import { subIntentPlanAnswer, getSubIntentScoresSchema } from '#core/scoring/uic.ts';
import { failureAnswer } from '#core/traces/failure-answer.ts';

const score = (subIntent: number, value: number) => ({ subIntent, score: value, nothingFound: false, why: 'says so' });
const parsesScores = (count: number, scores: unknown): boolean =>
  getSubIntentScoresSchema(count)?.safeParse({ scores }).success ?? false;

describe("the judges' answers", () => {
  it('grade relevance on one scale', () => {
    expect(relevanceAnswer.safeParse({ score: 0.85, why: 'faithful' }).success).toBe(true);
    for (const wrong of [85, -0.1, 1.01, '0.85', null, Number.NaN])
      expect(relevanceAnswer.safeParse({ score: wrong, why: '' }).success).toBe(false);
    expect(relevanceAnswer.safeParse({ score: 1 }).success).toBe(false);
    expect(relevanceAnswer.safeParse('I would give it 0.9').success).toBe(false);
  });

  it('derive exactly three requests from a response', () => {
    expect(getBackRequestsSchemaOrThrow(3).safeParse({ requests: ['a', 'b', 'c'] }).success).toBe(true);
    for (const requests of [[], ['a', 'b'], ['a', 'b', 'c', 'd'], ['a', 'b', '']])
      expect(getBackRequestsSchemaOrThrow(3).safeParse({ requests }).success).toBe(false);
  });

  it('plan one to ten sub-intents', () => {
    const plan = (count: number) =>
      subIntentPlanAnswer.safeParse({ subIntents: Array.from({ length: count }, () => 'a') });
    expect([0, 1, 10, 11].map((count) => plan(count).success)).toEqual([false, true, true, false]);
  });

  it('score each sub-intent once, in order', () => {
    expect(parsesScores(2, [score(1, 1), score(2, 0.3)])).toBe(true);
    expect(parsesScores(2, [score(1, 1)])).toBe(false);
    expect(parsesScores(1, [score(1, 1), score(2, 0.3)])).toBe(false);
    expect(parsesScores(2, [score(2, 1), score(1, 0.3)])).toBe(false);
    expect(parsesScores(2, [score(1, 1), score(1, 0.3)])).toBe(false);
    expect(parsesScores(1, [score(1, 1.1)])).toBe(false);
    expect(parsesScores(1, [{ ...score(1, 1), nothingFound: true }])).toBe(true);
    expect([0, 11].map(getSubIntentScoresSchema)).toEqual([undefined, undefined]);
    expect(getSubIntentScoresSchema(3)).toBe(getSubIntentScoresSchema(3));
  });

  it('name a failure class of the taxonomy', () => {
    expect(failureAnswer.safeParse({ class: 'network-instability', why: 'dns' }).success).toBe(true);
    expect(failureAnswer.safeParse({ class: 'unlucky', why: 'dns' }).success).toBe(false);
  });
});
