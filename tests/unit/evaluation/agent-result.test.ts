import { describe, expect, it } from 'vitest';
import { makeBasisFromCases, type ResultsBasis } from '#core/evaluation/results-basis.ts';
import { caseAfterStageResult, type EvaluationCase } from '#core/evaluation/case.ts';
import { compareAgents } from '#core/evaluation/compare-agents.ts';
import { agentResult, comparison } from '#core/evaluation/record.ts';
import { makeAgentResult } from '#core/evaluation/agent-result.ts';
import { makeScore, makeUnscored, type UnscoredReason } from '#core/scoring/score.ts';
import { begun, chain, finished, made, type Grades, type Made } from './cases.ts';

const ids = Array.from({ length: 8 }, (_, at) => `u${at}`);
const [first = '', second = '', third = '', fourth = ''] = ids;
const basisOf = (cases: readonly EvaluationCase[]): ResultsBasis =>
  makeBasisFromCases(cases, {
    protocol: 'sgvef',
    units: ids.map((id) => ({ id, chain })),
    tools: ['apple', 'pear', 'plum'].map((name) => ({
      name: `fruit/${name}`,
      server: 'fruit',
      domain: 'fruit',
      category: 'read',
    })),
    trials: 1,
    seed: 1,
  });
const graded = (ar: number, uic = ar): Grades => ({ ar: makeScore(ar, {}), uic: makeScore(uic, {}) });
const missing = (reason: UnscoredReason): Grades => ({
  ar: makeUnscored(reason, {}),
  uic: makeUnscored(reason, {}),
  success: makeUnscored(reason, {}),
});
const right: Made = { tools: chain, grades: graded(0.5) };
const none: Made = { tools: ['fruit/plum'], grades: graded(0.5) };

describe('the result of an agent', () => {
  it('is also given for the proven units alone: each step of their chain was carried out when they were made', () => {
    const basis = basisOf([
      finished({ unit: first, agent: 'a' }, right),
      finished({ unit: second, agent: 'a' }, none),
      finished({ unit: third, agent: 'a' }, right),
    ]);
    const [proven, partly] = [chain.map((_, index) => index + 1), [1]];
    const witnessed = (places: readonly (readonly number[])[]): ResultsBasis => ({
      ...basis,
      units: basis.units.map((unit, place) => ({
        ...unit,
        ...(places[place] === undefined ? {} : { witness: { source: [...places[place]], followUp: [] } }),
      })),
    });
    const some = makeAgentResult('a', witnessed([proven, proven, partly]));
    expect(some.proven).toMatchObject({ units: 2, scores: { tcs: { mean: 0.5, n: 2 } } });
    expect(some.scores.tcs).toMatchObject({ mean: 2 / 3, n: 3 });
    const all = makeAgentResult('a', witnessed([proven, proven, proven]));
    expect(all.proven).toEqual({ units: 3, scores: all.scores });
    expect(makeAgentResult('a', basis).proven).toMatchObject({ units: 0, scores: { tcs: { mean: null, n: 0 } } });
  });

  it('has the means of the parts of its scores, of which the weighted sum is the score', () => {
    const half: Made = { tools: [...chain, 'fruit/plum', 'fruit/plum'], grades: graded(0.5) };
    const { parts, scores } = makeAgentResult(
      'a',
      basisOf([
        finished({ unit: first, agent: 'a', trial: 1 }, right),
        finished({ unit: first, agent: 'a', trial: 2 }, none),
        finished({ unit: second, agent: 'a' }, right, half),
      ]),
    );
    // The first unit has 1 and 0, the second 1 and, at the follow-up, 2 of 4 calls.
    expect(parts.tcs).toEqual({ recall: { mean: (0.5 + 1) / 2, n: 2 }, precision: { mean: (0.5 + 0.75) / 2, n: 2 } });
    const { sa, so, pa, fa } = parts.mtc;
    expect([sa, so, pa]).toEqual([
      { mean: 0.75, n: 2 },
      { mean: (1 + 2 / 3) / 2, n: 2 },
      { mean: 0.75, n: 2 },
    ]);
    const sum = [sa, so, pa, fa].reduce(
      (all, part, at) => all + (part?.mean ?? NaN) * ([0.35, 0.25, 0.15, 0.25][at] ?? NaN),
      0,
    );
    expect(sum).toBeCloseTo(scores.mtc.mean ?? NaN, 12);
    expect(parts.ar).toEqual({ judge: { mean: null, n: 0 }, cosines: { mean: null, n: 0 } });
  });

  it('has means over units and the number of units', () => {
    const result = makeAgentResult(
      'a',
      basisOf([finished({ unit: first, agent: 'a' }, right), finished({ unit: second, agent: 'a' }, none)]),
    );
    expect(result).toMatchObject({ name: 'a', units: 2, attempts: 4, notEvaluated: 0, costUsd: 2, tokens: 48 });
    expect(result.scores.tcs).toMatchObject({ mean: 0.5, n: 2, unscored: 0 });
    expect(result.scores.mtc).toMatchObject({ mean: 1, n: 2, unscored: 0 });
    expect(result.scores.ar).toMatchObject({ mean: 0.5, low: 0.5, high: 0.5, n: 2 });
    expect(agentResult.parse(result)).toEqual(result);
  });

  it('counts what the judge did not score, and never treats it as zero', () => {
    const result = makeAgentResult(
      'a',
      basisOf([
        finished({ unit: first, agent: 'a' }, right),
        finished({ unit: second, agent: 'a' }, { tools: chain, grades: missing('judge-unparsed') }),
        // One of two requests without a score leaves the unit without one.
        finished({ unit: third, agent: 'a' }, right, { tools: chain, grades: missing('judge-unreachable') }),
      ]),
    );
    for (const metric of [result.scores.ar, result.scores.uic])
      expect(metric).toMatchObject({ mean: 0.5, n: 1, unscored: 2 });
    expect(result.scores.success).toMatchObject({ mean: 1, n: 1, unscored: 2 });
    expect(result.scores.ecg).toMatchObject({ n: 1, unscored: 2 });
    expect(result.scores.tcs).toMatchObject({ mean: 1, n: 3, unscored: 0 });
    expect(result.notEvaluated).toBe(0);
  });

  it('has no value for a unit that a fault broke, and counts the attempt', () => {
    const result = makeAgentResult(
      'a',
      basisOf([
        finished({ unit: first, agent: 'a' }, right),
        finished({ unit: second, agent: 'a' }, { tools: null }),
        finished({ unit: third, agent: 'a' }, right, { tools: null }),
      ]),
    );
    expect(result).toMatchObject({ units: 3, attempts: 6, notEvaluated: 3 });
    for (const metric of [
      result.scores.tcs,
      result.scores.mtc,
      result.scores.tfd,
      result.scores.ar,
      result.scores.uic,
      result.scores.ecg,
      result.scores.success,
    ])
      expect(metric).toMatchObject({ n: 1, unscored: 2 });
    expect(result.scores.tcs.mean).toBe(1);
    expect(Object.values(result.patterns)).toEqual([0, 0, 0]);
  });

  it('has null instead of means if nothing is scored', () => {
    const result = makeAgentResult('a', basisOf([finished({ unit: first, agent: 'a' }, { tools: null })]));
    expect(result.scores.tcs).toEqual({ mean: null, low: null, high: null, n: 0, unscored: 1 });
    expect(result.scores.ecg).toEqual({
      mean: null,
      low: null,
      high: null,
      n: 0,
      unscored: 1,
      meanAbsolute: null,
      standardDeviation: null,
    });
    expect(makeAgentResult('a', basisOf([])).scores.tcs).toEqual({
      mean: null,
      low: null,
      high: null,
      n: 0,
      unscored: 0,
    });
  });

  it('shows the spread of gaps that cancel in the mean', () => {
    const result = makeAgentResult(
      'a',
      basisOf([
        finished({ unit: first, agent: 'a' }, { tools: chain, grades: graded(0.5) }),
        finished({ unit: second, agent: 'a' }, { tools: ['fruit/plum'], grades: graded(1) }),
      ]),
    );
    // Planning 1 and response 0.5; planning (0 + 1) / 2 and response 1.
    expect(result.scores.ecg).toMatchObject({ mean: 0, n: 2, unscored: 0, meanAbsolute: 0.5 });
    expect(result.scores.ecg.standardDeviation).toBeCloseTo(Math.SQRT1_2, 12);
  });

  it('takes the mean over trials without those that were not evaluated', () => {
    const result = makeAgentResult(
      'a',
      basisOf([
        finished({ unit: first, agent: 'a', trial: 1 }, right),
        finished({ unit: first, agent: 'a', trial: 2 }, none),
        finished({ unit: first, agent: 'a', trial: 3 }, { tools: null }),
      ]),
    );
    expect(result).toMatchObject({ units: 1, attempts: 6, notEvaluated: 2 });
    expect(result.scores.tcs).toMatchObject({ mean: 0.5, n: 1, unscored: 0 });
  });

  it('leaves out other agents and unfinished cases', () => {
    const underWay = caseAfterStageResult(begun({ unit: fourth }), made('source', ['fruit/plum']), {
      chain,
      origins: [],
      judges: true,
    });
    const cases = [
      finished({ unit: first, agent: 'a' }, right),
      finished({ unit: second, agent: 'b' }, none),
      underWay,
    ];
    expect(makeAgentResult('a', basisOf(cases))).toMatchObject({
      units: 1,
      attempts: 2,
      scores: { tcs: { mean: 1, n: 1 } },
    });
  });

  it('finds the failure pattern of each unit', () => {
    const { patterns } = makeAgentResult(
      'a',
      basisOf([
        finished({ unit: first, agent: 'a' }, right, { tools: [] }),
        finished({ unit: second, agent: 'a' }, right),
      ]),
    );
    expect(patterns['incomplete-planning']).toBe(1);
    expect(Object.values(patterns).reduce((sum, count) => sum + count, 0)).toBe(1);
  });

  it('is the same each time it is computed', () => {
    const cases = ids.map((unit, at) => finished({ unit, agent: 'a' }, at % 2 === 0 ? right : none));
    expect(makeAgentResult('a', basisOf(cases))).toEqual(makeAgentResult('a', basisOf(cases.toReversed())));
  });
});

describe('a comparison of two agents', () => {
  const all = (agent: string, does: (at: number) => Made) => ids.map((unit, at) => finished({ unit, agent }, does(at)));

  it('covers the units on which both are scored', () => {
    const basis = basisOf([...all('a', (at) => (at === 0 ? { tools: null } : right)), ...all('b', () => none)]);
    const result = compareAgents('a', 'b', basis);
    const told = expect.closeTo(0.51, 2);
    expect(result.scores.tcs).toEqual({
      difference: 1,
      low: 1,
      high: 1,
      n: 7,
      leftOut: 1,
      detectable: told,
      verdict: 'better',
    });
    expect(result.scores.ar).toMatchObject({ difference: 0, n: 7, leftOut: 1, verdict: 'no-difference' });
    expect(compareAgents('b', 'a', basis).scores.tcs).toMatchObject({ difference: -1, n: 7, verdict: 'worse' });
    expect(comparison.parse(result)).toEqual(result);
  });

  it('treats fewer failures as better', () => {
    const failing: Made = { ...right, tools: ['fruit/apple!', ...chain] };
    const result = compareAgents('a', 'b', basisOf([...all('a', () => right), ...all('b', () => failing)]));
    expect(result.scores.tfd?.difference).toBeLessThan(0);
    expect(result.scores.tfd?.verdict).toBe('better');
  });

  it('shows no difference with too few units', () => {
    const basis = basisOf([...all('a', () => right).slice(0, 5), ...all('b', () => none)]);
    expect(compareAgents('a', 'b', basis).scores.tcs).toMatchObject({ n: 5, leftOut: 3, verdict: 'insufficient-data' });
  });
});
