import { describe, expect, it } from 'vitest';
import {
  findReasonOfFailureByRule,
  success,
  getVerdictSchemaForGoalCount,
  scoreSuccess,
  type SuccessVerdict,
} from '#core/scoring/success.ts';
import { defaultScoring } from '#core/scoring/parameters.ts';
import { minScoreOverAttempts } from '#core/scoring/means.ts';
import { makeScore, makeUnscored, type Judged } from '#core/scoring/score.ts';
import type { Judges } from '#core/scoring/scorer.ts';
import { traceOf } from './steps.ts';

const verdict = (...achieved: readonly boolean[]): SuccessVerdict => ({
  goals: achieved.map((each, at) => ({ goal: at + 1, why: `goal ${at + 1}`, achieved: each })),
  why: 'The results say so.',
  success: achieved.every(Boolean),
});
const given = (value: SuccessVerdict): Judged<SuccessVerdict> => ({ ok: true, value });
const attempt = (finalText: string, ...tools: readonly string[]) => ({ ...traceOf(...tools), finalText });

/** Judges that answer every question with this, and note what they are asked. */
function notingJudges(answer: unknown): { readonly judges: Judges; readonly asked: Record<string, unknown>[] } {
  const asked: Record<string, unknown>[] = [];
  const judges: Judges = {
    async ask({ schema }, variables) {
      asked.push({ ...variables });
      const parsed = schema.safeParse(answer);
      return parsed.success ? { ok: true, value: parsed.data } : { ok: false, reason: 'judge-unparsed' };
    },
    soleJudge: null,
    askPanel: async (question, variables) => [{ judge: 'judge', answer: await judges.ask(question, variables) }],
    embed: async () => ({ ok: false, reason: 'embedder-unreachable' }),
    getSubIntents: async () => ({ ok: true, value: ['Find an apple', 'Weigh it'] }),
  };
  return { judges, asked };
}

async function scoreWith(answer: unknown, made: ReturnType<typeof attempt>) {
  const { judges, asked } = notingJudges(answer);
  const grading = await success.grade(
    {
      request: 'Find and weigh an apple.',
      response: made.finalText,
      steps: made.steps,
      scoring: defaultScoring,
      sawWholeResults: false,
    },
    judges,
  );
  const scoreOf = () => makeUnscored('not-judged', {});
  return {
    score: grading({ scoring: defaultScoring, chain: ['fruit/apple'], origins: [], trace: made, scoreOf }),
    asked,
  };
}

describe('success', () => {
  it("is the judge's verdict, with the reasons for it", () => {
    const made = attempt('It weighs 120 g.', 'fruit/apple', 'fruit/scale');
    expect(scoreSuccess(made, given(verdict(true, true)))).toEqual({
      value: 1,
      parts: { achieved: [true, true], reasons: ['goal 1', 'goal 2'], succeededCalls: 2, answered: true },
      explanation: 'The results say so.',
    });
    expect(scoreSuccess(made, given(verdict(true, false)))).toMatchObject({
      value: 0,
      parts: { achieved: [true, false] },
    });
  });

  it('fails by rule without an answer or without a successful call, whatever the judge says', () => {
    const praise = given(verdict(true, true));
    expect(scoreSuccess(attempt(' \n', 'fruit/apple'), praise)).toMatchObject({
      value: 0,
      explanation: 'The agent gave no answer.',
    });
    for (const tools of [[], ['fruit/apple!'], ['fruit/apple?', 'fruit/pear!']])
      expect(scoreSuccess(attempt('It weighs 120 g.', ...tools), praise)).toMatchObject({
        value: 0,
        explanation: 'No call succeeded, so no tool gave what the answer says.',
      });
    expect(findReasonOfFailureByRule(attempt('It weighs 120 g.', 'fruit/apple!', 'fruit/apple'))).toBeNull();
  });

  it('asks no judge about what a rule decides', async () => {
    const { score, asked } = await scoreWith(
      verdict(true, true),
      attempt('I know that it weighs 120 g.', 'fruit/apple!'),
    );
    expect(asked).toEqual([]);
    expect(score.value).toBe(0);
  });

  it('shows the judge request, goals, calls with arguments and answer', async () => {
    const { score, asked } = await scoreWith(verdict(true, true), attempt('120 g.', 'fruit/apple', 'fruit/scale!'));
    expect(score.value).toBe(1);
    expect(asked).toEqual([
      {
        request: 'Find and weigh an apple.',
        goals: ['Find an apple', 'Weigh it'],
        calls: [
          { call: 1, tool: 'fruit/apple', arguments: {}, outcome: 'success', result: '' },
          { call: 2, tool: 'fruit/scale', arguments: {}, outcome: 'failure', result: '' },
        ],
        leftOut: 'none',
        response: '120 g.',
      },
    ]);
  });

  it.each([
    { name: 'prose', answer: 'It was a success.' },
    { name: 'a verdict on too few goals', answer: verdict(true) },
    {
      name: 'verdicts out of order',
      answer: { ...verdict(true, true), goals: verdict(true, true).goals.toReversed() },
    },
    { name: 'a success with a missed goal', answer: { ...verdict(true, false), success: true } },
    { name: 'a verdict without reasons', answer: { success: true } },
  ])('is unscored, neither 0 nor 1, after $name', async ({ answer }) => {
    const { score } = await scoreWith(answer, attempt('120 g.', 'fruit/apple'));
    expect(score).toMatchObject({ value: null, reason: 'judge-unparsed' });
  });

  it('may fail although every goal was achieved', () => {
    const invented = { ...verdict(true), success: false };
    expect(getVerdictSchemaForGoalCount(1)?.safeParse(invented).success).toBe(true);
    expect(scoreSuccess(attempt('x', 'fruit/apple'), given(invented)).value).toBe(0);
    expect([0, 11].map(getVerdictSchemaForGoalCount)).toEqual([undefined, undefined]);
  });

  it('keeps a long reason short', () => {
    const long = { ...verdict(true), why: 'so '.repeat(600) };
    expect(scoreSuccess(attempt('x', 'fruit/apple'), given(long)).explanation.length).toBeLessThanOrEqual(601);
  });
});

describe('the success of a case', () => {
  const one = makeScore(1, {});
  const zero = makeScore(0, {});
  it('needs all attempts', () => {
    expect(minScoreOverAttempts({ source: one, followUp: one })).toMatchObject({
      value: 1,
      parts: { source: 1, followUp: 1 },
    });
    expect(minScoreOverAttempts({ source: one, followUp: zero })).toMatchObject({ value: 0 });
    expect(minScoreOverAttempts({ request: one })).toMatchObject({ value: 1 });
  });

  it('is unscored while an attempt is, even if the other one failed', () => {
    const open = makeUnscored('judge-unparsed', {});
    expect(minScoreOverAttempts({ source: zero, followUp: open })).toMatchObject({
      value: null,
      reason: 'judge-unparsed',
      parts: { source: 0, followUp: null },
    });
  });
});
