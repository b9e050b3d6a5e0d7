import { describe, expect, it } from 'vitest';

import { scoreAnswerRelevance } from '#core/scoring/ar.ts';
import { cosineOrNull } from '#core/similarity/cosine.ts';
import { scoreGapOfExecutionAndCompletion } from '#core/scoring/ecg.ts';
import { meanOfScoredTrialsOrNull, meanScoreOverAttempts } from '#core/scoring/means.ts';
import { makeScore, makeUnscored, type Judged, type UnscoredReason } from '#core/scoring/score.ts';
import { computeSpreadOfUnitGaps } from '#core/statistics/gap-spread.ts';
import { makeSentStep } from '#agents/steps.ts';
import { scoreFaultDensity } from '#core/scoring/tfd.ts';
import { scoreIntentCoverage, type SubIntentScore } from '#core/scoring/uic.ts';

import { classifyFailedCallByRules } from '#core/traces/classify-failure.ts';
import { traceOf } from './steps.ts';

const given = <T>(value: T): Judged<T> => ({ ok: true, value });
const grade = (score: number) => ({ why: 'The results say so.', score });
const graded = (...scores: readonly number[]): SubIntentScore[] =>
  scores.map((score, at) => ({ subIntent: at + 1, score, nothingFound: false, why: 'so' }));
const missing = (reason: UnscoredReason): Judged<never> => ({ ok: false, reason });

describe('fault density', () => {
  it('is the share of failed calls', () => {
    expect(scoreFaultDensity(traceOf('s/a', 's/b!', 'nowhere!', 's/a'))).toMatchObject({
      value: 0.5,
      parts: { failed: 2, calls: 4 },
    });
    expect(scoreFaultDensity(traceOf('s/a')).value).toBe(0);
    expect(scoreFaultDensity(traceOf('s/a!')).value).toBe(1);
  });

  it('ignores calls of earlier releases that a fault broke in both counts', () => {
    expect(scoreFaultDensity(traceOf('s/a', 's/b!', 's/c?')).parts).toEqual({ failed: 1, calls: 2 });
  });

  it('counts a call that timed out, as the paper does', () => {
    const fault = { where: 'server', name: 's', code: 'timeout', detail: 'no answer in time' } as const;
    const slow = makeSentStep({
      tool: 's/slow',
      arguments: {},
      outcome: { kind: 'fault', fault },
      latencyMs: 30_000,
      turn: 1,
      turnTokens: null,
    });
    expect(slow).toMatchObject({
      outcome: 'failure',
      cause: 'environment',
      text: 's: no answer in time',
      failure: { class: 'asynchronous-indeterminacy' },
    });
    expect(scoreFaultDensity({ steps: [...traceOf('s/a').steps, slow] })).toMatchObject({ value: 0.5 });
  });

  it.each(['The result violates the tool\'s output schema: #: has no "n"', 'result larger than 4194304 bytes'])(
    'counts calls with an unusable result, as limits of the service: %s',
    (text) => {
      const failure = classifyFailedCallByRules(
        { arguments: {}, text },
        { toolExists: true, unknownKeys: [], violatesSchema: false },
      );
      expect(failure).toMatchObject({ class: 'service-scope-limitation' });
      const steps = traceOf('s/a', 's/b!').steps.map((step) =>
        step.outcome === 'failure' ? { ...step, failure } : step,
      );
      expect(scoreFaultDensity({ steps })).toMatchObject({ value: 0.5, parts: { failed: 1, calls: 2 } });
    },
  );

  it('has no value without calls', () => {
    expect(scoreFaultDensity(traceOf())).toMatchObject({ value: null, reason: 'no-calls' });
    expect(scoreFaultDensity(traceOf('s/c?'))).toMatchObject({ value: null, reason: 'no-calls' });
  });
});

describe('cosine', () => {
  it.each([
    { a: [1, 0], b: [1, 0], is: 1 },
    { a: [1, 0], b: [0, 2], is: 0 },
    { a: [1, 1], b: [-2, -2], is: -1 },
    { a: [3, 4], b: [4, 3], is: 24 / 25 },
    { a: [1, 0], b: [1], is: null },
    { a: [0, 0], b: [1, 1], is: null },
    { a: [], b: [], is: null },
    { a: [Number.NaN], b: [1], is: null },
  ])('of $a and $b is $is', ({ a, b, is }) => {
    const value = cosineOrNull(a, b);
    if (is === null) expect(value).toBeNull();
    else expect(value).toBeCloseTo(is, 12);
  });
});

describe('answer relevance', () => {
  const vectors = given({
    request: [1, 0],
    back: [
      [1, 0],
      [0, 1],
      [3, 4],
    ],
  });

  it('is the mean of the grade and the mean cosine', () => {
    const { value, parts } = scoreAnswerRelevance('It is 21 degrees.', given(grade(0.9)), vectors);
    expect(value).toBeCloseTo(0.5 * 0.9 + 0.5 * ((1 + 0 + 0.6) / 3), 12);
    expect(parts).toMatchObject({ judge: 0.9, answered: true });
  });

  it.each<{
    name: string;
    judge: Judged<{ why: string; score: number }>;
    back: typeof vectors | Judged<never>;
    reason: UnscoredReason;
  }>([
    { name: 'an unreadable grade', judge: missing('judge-unparsed'), back: vectors, reason: 'judge-unparsed' },
    { name: 'no judges', judge: missing('judges-off'), back: missing('judges-off'), reason: 'judges-off' },
    {
      name: 'no vectors',
      judge: given(grade(1)),
      back: missing('embedder-unreachable'),
      reason: 'embedder-unreachable',
    },
    {
      name: 'two requests',
      judge: given(grade(1)),
      back: given({ request: [1], back: [[1], [1]] }),
      reason: 'judge-unparsed',
    },
    {
      name: 'a vector without direction',
      judge: given(grade(1)),
      back: given({ request: [1], back: [[1], [0], [1]] }),
      reason: 'embedding-unusable',
    },
  ])('is unscored for $name and keeps the available parts', ({ judge, back, reason }) => {
    const score = scoreAnswerRelevance('text', judge, back);
    expect(score).toMatchObject({ value: null, reason });
    expect(score.parts.judge).toBe(judge.ok ? judge.value.score : null);
  });

  it('is 0 for an agent without an answer, without asking anybody', () => {
    expect(scoreAnswerRelevance(' \n', missing('judges-off'), missing('judges-off')).value).toBe(0);
  });
});

describe('intent coverage', () => {
  it('is the mean over the sub-intents', () => {
    expect(scoreIntentCoverage('text', given(['a', 'b', 'c']), given(graded(1, 0.5, 0))).value).toBeCloseTo(0.5, 12);
    expect(scoreIntentCoverage('text', given(['a']), given(graded(0))).value).toBe(0);
  });

  it('is unscored without a plan, without scores, or if they do not match', () => {
    const plan = given(['a', 'b']);
    const of = (planned: Judged<string[]>, scores: Judged<SubIntentScore[]>) =>
      scoreIntentCoverage('text', planned, scores);
    expect(of(missing('judge-refused'), given(graded(1)))).toMatchObject({ value: null, reason: 'judge-refused' });
    expect(of(plan, missing('judge-unreachable'))).toMatchObject({ value: null, reason: 'judge-unreachable' });
    expect(of(plan, given(graded(1)))).toMatchObject({ value: null, reason: 'judge-unparsed' });
    expect(of(given([]), given([]))).toMatchObject({ value: null, reason: 'judge-unparsed' });
  });

  it('is 0 for an agent without an answer', () => {
    expect(scoreIntentCoverage('', given(['a']), missing('judges-off'))).toMatchObject({
      value: 0,
      parts: { planned: 1, scores: null, answered: false },
    });
  });
});

describe('execution-completion gap', () => {
  const four = { tcs: makeScore(0.8, {}), mtc: makeScore(0.6, {}), ar: makeScore(0.5, {}), uic: makeScore(0.3, {}) };

  it('is planning minus response', () => {
    const { value, parts } = scoreGapOfExecutionAndCompletion(four);
    expect(value).toBeCloseTo(0.3, 12);
    expect(parts.planning).toBeCloseTo(0.7, 12);
    expect(parts.response).toBeCloseTo(0.4, 12);
  });

  it.each(['tcs', 'mtc', 'ar', 'uic'] as const)('is unscored without %s', (metric) => {
    const score = scoreGapOfExecutionAndCompletion({ ...four, [metric]: makeUnscored('judge-unparsed', {}) });
    expect(score).toMatchObject({ value: null, reason: 'judge-unparsed' });
  });

  it('has a spread next to its mean', () => {
    const spread = computeSpreadOfUnitGaps([0.3, -0.3, null, 0]);
    expect(spread.meanAbsolute).toBeCloseTo(0.2, 12);
    expect(spread.standardDeviation).toBeCloseTo(0.3, 12);
    expect(computeSpreadOfUnitGaps([0.25])).toEqual({ meanAbsolute: 0.25, standardDeviation: null });
    expect(computeSpreadOfUnitGaps([null])).toEqual({ meanAbsolute: null, standardDeviation: null });
  });
});

describe('the value of a unit', () => {
  const none = makeUnscored('no-calls', {});
  const broken = makeUnscored('not-evaluated', {});

  it('is the mean of its two attempts', () => {
    expect(meanScoreOverAttempts({ source: makeScore(0.25, {}), followUp: makeScore(0.75, {}) })).toMatchObject({
      value: 0.5,
      parts: { source: 0.25, followUp: 0.75 },
    });
  });

  it('is unscored while one attempt is', () => {
    expect(meanScoreOverAttempts({ source: makeScore(1, {}), followUp: broken })).toMatchObject({
      value: null,
      reason: 'not-evaluated',
    });
    expect(meanScoreOverAttempts({ source: makeUnscored('judge-unparsed', {}), followUp: broken })).toMatchObject({
      value: null,
      reason: 'judge-unparsed',
    });
    expect(meanScoreOverAttempts({ source: none, followUp: broken })).toMatchObject({
      value: null,
      reason: 'not-evaluated',
    });
  });

  it('is that of the attempt that made calls', () => {
    expect(meanScoreOverAttempts({ source: none, followUp: makeScore(0.5, {}) }).value).toBe(0.5);
    expect(meanScoreOverAttempts({ source: makeScore(0.5, {}), followUp: none }).value).toBe(0.5);
    expect(meanScoreOverAttempts({ source: none, followUp: none })).toMatchObject({ value: null, reason: 'no-calls' });
  });

  it('is the mean of the scored trials', () => {
    expect(meanOfScoredTrialsOrNull([1, null, 0])).toBe(0.5);
    expect(meanOfScoredTrialsOrNull([null])).toBeNull();
    expect(meanOfScoredTrialsOrNull([])).toBeNull();
  });
});
