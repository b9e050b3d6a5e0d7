import { ownToolSentences } from '#core/evaluation/own-tools.ts';
import { buildRecordByAttemptScorer } from '#core/evaluation/scorers.ts';
import { describe, expect, it } from 'vitest';
import type { AttemptRecord, EvaluationCase } from '#core/evaluation/case.ts';
import { summariseEffort } from '#core/evaluation/sum-effort.ts';
import { countEvaluatedCallsByTool } from '#core/evaluation/case-figures.ts';
import { failureCountsOfTally } from '#core/traces/failure-counts.ts';
import { unscoredCountsByScorerAndReason } from '#core/evaluation/agent-result.ts';
import { makeUnscored } from '#core/scoring/score.ts';
import { quantileOfSorted } from '#core/statistics/quantile.ts';
import { makeAgentResult } from '#core/evaluation/agent-result.ts';
import { basisOf, classified, sumsOf } from './basis.ts';
import { attemptOf, chain, finished } from './cases.ts';

const place = { unit: 'u', agent: 'a' };

describe('failed calls', () => {
  const each = classified(
    place,
    { tools: ['fruit/apple!', 'fruit/pear!', 'fruit/plum?', 'fruit/apple'] },
    'undefined-parameter-key',
    'network-instability',
    'undefined-parameter-key',
    null,
  );
  const counts = failureCountsOfTally(sumsOf([each]));

  it('are counted by class, category and layer, and add up', () => {
    expect(counts).toMatchObject({ calls: 6, failedCalls: 4, undecided: 1 });
    expect(counts.byClass).toMatchObject({ 'undefined-parameter-key': 2, 'network-instability': 1 });
    expect(counts.byCategory).toMatchObject({ 'resource-hallucination': 2, 'environment-and-policy': 1 });
    expect(counts.byLayer).toEqual({ environment: 1, interface: 0, cognition: 2 });
    for (const by of [counts.byClass, counts.byCategory, counts.byLayer])
      expect(Object.values(by).reduce((sum, count) => sum + count, 0)).toBe(3);
  });

  it('are counted as spoilt by the environment if no usable answer came, beside their class', () => {
    const spoilt = finished(
      place,
      { tools: ['fruit/apple~', 'fruit/pear!', 'fruit/apple', 'fruit/pear'] },
      { tools: [] },
    );
    const found = failureCountsOfTally(sumsOf([spoilt]));
    expect(found).toMatchObject({ calls: 4, failedCalls: 2, spoiltCalls: 1, spoiltShare: 0.25, undecided: 1 });
    expect(found.byClass).toMatchObject({ 'asynchronous-indeterminacy': 1 });
    expect(attemptOf(spoilt, 'source').scores.tfd.value).toBe(0.5);
    expect(countEvaluatedCallsByTool(spoilt).get('fruit/apple')).toEqual({
      calls: 2,
      failed: 1,
      spoilt: 1,
      reported: 0,
    });
  });

  it('of an attempt without calls have no spoilt share', () => {
    expect(failureCountsOfTally(sumsOf([finished(place, { tools: [] }, { tools: [] })]))).toMatchObject({
      spoiltShare: null,
    });
  });

  it('list every class and leave out attempts that were not evaluated', () => {
    const none = failureCountsOfTally(sumsOf([finished(place, { tools: null })]));
    expect(Object.keys(none.byClass)).toHaveLength(13);
    expect(none).toMatchObject({ calls: 0, failedCalls: 0, undecided: 0 });
  });
});

describe('reasons of attempts without a score', () => {
  it('are counted by metric, only for metrics that lack some', () => {
    const missing = makeUnscored('judge-refused', {});
    const cases = [
      finished(place, { tools: chain, grades: { ar: missing } }, { tools: chain }),
      finished(place, { tools: [] }),
      finished(place, { tools: chain, grades: { ar: makeUnscored('embedder-unreachable', {}) } }, { tools: chain }),
    ];
    expect(unscoredCountsByScorerAndReason(sumsOf(cases))).toMatchObject({
      ar: { 'judge-refused': 1, 'embedder-unreachable': 1 },
      tfd: { 'no-calls': 2 },
    });
    expect(unscoredCountsByScorerAndReason(sumsOf([]))).toEqual({});
  });

  it('are those of the fault if the attempt was not evaluated', () => {
    const attempts = sumsOf([finished(place, { tools: null })]);
    expect(unscoredCountsByScorerAndReason(attempts)).toEqual(
      buildRecordByAttemptScorer(() => ({ 'not-evaluated': 2 })),
    );
  });
});

describe("tools of an agent's own", () => {
  it('tell answers that came around the servers from those that came from nothing', () => {
    const idle = finished(place, { tools: [] });
    const [source, followUp] = [attemptOf(idle, 'source'), attemptOf(idle, 'followUp')];
    const around = { ...idle, attempts: { source: { ...source, ownToolCalls: { Bash: 2, Read: 1 } }, followUp } };
    const beside = finished(place, { tools: chain });
    const mixed = {
      ...beside,
      attempts: { ...beside.attempts, source: { ...attemptOf(beside, 'source'), ownToolCalls: { Bash: 1 } } },
    };
    const { ownTools, answers } = makeAgentResult('a', basisOf([around, mixed]));
    expect(ownTools).toEqual({ calls: 4, attempts: 2, instead: 1 });
    expect(answers.withoutCalls).toBe(2);
    expect(ownToolSentences([{ name: 'codex', ownTools, answers }])).toEqual([
      'codex called tools of its own 4 times, in 2 attempts: 1 of its answers came by them alone, without the servers, and 1 without any call.',
    ]);
    expect(makeAgentResult('a', basisOf([idle])).ownTools).toBeNull();
  });
});

describe('answers', () => {
  const whole = finished(place, { tools: chain });
  const silent = finished(place, { tools: [] });
  const like = (each: EvaluationCase, more: Partial<AttemptRecord>, other: Partial<AttemptRecord> = more) => ({
    ...each,
    attempts: {
      source: { ...attemptOf(each, 'source'), ...more },
      followUp: { ...attemptOf(each, 'followUp'), ...other },
    },
  });

  it('are counted with those without calls and those with values that no tool returned', () => {
    const cases = [
      like(whole, { unreturned: true }, { unreturned: false }),
      like(silent, { unreturned: true }, { unreturned: null }),
      like(whole, { response: ' ', unreturned: null }),
      finished(place, { tools: null }),
    ];
    const { answers } = sumsOf(cases);
    expect(answers).toEqual({ given: 4, withoutCalls: 2, checked: 3, unreturned: 2 });
    const { answers: shown } = makeAgentResult('a', basisOf(cases));
    expect(shown).toEqual({ ...answers, unreturnedShare: 2 / 3 });
    expect(makeAgentResult('nobody', basisOf(cases)).answers.unreturnedShare).toBeNull();
  });
});

describe('effort', () => {
  const whole = finished(place, { tools: chain });
  /** A case whose attempts are like this one. */
  const lasting = (durationMs: number, more: Partial<AttemptRecord> = {}): EvaluationCase => {
    const made = { ...attemptOf(whole, 'source'), durationMs, ...more };
    return { ...whole, attempts: { source: made, followUp: made } };
  };

  it('is averaged over all attempts, but time only over evaluated ones', () => {
    const effort = summariseEffort(sumsOf([lasting(300), lasting(100), lasting(9_999, { evaluated: false })]));
    expect(effort).toMatchObject({ tokens: 72, costUsd: 3, tokensPerAttempt: 12, costUsdPerAttempt: 0.5 });
    expect(effort.durationMs).toEqual({ median: 200, p95: 300 });
  });

  it('is unknown without a model call', () => {
    expect(summariseEffort(sumsOf([]))).toEqual({
      tokens: null,
      costUsd: null,
      tokensPerAttempt: null,
      costUsdPerAttempt: null,
      durationMs: null,
      perAttempt: { turns: null, tools: null, calls: null, routes: null },
    });
    expect(summariseEffort(sumsOf([lasting(1, { evaluated: false })])).durationMs).toBeNull();
  });

  it.each([
    [[], 0.5, 0],
    [[4], 0.95, 4],
    [[1, 2, 3, 4], 0.5, 2.5],
    [[1, 2, 3], 1, 3],
    [[1, 2, 3], 0, 1],
  ])('interpolates the quantiles of %j: %d gives %d', (sorted, p, expected) => {
    expect(quantileOfSorted(sorted, p)).toBe(expected);
  });
});
