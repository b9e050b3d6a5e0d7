import { describe, expect, test } from 'vitest';
import { maxExpiredClaims } from '#core/evaluation/claim.ts';
import { submissionTier } from '#core/leaderboards/submissions/state.ts';
import { tierRules } from '#core/leaderboards/submissions/tiers.ts';

describe('the tiers of submissions', () => {
  test('try private units only where we watch the attempts', () => {
    expect(submissionTier.options.filter((tier) => tierRules[tier].split === 'all')).toEqual(['service', 'gateway']);
  });

  test('make only those wait in the queue that we judge at our own pace', () => {
    expect(submissionTier.options.filter((tier) => tierRules[tier].queues)).toEqual(['service', 'self-reported']);
  });

  test('differ in who makes the attempts', () => {
    expect(submissionTier.options.map((tier) => tierRules[tier].attempts)).toEqual([
      'made-by-us',
      'claimed',
      'uploaded',
    ]);
  });
});

test('an attempt of a submission can be claimed once, and one of an evaluation three times', () => {
  expect(maxExpiredClaims(true)).toBe(1);
  expect(maxExpiredClaims(false)).toBe(3);
});
