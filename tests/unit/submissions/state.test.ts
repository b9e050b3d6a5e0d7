import { describe, expect, test } from 'vitest';
import { makeSubmissionRefusalProblem } from '#core/leaderboards/submissions/problems.ts';
import { normalizeName, entryName } from '#core/leaderboards/submissions/record.ts';
import {
  needsNoFurtherWork,
  historyWithChangeOrRefusal,
  submissionState,
  type StateChange,
  type SubmissionState,
} from '#core/leaderboards/submissions/state.ts';

const to = (state: SubmissionState): StateChange => ({ state, at: '2026-01-01T00:00:00.000Z', reason: 'so' });

const through = (...states: SubmissionState[]) => {
  let history: StateChange[] = [];
  for (const state of states) {
    const next = historyWithChangeOrRefusal(history, to(state));
    if (!next.ok) return next.problem.reason;
    history = next.value;
  }
  return history.map(({ state }) => state);
};

describe('the states of a submission', () => {
  test.each([
    [['queued', 'validating', 'scoring', 'published', 'hidden', 'published', 'withdrawn']],
    [['queued', 'validating', 'rejected']],
    [['queued', 'validating', 'scoring', 'moderation', 'published']],
    [['queued', 'validating', 'scoring', 'moderation', 'rejected']],
    [['queued', 'withdrawn']],
  ] satisfies [SubmissionState[]][])('include the transition %s', (states) => {
    expect(through(...states)).toEqual(states);
  });

  test('do not leave a final state and skip none', () => {
    for (const state of submissionState.options) {
      expect(through('queued', 'withdrawn', state)).toBe('cannot-become');
      expect(through('queued', 'rejected', state)).toBe('cannot-become');
    }
    expect(through('queued', 'published')).toBe('cannot-become');
    expect(through('queued', 'validating', 'scoring', 'published', 'rejected')).toBe('cannot-become');
  });

  test('explain a refusal with time and reason', () => {
    const refused = historyWithChangeOrRefusal([to('queued'), to('withdrawn')], to('withdrawn'));
    expect(refused.ok ? null : makeSubmissionRefusalProblem(refused.problem)).toEqual({
      code: 'wrong-state',
      detail: 'the submission has been withdrawn since 2026-01-01T00:00:00.000Z (so), and cannot become withdrawn',
    });
  });

  test('include four final ones', () => {
    expect(submissionState.options.filter(needsNoFurtherWork)).toEqual([
      'published',
      'hidden',
      'rejected',
      'withdrawn',
    ]);
  });
});

describe('names of agents', () => {
  test.each([
    ['GPT-5', 'gpt-5'],
    ['ＧＰＴ-5', 'gpt-5'],
    [' Two\u00a0 words ', 'two words'],
    ['a\u200bb\u0007', 'ab'],
    ['<b>x</b>', '<b>x</b>'],
  ])('treat %j as %j', (name, key) => {
    expect(normalizeName(name)).toBe(key);
    expect(entryName.safeParse(name).success).toBe(true);
  });

  test.each(['', '\u0007\u200b', '   ', 'x'.repeat(101)])('refuse %j', (name) => {
    expect(entryName.safeParse(name).success).toBe(false);
  });
});
