import { describe, expect, it } from 'vitest';
import { caseAfterStageResult, evaluationCase, newCase } from '#core/evaluation/case.ts';
import { caseWithoutTextsOfAttempts, traceWithoutTexts } from '#core/evaluation/delete-texts.ts';
import { makeScore } from '#core/scoring/score.ts';
import { trace, type Trace } from '#core/traces/trace.ts';

const at = '2026-02-01T00:00:00.000Z';
const whole: Trace = trace.parse({
  steps: [
    {
      tool: 'fruit/apple',
      arguments: { code: 'SECRET' },
      outcome: 'success',
      text: 'SECRET',
      truncated: false,
      summary: 'SECRET',
      sha256: 'a'.repeat(64),
      fault: null,
      failure: null,
      turn: 1,
      turnTokens: 7,
      latencyMs: 3,
    },
    {
      tool: 'fruit/pear',
      arguments: {},
      outcome: 'failure',
      text: 'SECRET',
      truncated: false,
      sha256: 'b'.repeat(64),
      code: -32602,
      fault: null,
      failure: { source: 'model', class: 'precondition-violation', why: 'SECRET' },
      turn: 2,
      turnTokens: 7,
      latencyMs: 3,
    },
  ],
  routes: [
    { query: 'SECRET', server: 'SECRET', tools: [{ name: 'fruit/apple', fit: 1 }], after: 0, turn: 1, latencyMs: 1 },
  ],
  finalText: 'SECRET',
  end: 'answered',
  fault: null,
  turns: 3,
  promptTokens: 10,
  completionTokens: 2,
  costUsd: 0.5,
  durationMs: 9,
  checks: [{ held: true, why: 'SECRET' }],
});

const judged = () => {
  const place = { id: 'u.a.01', unit: 'u', agent: 'a', trial: 1, requests: ['source', 'followUp'] };
  const basis = { chain: ['fruit/apple'], origins: [], judges: true, request: 'Do it' };
  const made = ['source', 'followUp'].reduce(
    (each, side) => caseAfterStageResult(each, { kind: 'attempt', side, trace: whole, fault: null, calls: [] }, basis),
    newCase(place),
  );
  const votes = [{ judge: 'j', verdict: true, reason: null, why: 'SECRET' }];
  const score = { ...makeScore(1, { achieved: [true], reasons: ['SECRET'], share: 0.5 }, 'SECRET'), votes };
  return ['source', 'followUp'].reduce(
    (each, side) =>
      caseAfterStageResult(
        each,
        { kind: 'judgement', side, scores: { success: score }, classes: [], calls: [] },
        basis,
      ),
    made,
  );
};

describe('deleting texts', () => {
  it('leaves a trace that is one, without any text of the attempt', () => {
    const left = traceWithoutTexts(whole, at);
    expect(trace.parse(left)).toEqual(left);
    expect(JSON.stringify(left)).not.toContain('SECRET');
    expect(left).toMatchObject({ end: 'answered', turns: 3, costUsd: 0.5, textsDeleted: at });
    expect(left.steps.map(({ tool, outcome, sha256, code }) => [tool, outcome, sha256, code])).toEqual(
      whole.steps.map(({ tool, outcome, sha256, code }) => [tool, outcome, sha256, code]),
    );
    expect(left.steps[1]?.failure).toEqual({ source: 'model', class: 'precondition-violation', why: '' });
    expect(traceWithoutTexts(left, at)).toEqual(left);
  });

  it('leaves a case with the scores and counts that it had, and an answer where there was one', () => {
    const before = judged();
    expect(before.stage.kind).toBe('done');
    const left = caseWithoutTextsOfAttempts(before, before.requests, at);
    expect(evaluationCase.parse(left)).toEqual(left);
    expect(JSON.stringify(left)).not.toContain('SECRET');
    expect(left.attempts['source']).toMatchObject({ response: '[deleted]', textsDeleted: at });
    expect(left.attempts['source']?.scores.success).toEqual({
      value: 1,
      parts: { achieved: [true], reasons: [], share: 0.5 },
      explanation: '',
      votes: [{ judge: 'j', verdict: true, reason: null, why: '' }],
    });
    expect(left.attempts['source']?.calls).toEqual(before.attempts['source']?.calls);
  });

  it('touches only the wanted attempts, and none twice', () => {
    const before = judged();
    const half = caseWithoutTextsOfAttempts(before, ['source'], at);
    expect(half.attempts['followUp']).toEqual(before.attempts['followUp']);
    const later = caseWithoutTextsOfAttempts(half, before.requests, '2027-01-01T00:00:00.000Z');
    expect(later.attempts['source']).toEqual(half.attempts['source']);
    expect(later.attempts['followUp']?.textsDeleted).toBe('2027-01-01T00:00:00.000Z');
    expect(caseWithoutTextsOfAttempts(later, before.requests, at)).toBe(later);
  });
});
