import { describe, expect, it } from 'vitest';
import { makeSentStep } from '#agents/steps.ts';
import { caseAfterStageResult } from '#core/evaluation/case.ts';
import {
  countEvaluatedCallsByTool,
  listExecutedTransitionsOfCase,
  makeFiguresOfFinishedCaseOrNull,
} from '#core/evaluation/case-figures.ts';
import { hasFailed } from '#core/traces/step-outcome.ts';
import { scoreChainCompletion } from '#core/scoring/chain.ts';
import { findReasonOfFailureByRule } from '#core/scoring/success.ts';
import { makeScore } from '#core/scoring/score.ts';
import { judgedKeys, scoresChangedByJudging } from '#core/evaluation/attempt-scores.ts';
import { scoreFaultDensity } from '#core/scoring/tfd.ts';
import {
  traceWithFailuresClassifiedByRules,
  mayJudgeDecideStep,
  traceWithJudgedFailures,
} from '#core/traces/classify-trace.ts';
import { listCallsWithSuccessFlag, valuePassingTransitions } from '#core/traces/tool-sequence.ts';
import { step as stepForm, type Step } from '#core/traces/trace.ts';
import { begun, judged, traceWith } from '../evaluation/cases.ts';
import { stepFrom } from '../scoring/steps.ts';

const call = { tool: 's/find', arguments: {}, latencyMs: 1, turn: 1, turnTokens: null };
const stepWith = (text: string, more: Partial<Step> = {}): Step => ({
  ...makeSentStep({ ...call, outcome: { kind: 'success', text, truncated: false, sha256: 'a'.repeat(64) } }),
  ...more,
});
const honest = stepWith('{"id":"alpha7"}');
const reporting = stepWith('Error: no such note alpha7', { tool: 's/note' });

describe('a step whose server marked its error as a success', () => {
  it('keeps the outcome and says by which rule it is an error', () => {
    expect(reporting).toMatchObject({
      outcome: 'success',
      reported: { rule: 'error-prefix' },
      failure: { source: 'undecided' },
    });
    expect(honest).toMatchObject({ outcome: 'success', failure: null });
    expect(honest.reported).toBeUndefined();
    for (const each of [honest, reporting]) expect(stepForm.parse(each)).toEqual(each);
  });

  it('is found in the whole text, of which the trace has an excerpt', () => {
    const items = Array.from({ length: 400 }, (_, n) => ({
      path: `file ${n}`,
      success: false,
      error: 'Path not found',
    }));
    expect(stepWith(JSON.stringify(items))).toMatchObject({ truncated: true, reported: { rule: 'all-failed' } });
  });

  it('needs a class like any failure, and no other outcome can have it', () => {
    expect(stepForm.safeParse({ ...reporting, failure: null }).success).toBe(false);
    expect(stepForm.safeParse({ ...stepFrom('s/find!'), reported: { rule: 'x' } }).success).toBe(false);
    expect(stepForm.safeParse({ ...reporting, reported: { rule: 'x', judged: 'overruled' } }).success).toBe(false);
  });

  it('gets its class by the same rules', () => {
    const context = { toolExists: true, unknownKeys: [], violatesSchema: false };
    const sorted = traceWithFailuresClassifiedByRules(
      traceWith([], { steps: [stepWith('Error: getaddrinfo ENOTFOUND a.b')] }),
      () => context,
    );
    expect(sorted.steps[0]?.failure).toMatchObject({ source: 'rule', class: 'network-instability' });
  });

  it('is no success anywhere', () => {
    const steps = [honest, reporting, { ...honest, tool: 's/next', arguments: { id: 'alpha7' }, turn: 2 }];
    expect(listCallsWithSuccessFlag({ steps }).map(({ ok }) => ok)).toEqual([true, false, true]);
    expect(valuePassingTransitions({ steps }, 'do it')).toEqual([['s/find', 's/next']]);
    expect(scoreFaultDensity({ steps }).value).toBeCloseTo(1 / 3);
    expect(scoreChainCompletion(['s/find', 's/note'], [], steps).value).toBe(0);
    expect(findReasonOfFailureByRule({ steps: steps.filter(hasFailed), finalText: 'It is done.' })).not.toBeNull();
    const after = caseAfterStageResult(
      begun(),
      { kind: 'attempt', side: 'source', trace: traceWith([], { steps }), fault: null, calls: [] },
      { chain: ['s/find'], origins: [], judges: true },
    );
    expect(listExecutedTransitionsOfCase(after)).toEqual([['s/find', 's/next']]);
    expect(countEvaluatedCallsByTool(after).get('s/note')).toEqual({ calls: 1, failed: 1, spoilt: 0, reported: 1 });
  });
});

describe('a judge', () => {
  const trace = traceWith([], { steps: [honest, reporting, stepFrom('s/find!')] });
  const why = 'so';

  it('confirms a reported error and names its cause', () => {
    const after = traceWithJudgedFailures(trace, [{ step: 1, class: 'invalid-artifact-reference', why }]);
    expect(after.steps[1]).toMatchObject({
      reported: { rule: 'error-prefix', judged: 'confirmed' },
      failure: { source: 'model', class: 'invalid-artifact-reference' },
    });
  });

  it('overrules a rule, which makes the call a success again', () => {
    const after = traceWithJudgedFailures(trace, [{ step: 1, class: 'no-failure', why }]);
    expect(after.steps[1]).toMatchObject({ reported: { judged: 'overruled' }, failure: null });
    expect(after.steps.every((each) => stepForm.safeParse(each).success)).toBe(true);
    expect(traceWithJudgedFailures(after, [{ step: 1, class: 'no-failure', why }])).toEqual(after);
    const gradings = new Map(judgedKeys.map((key) => [key, () => makeScore(1, {})]));
    expect(scoresChangedByJudging({ chain: [], origins: [], trace: after }, gradings).tfd?.value).toBeCloseTo(1 / 3);
  });

  it('may say that the cause is unclear, which stays undecided with its reason', () => {
    const after = traceWithJudgedFailures(trace, [
      { step: 1, class: 'unclear', why },
      { step: 2, class: 'unclear', why },
    ]);
    expect(after.steps[1]).toMatchObject({ reported: { judged: 'confirmed' }, failure: { source: 'undecided', why } });
    expect(after.steps[2]?.failure).toEqual({ source: 'undecided', why });
  });

  it('cannot make a success of what the server marked as an error', () => {
    const after = traceWithJudgedFailures(trace, [{ step: 2, class: 'no-failure', why }]);
    expect(after.steps[2]).toMatchObject({ outcome: 'failure', failure: { source: 'undecided', why } });
  });

  it('is asked about reported errors even if a rule knows their class, and only once', () => {
    const sorted = { ...reporting, failure: { source: 'rule', class: 'network-instability', rule: 'x' } } as const;
    expect([honest, reporting, sorted, stepFrom('s/find!')].map(mayJudgeDecideStep)).toEqual([false, true, true, true]);
    const [after] = traceWithJudgedFailures({ ...trace, steps: [sorted] }, [{ step: 0, class: 'unclear', why }]).steps;
    expect(after).toMatchObject({ reported: { judged: 'confirmed' }, failure: { source: 'rule' } });
    expect(after === undefined ? null : mayJudgeDecideStep(after)).toBe(false);
  });

  it('changes the calls of the case too', () => {
    const made = (['source', 'followUp'] as const).reduce(
      (each, side) =>
        caseAfterStageResult(
          each,
          { kind: 'attempt', side, trace, fault: null, calls: [] },
          { chain: ['s/find'], origins: [], judges: true },
        ),
      begun(),
    );
    const result = { ...judged('source'), classes: [{ step: 1, class: 'no-failure' as const, why }] };
    const first = caseAfterStageResult(made, result, { chain: ['s/find'], origins: [], judges: true });
    const done = caseAfterStageResult(first, judged('followUp'), { chain: ['s/find'], origins: [], judges: true });
    expect(done.attempts.source?.calls[1]).toMatchObject({ reported: { judged: 'overruled' }, failure: null });
    const figures = makeFiguresOfFinishedCaseOrNull(done, ['s/find'], new Map(), { protocol: 'sgvef' });
    expect(figures?.attempts.map(({ failedCalls, reportedErrors }) => [failedCalls, reportedErrors])).toEqual([
      [1, 0],
      [2, 1],
    ]);
  });
});
