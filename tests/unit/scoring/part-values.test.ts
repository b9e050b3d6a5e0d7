import { describe, expect, it } from 'vitest';
import { partAsNumberOrNull, casePartValues } from '#core/evaluation/case-figures.ts';
import { makeScore, makeUnscored, type Score } from '#core/scoring/score.ts';
import { buildRecordByAttemptScorer, scoreParts, scorers } from '#core/evaluation/scorers.ts';

const attempt = (scores: Readonly<Record<string, Score>>) =>
  buildRecordByAttemptScorer((key) => scores[key] ?? makeUnscored('judges-off', {}));
const valueOf = (values: readonly (number | null)[], scorer: string, part: string) =>
  values[scoreParts.findIndex((each) => each.scorer === scorer && each.key === part)];

describe('a part as a number', () => {
  it('is a number as it is, the mean of a list, and 1 or 0 for yes or no', () => {
    expect(partAsNumberOrNull(0.25)).toBe(0.25);
    expect(partAsNumberOrNull([0.5, 1])).toBe(0.75);
    expect(partAsNumberOrNull([true, false, false, true])).toBe(0.5);
    expect([partAsNumberOrNull(true), partAsNumberOrNull(false)]).toEqual([1, 0]);
  });

  it('is none if the part is absent, empty or a list of texts', () => {
    for (const part of [undefined, null, [], ['a reason']]) expect(partAsNumberOrNull(part)).toBeNull();
  });
});

describe('the parts of a case', () => {
  const tcs = (recall: number, precision: number) => makeScore((recall + precision) / 2, { recall, precision });

  it('are the means of its attempts, and those of the whole case', () => {
    const mtc = makeScore(0.8, { sa: 1, so: 0.5, pa: 0.25, fa: 0 });
    const attempts = [attempt({ tcs: tcs(1, 0.5) }), attempt({ tcs: tcs(0.5, 0) })];
    const values = casePartValues(attempts, { tcs: makeScore(0.5, {}), mtc });
    expect([valueOf(values, 'tcs', 'recall'), valueOf(values, 'tcs', 'precision')]).toEqual([0.75, 0.25]);
    expect(['sa', 'so', 'pa', 'fa'].map((part) => valueOf(values, 'mtc', part))).toEqual([1, 0.5, 0.25, 0]);
    expect(valueOf(values, 'ar', 'judge')).toBeNull();
  });

  it('leave out attempts that lack a part, such as the grade of an answer that was not given', () => {
    const silent = makeScore(0, { judge: null, cosines: null, answered: false });
    const graded = makeScore(0.6, { judge: 0.8, cosines: [0.3, 0.5], answered: true });
    const values = casePartValues([attempt({ ar: silent }), attempt({ ar: graded })], { ar: makeScore(0.3, {}) });
    expect([valueOf(values, 'ar', 'judge'), valueOf(values, 'ar', 'cosines')]).toEqual([0.8, 0.4]);
  });

  it('are none where the case has no score, although an attempt has one', () => {
    const attempts = [attempt({ tcs: tcs(1, 1) }), attempt({})];
    const values = casePartValues(attempts, { tcs: makeUnscored('not-judged', {}) });
    expect(new Set(values)).toEqual(new Set([null]));
  });
});

it('every scorer names its parts once', () => {
  for (const { parts } of scorers) expect(new Set(parts.map(({ key }) => key)).size).toBe(parts.length);
  expect(scoreParts.filter(({ scorer }) => scorer === 'mtc').map(({ title }) => title)).toEqual([
    'SA',
    'SO',
    'PA',
    'FA',
  ]);
});
