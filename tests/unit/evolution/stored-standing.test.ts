import { expect, test } from 'vitest';
import { upgradeStoredStanding } from '#core/exploration/evolution/stored-standing.ts';

test('the state of an evolution of an earlier release is read with the present names', () => {
  const stored = { status: 'running', surveyedTo: 'r2-3', surveyed: 50, kept: 48 };
  expect(upgradeStoredStanding(stored)).toEqual({ status: 'running', comparedUpTo: 'r2-3', compared: 50, kept: 48 });
  expect(upgradeStoredStanding({ ...stored, surveyedTo: null })).toMatchObject({ comparedUpTo: null, compared: 50 });
});

test('a state of this release, and what is no state, stays as it is', () => {
  for (const stored of [{ status: 'running', comparedUpTo: null, compared: 50 }, null, 'text', []])
    expect(upgradeStoredStanding(stored)).toBe(stored);
});
