import { describe, expect, it } from 'vitest';
import { caseAfterStageResult, evaluationCase, type CaseResult, type EvaluationCase } from '#core/evaluation/case.ts';
import { makeScore, makeUnscored } from '#core/scoring/score.ts';
import { attemptOf, begun, broken, chain, fault, finished, judged, made, traceWith } from './cases.ts';

const advanced = (results: readonly CaseResult[], { judges = true } = {}): EvaluationCase =>
  results.reduce((before, result) => caseAfterStageResult(before, result, { chain, origins: [], judges }), begun());

describe('the progress of a case', () => {
  it('leads through both attempts to both judgements, source first, with one revision per stage', () => {
    const results = [made('source'), made('followUp'), judged('source'), judged('followUp')];
    const stages = results.map((_, at) => advanced(results.slice(0, at)).stage);
    expect(stages).toEqual(results.map(({ kind, side }) => ({ kind, side })));
    const end = advanced(results);
    expect(end).toMatchObject({ stage: { kind: 'done' }, revision: 4, faults: 0 });
    expect(evaluationCase.parse(end)).toEqual(end);
  });

  it('skips the judgements without judges and notes that in the scores', () => {
    const end = advanced([made('source'), made('followUp')], { judges: false });
    expect(end.stage).toEqual({ kind: 'done' });
    expect(attemptOf(end, 'source').scores).toMatchObject({
      tcs: expect.objectContaining({ value: 1 }),
      tfd: expect.objectContaining({ value: 0 }),
      chain: expect.objectContaining({ value: 1 }),
      ar: expect.objectContaining({ value: null, reason: 'judges-off' }),
      uic: expect.objectContaining({ value: null, reason: 'judges-off' }),
      success: expect.objectContaining({ value: null, reason: 'judges-off' }),
    });
  });

  it('does not mistake a pending judgement for missing judges', () => {
    const { scores } = attemptOf(advanced([made('source')]), 'source');
    expect(scores).toMatchObject({ ar: { reason: 'not-judged' }, uic: { reason: 'not-judged' } });
    expect(scores.success).toEqual(expect.objectContaining({ value: null, reason: 'not-judged' }));
  });

  it('refuses a result for another stage', () => {
    for (const wrong of [judged('source'), made('followUp'), judged('followUp')])
      expect(() => advanced([wrong])).toThrow('is not at the');
    expect(() => advanced([made('source'), made('source')])).toThrow('is not at the');
    const end = [made('source'), made('followUp'), judged('source'), judged('followUp')];
    expect(() => advanced([...end, judged('followUp')])).toThrow('is not at the');
  });
});

describe('a case with requests of other names', () => {
  const through = (requests: readonly string[], results: readonly CaseResult[], judges = true) =>
    results.reduce(
      (before, result) => caseAfterStageResult(before, result, { chain, origins: [], judges }),
      begun({ requests }),
    );

  it.each([[['request']], [['concrete', 'fuzzy']], [['one', 'two', 'three']]])(
    'leads through attempts at %s in this order, then judgements',
    (requests) => {
      const results = [...requests.map((name) => made(name)), ...requests.map((name) => judged(name))];
      const stages = results.map((_, at) => through(requests, results.slice(0, at)).stage);
      expect(stages).toEqual(results.map(({ kind, side }) => ({ kind, side })));
      const end = through(requests, results);
      expect(end).toMatchObject({ stage: { kind: 'done' }, revision: results.length });
      expect(Object.keys(end.attempts)).toEqual(requests);
      expect(evaluationCase.parse(end)).toEqual(end);
    },
  );

  it('judges only the attempts that were evaluated', () => {
    const requests = ['concrete', 'fuzzy'];
    const broke = [broken('concrete'), broken('concrete')];
    expect(through(requests, [...broke, made('fuzzy')]).stage).toEqual({ kind: 'judgement', side: 'fuzzy' });
    expect(through(requests, [...broke, made('fuzzy'), judged('fuzzy')]).stage).toEqual({ kind: 'done' });
    expect(through(['request'], [broken('request'), broken('request')]).stage).toEqual({ kind: 'done' });
    expect(through(['request'], [made('request')], false).stage).toEqual({ kind: 'done' });
  });

  it('needs a name, of a bounded form', () => {
    expect(() => begun({ requests: [] })).toThrow('has no request');
    for (const name of ['', 'Source', '__proto__', 'a.b', 'a'.repeat(41)])
      expect(evaluationCase.safeParse(begun({ requests: [name] })).success).toBe(false);
  });
});

describe('the response of an attempt', () => {
  const request = 'Please look up order 20261121.';
  const saying = (finalText: string, steps = traceWith(chain).steps, of: string | undefined = request) =>
    attemptOf(
      caseAfterStageResult(
        begun(),
        { ...made('source'), trace: traceWith([], { steps, finalText }) },
        { chain, origins: [], request: of, judges: false },
      ),
      'source',
    ).unreturned;

  it('is searched for values that no tool returned', () => {
    expect(saying('Order 20261121 is done.')).toBe(false);
    expect(saying('It costs 98765432.')).toBe(true);
    const returned = traceWith(chain).steps.map((step) => ({ ...step, text: 'costs 98765432' }));
    expect(saying('It costs 98765432.', returned)).toBe(false);
  });

  it('says nothing if it is empty, a result was cut or the request is unknown', () => {
    const cut = traceWith(chain).steps.map((step) => ({ ...step, truncated: true }));
    expect(saying(' ')).toBeNull();
    expect(saying('It costs 98765432.', cut)).toBeNull();
    expect(attemptOf(advanced([made('source')]), 'source').unreturned).toBeNull();
    expect(attemptOf(advanced([broken('source'), broken('source')]), 'source').unreturned).toBeNull();
  });
});

describe('an infrastructure fault in an attempt', () => {
  it('has the attempt repeated once, which then counts like any other', () => {
    const relaunched = advanced([broken('source')]);
    expect(relaunched).toMatchObject({ stage: { kind: 'attempt', side: 'source' }, faults: 1, revision: 1 });
    expect(relaunched.attempts).toEqual({});
    const again = advanced([broken('source'), made('source')]);
    expect(again).toMatchObject({ stage: { kind: 'attempt', side: 'followUp' }, faults: 0 });
    expect(attemptOf(again, 'source')).toMatchObject({ evaluated: true, relaunched: true, fault: null });
    expect(attemptOf(again, 'source').usage).toMatchObject({ calls: 2, costUsd: 1 });
    expect(attemptOf(again, 'source').scores.tcs).toEqual(expect.objectContaining({ value: 1 }));
  });

  it('leaves the attempt not evaluated after the second time: unscored and unjudged, while the other request continues', () => {
    const twice = advanced([broken('source'), broken('source')]);
    expect(twice.stage).toEqual({ kind: 'attempt', side: 'followUp' });
    const attempt = attemptOf(twice, 'source');
    expect(attempt).toMatchObject({ evaluated: false, relaunched: true, fault, end: 'fault' });
    expect(
      new Set(Object.values(attempt.scores).map((score) => (score.value === null ? score.reason : score.value))),
    ).toEqual(new Set(['not-evaluated']));
  });

  it('is counted for each request separately', () => {
    const both = advanced([broken('source'), made('source'), broken('followUp')]);
    expect(both).toMatchObject({ stage: { kind: 'attempt', side: 'followUp' }, faults: 1 });
    const end = finished({ unit: 'u', agent: 'a' }, { tools: chain }, { tools: null });
    expect(end.stage).toEqual({ kind: 'done' });
    expect([attemptOf(end, 'source').evaluated, attemptOf(end, 'followUp').evaluated]).toEqual([true, false]);
  });

  it('is not retried if it is permanent', () => {
    const missed = { ...broken('source'), fault: { ...fault, code: 'replay-miss' as const } };
    const once = advanced([missed]);
    expect(once.stage).toEqual({ kind: 'attempt', side: 'followUp' });
    expect(attemptOf(once, 'source')).toMatchObject({ evaluated: false, relaunched: false });
  });

  it('gives the judges nothing to do, even without judges', () => {
    const end = advanced([broken('source'), broken('source'), made('followUp')], { judges: false });
    expect(end.stage).toEqual({ kind: 'done' });
    expect(attemptOf(end, 'source').scores.ar).toEqual(
      expect.objectContaining({ value: null, reason: 'not-evaluated' }),
    );
  });
});

describe('the scores of an attempt', () => {
  it('follow from chain, trace and judge', () => {
    const end = advanced([
      made('source', ['fruit/pear', 'fruit/apple!', 'made-up!']),
      made('followUp'),
      judged('source', { ar: makeScore(0.25, {}), uic: makeScore(0.5, {}), success: makeScore(0, {}) }),
    ]);
    const { scores, calls, usage } = attemptOf(end, 'source');
    expect(calls.map(({ outcome }) => outcome)).toEqual(['success', 'failure', 'failure']);
    for (const metric of [scores.tcs, scores.tfd]) {
      const { value } = metric;
      expect(value).toBeGreaterThan(0);
      expect(value).toBeLessThan(1);
    }
    expect([scores.ar, scores.uic, scores.success].map(({ value }) => value)).toEqual([0.25, 0.5, 0]);
    expect(usage).toEqual({ calls: 1, promptTokens: 10, completionTokens: 2, costUsd: 0.5 });
    expect(end.judgeUsage).toEqual({ calls: 1, promptTokens: 10, completionTokens: 2, costUsd: 0.5 });
  });

  it('stay missing if the judge gave none', () => {
    const none = makeUnscored('judge-unparsed', {});
    const end = advanced([made('source'), made('followUp'), judged('source', { ar: none, uic: none, success: none })]);
    expect(attemptOf(end, 'source').scores).toMatchObject({
      tcs: expect.objectContaining({ value: 1 }),
      ar: expect.objectContaining({ value: null, reason: 'judge-unparsed' }),
      uic: expect.objectContaining({ value: null, reason: 'judge-unparsed' }),
      success: expect.objectContaining({ value: null, reason: 'judge-unparsed' }),
    });
  });

  it.each([
    makeScore(0, {}),
    makeScore(0.3, { judge: 0.3 }, 'so'),
    makeUnscored('judge-refused', { cosines: [0.5, 1] }),
  ])('keep parts, reason and explanation: %o', (given) => {
    const end = advanced([made('source'), made('followUp'), judged('source', { ar: given })]);
    expect(attemptOf(evaluationCase.parse(end), 'source').scores.ar).toEqual(given);
  });
});
