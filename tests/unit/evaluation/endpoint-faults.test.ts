import { describe, expect, test } from 'vitest';
import { caseAfterStageResult, type CaseResult } from '#core/evaluation/case.ts';
import { countCountedFaults, isEndpointFault, resultWithCountedFault } from '#core/evaluation/endpoint-faults.ts';
import { attemptOf, begun, broken, chain } from './cases.ts';

const about = { chain, origins: [], judges: true };
const fault = { where: 'model', name: 'agent', code: 'http-status', detail: 'HTTP status 500' } as const;
const brokenByModel: CaseResult = { ...broken('source'), fault };

describe('an attempt that the endpoint of a submission breaks', () => {
  test('is made again once', () => {
    const after = caseAfterStageResult(begun(), resultWithCountedFault(brokenByModel, 0), about);
    expect(after).toMatchObject({ stage: { kind: 'attempt', side: 'source' }, faults: 1 });
    expect(countCountedFaults(1)).toBe(0);
  });

  test('counts as a failure from the second one on, and keeps what broke it', () => {
    const after = caseAfterStageResult(begun(), resultWithCountedFault(brokenByModel, 1), about);
    expect(after.stage).not.toEqual({ kind: 'attempt', side: 'source' });
    expect(attemptOf(after, 'source')).toMatchObject({ evaluated: true, relaunched: false, end: 'refused', fault });
    expect(attemptOf(after, 'source').scores.tcs?.value).not.toBeNull();
    expect(countCountedFaults(2)).toBe(1);
  });

  test('is no fault of a server, of a judge or of an attempt that was made elsewhere', () => {
    const others: CaseResult[] = [
      broken('source'),
      { ...broken('source'), fault: { ...fault, name: 'judge' } },
      { ...broken('source'), fault, elsewhere: { relaunched: false } },
    ];
    for (const other of others) {
      expect(isEndpointFault(other)).toBe(false);
      expect(resultWithCountedFault(other, 9)).toBe(other);
    }
  });
});
