import { describe, expect, it } from 'vitest';
import { exportedCase } from '#core/evaluation/export.ts';
import { upgradeStoredCase, storedCase } from '#core/evaluation/stored-case.ts';
import { compileSchemaCheck } from '#core/values/form-check.ts';
import { begun, chain, finished } from './cases.ts';

const done = finished({ unit: 'u', agent: 'a' }, { tools: chain });

/** A case as release 0.2.0 stored it. */
const { scores: _scores, requests: _requests, ...withoutScores } = done;
const in020 = {
  ...withoutScores,
  attempts: Object.fromEntries(
    Object.entries(done.attempts).map(([side, attempt]) => [
      side,
      {
        ...attempt,
        scores: {
          tcs: { scored: true, value: 0.5 },
          tfd: { scored: false, reason: 'no-calls' },
          ar: { scored: false, reason: 'judge-refused' },
          uic: { scored: true, value: 0 },
        },
      },
    ]),
  ),
};

describe('a stored case', () => {
  it('is read as it was written', () => {
    for (const each of [done, begun()]) expect(storedCase.parse(JSON.parse(JSON.stringify(each)))).toEqual(each);
  });

  it('of release 0.2.0 is read with its scores, without parts', () => {
    expect(storedCase.parse(in020).attempts.source?.scores).toMatchObject({
      tcs: { value: 0.5, parts: {}, explanation: '' },
      tfd: { value: null, reason: 'no-calls', parts: {} },
      ar: { value: null, reason: 'judge-refused' },
      uic: { value: 0 },
    });
  });

  it('has the reason "earlier-release" for a scorer that came later', () => {
    expect(storedCase.parse(in020).attempts.source?.scores.success).toMatchObject({
      value: null,
      reason: 'earlier-release',
    });
  });

  it('keeps the scores of the case as a whole, but for those of scorers that are gone', () => {
    const score = { value: 1, parts: { sa: 1 }, explanation: '' };
    const gone = { ...done, scores: { mtc: score, retired: score } };
    expect(storedCase.parse(gone).scores).toEqual({ mtc: score });
    expect(storedCase.parse(in020).scores).toEqual({});
  });

  it('of a release that knew only two requests has their names, and no attempt that was not made', () => {
    expect(storedCase.parse(in020).requests).toEqual(['source', 'followUp']);
    const { requests: _, ...half } = { ...done, attempts: { source: done.attempts['source'], followUp: null } };
    expect(storedCase.parse(half)).toEqual({ ...done, attempts: { source: done.attempts['source'] } });
    expect(storedCase.parse({ ...half, attempts: { source: null, followUp: null } }).attempts).toEqual({});
  });

  it('that was not searched for unreturned values says that it is unknown', () => {
    const { unreturned: _, ...attempt } = done.attempts['source'] ?? expect.fail('no attempt');
    const earlier = { ...done, attempts: { source: attempt } };
    expect(storedCase.parse(earlier).attempts['source']?.unreturned).toBeNull();
    expect(compileSchemaCheck(exportedCase)(upgradeStoredCase(earlier))).toBe(true);
    const known = { ...done, attempts: { source: { ...attempt, unreturned: true } } };
    expect(storedCase.parse(known).attempts['source']?.unreturned).toBe(true);
  });

  it('of release 0.2.0 can be exported', () => {
    expect(compileSchemaCheck(exportedCase)(upgradeStoredCase(in020))).toBe(true);
    expect(compileSchemaCheck(exportedCase)(in020)).toBe(false);
  });

  it('of a wrong form is refused', () => {
    for (const wrong of [null, 'text', [], { ...done, attempts: null }, { ...done, unit: 1 }])
      expect(storedCase.safeParse(wrong).success).toBe(false);
  });
});
