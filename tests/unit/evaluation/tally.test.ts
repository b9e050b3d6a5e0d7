import { describe, expect, test } from 'vitest';
import { evaluationEndReasonOrNull, evaluationEndStatusAndReason } from '#core/evaluation/tally.ts';

const under = { attempts: 8, made: 4, notEvaluated: 0, relaunched: 0, units: 2, unitsDone: 1 };
const spent = { tokens: 999, costUsd: 0, wallMs: 0, writes: 0 };

describe('an evaluation', () => {
  test('is over when all its units are done, even if its budget is used up too', () => {
    expect(evaluationEndReasonOrNull({ ...under, unitsDone: 2 }, { tokens: 1 }, spent)).toBe('all attempts were made');
  });

  test('is over when a part of its budget is used up', () => {
    expect(evaluationEndReasonOrNull(under, { tokens: 1_000 }, spent)).toBeNull();
    expect(evaluationEndReasonOrNull(under, { tokens: 1_000 }, { ...spent, tokens: 1_000 })).toBe(
      'budget: tokens used up',
    );
    expect(evaluationEndReasonOrNull(under, {}, { ...spent, tokens: 1e9 })).toBeNull();
  });

  test('has failed if faults broke every attempt, and only then', () => {
    expect(evaluationEndStatusAndReason({ ...under, notEvaluated: 4 }, 'why')).toEqual({
      status: 'failed',
      reason: 'faults broke every attempt (why)',
    });
    expect(evaluationEndStatusAndReason({ ...under, notEvaluated: 3 }, 'why')).toEqual({
      status: 'completed',
      reason: 'why',
    });
    expect(evaluationEndStatusAndReason({ ...under, made: 0 }, 'why').status).toBe('completed');
  });
});
