import { describe, expect, test } from 'vitest';
import type { AttemptRecord } from '#core/evaluation/case.ts';
import { makeAgentResult } from '#core/evaluation/agent-result.ts';
import { computeEntryFiguresAndUnitValues } from '#core/leaderboards/entry-figures.ts';
import { listUnitValuesByMetric, unitScoresInIdOrder } from '#core/leaderboards/entry-figures.ts';
import { makeScore, makeUnscored } from '#core/scoring/score.ts';
import { scoreExecutionFromTcsAndMtc } from '#core/scoring/execution.ts';
import { basisOf, failing, passing } from '../evaluation/basis.ts';
import { attemptOf, chain, finished } from '../evaluation/cases.ts';

const silent = { tools: [] };
const caseAt = (unit: string, made = passing, trial = 1) => finished({ unit, agent: 'a', trial }, made);
const units = (...ids: readonly string[]) => ids.map((id) => ({ id, chain }));

const spending = (attempt: AttemptRecord, costUsd: number, tokens: number): AttemptRecord => ({
  ...attempt,
  usage: { ...attempt.usage, costUsd, promptTokens: tokens, completionTokens: tokens },
});

describe('execution', () => {
  test('is the mean of TCS and MTC', () => {
    expect(scoreExecutionFromTcsAndMtc(makeScore(0.5, {}), makeScore(1, {})).value).toBe(0.75);
  });

  test('does not improve for an agent that does nothing twice', () => {
    expect(scoreExecutionFromTcsAndMtc(makeScore(0, {}), makeUnscored('both-empty', {})).value).toBe(0);
    expect(scoreExecutionFromTcsAndMtc(makeScore(0.5, {}), makeUnscored('not-evaluated', {})).value).toBeNull();
    expect(scoreExecutionFromTcsAndMtc(makeUnscored('not-evaluated', {}), makeScore(1, {})).value).toBeNull();
  });
});

describe('the figures of an entry', () => {
  const cases = ['u1', 'u2', 'u3', 'p1', 'p2'].map((unit) => caseAt(unit, unit === 'u3' ? failing : passing));
  const open = (own = cases.slice(0, 3)) => basisOf(own, { units: units('u1', 'u2', 'u3') });
  const closed = basisOf(cases.slice(3), { units: units('p1', 'p2') });

  test('are those of an evaluation of the public units', () => {
    const { figures, values } = computeEntryFiguresAndUnitValues('a', open(), closed);
    const alone = makeAgentResult('a', open());
    expect(figures.scores).toEqual({
      ...alone.scores,
      passes: [{ k: 1, passHatK: alone.passes?.atK[0]?.passHatK }],
    });
    expect(figures).toMatchObject({ units: 3, attempts: 6, notEvaluated: 0, costUsd: alone.costUsdPerAttempt });
    expect(figures.domains.map(({ name, units: n }) => [name, n])).toEqual([['food', 3]]);
    expect(values.success).toEqual([1, 1]);
    expect(computeEntryFiguresAndUnitValues('a', open(), null).values.success).toEqual([1, 1, 0]);
    expect(values['pass-hat-4']).toEqual([null, null]);
  });

  test('have no cost if there was no price or no token was seen', () => {
    const paying = (costUsd: number, tokens = 1) =>
      computeEntryFiguresAndUnitValues(
        'a',
        open(
          cases.slice(0, 3).map((each) => ({
            ...each,
            attempts: {
              source: spending(attemptOf(each, 'source'), costUsd, tokens),
              followUp: spending(attemptOf(each, 'followUp'), costUsd, tokens),
            },
          })),
        ),
        null,
      ).figures;
    expect(paying(0)).toMatchObject({ costUsd: null, tokens: 2 });
    expect(paying(0.5)).toMatchObject({ costUsd: 0.5, tokens: 2 });
    expect(paying(0.5, 0)).toMatchObject({ costUsd: null, tokens: null });
  });

  test('show the private units separately, with the gap', () => {
    const hidden = computeEntryFiguresAndUnitValues('a', open(), closed).figures.private;
    expect(hidden).toMatchObject({ units: 2, attempts: 4, scores: { success: { mean: 1 } } });
    expect(hidden?.gap.success?.difference).toBeCloseTo(-1 / 3);
    expect(hidden?.gap.tcs).toMatchObject({ difference: 0, low: 0, high: 0 });
    expect(computeEntryFiguresAndUnitValues('a', open(), null).figures.private).toBeNull();
  });
});

describe('the values by which entries are compared', () => {
  test('cover every unit in the order of ids, scored or not', () => {
    const cases = [caseAt('u2', silent), caseAt('u3', { tools: null })];
    const basis = basisOf(cases, { units: units('u3', 'u1', 'u2') });
    expect(listUnitValuesByMetric('a', basis).success).toEqual([null, 1, null]);
    expect(unitScoresInIdOrder('a', basis, 'tcs')).toEqual([null, 0, null]);
    expect(unitScoresInIdOrder('a', basis, 'mtc')).toEqual([null, null, null]);
    expect(unitScoresInIdOrder('a', basis, 'execution')).toEqual([null, 0, null]);
  });

  test('count four trials that all pass', () => {
    const cases = [1, 2, 3, 4].flatMap((trial) => [
      caseAt('u1', passing, trial),
      caseAt('u2', trial === 1 ? failing : passing, trial),
    ]);
    const values = listUnitValuesByMetric('a', basisOf(cases, { units: units('u1', 'u2') }));
    expect(values['pass-hat-4']).toEqual([1, 0]);
    expect(values.success).toEqual([1, 0.75]);
  });
});
