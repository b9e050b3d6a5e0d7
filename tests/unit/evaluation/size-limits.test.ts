import { expect, test } from 'vitest';
import { problemOfEvaluationRefusal, type EvaluationRefusal } from '#core/evaluation/problems.ts';
import {
  countAttempts,
  refuseTooManyAttempts,
  refuseTooManyLeaderboardTrials,
  mostAttempts,
} from '#core/evaluation/size-limits.ts';
import type { Result } from '#core/values/result.ts';

const saidOf = (result: Result<null, EvaluationRefusal>) =>
  result.ok ? null : problemOfEvaluationRefusal(result.problem);

test('an evaluation makes all requests of each unit for each agent and trial', () => {
  expect(countAttempts({ units: 3, agents: 5, trials: 7, requests: 2 })).toBe(210);
  expect(countAttempts({ units: 3, agents: 5, trials: 7, requests: 1 })).toBe(105);
});

test('the largest allowed number of attempts is accepted, and one more unit is refused', () => {
  const agents = { agents: 20, trials: 20, requests: 2 };
  expect(countAttempts({ ...agents, units: 250 })).toBe(mostAttempts);
  expect(refuseTooManyAttempts({ ...agents, units: 250 })).toEqual({ ok: true, value: null });
  const refused = refuseTooManyAttempts({ ...agents, units: 251 });
  expect(refused).toEqual({
    ok: false,
    problem: {
      reason: 'too-many-attempts',
      ...agents,
      units: 251,
      attempts: 200_800,
      most: 200_000,
      fittingUnits: 250,
    },
  });
  expect(saidOf(refused)).toEqual({
    code: 'evaluation-too-large',
    detail:
      '251 units, 20 agents and 20 trials make 200,800 attempts, and an evaluation may have 200,000; with these agents and trials 250 units would fit',
  });
});

test('the number of units that would fit depends on the agents and trials', () => {
  expect(saidOf(refuseTooManyAttempts({ units: 60_000, agents: 1, trials: 2, requests: 2 }))?.detail).toMatch(
    /^60,000 units, 1 agent and 2 trials make 240,000 .* 50,000 units would fit$/,
  );
});

test('a leaderboard allows as many trials as one agent can be evaluated with on all units', () => {
  expect(refuseTooManyLeaderboardTrials({ requests: 2, units: 25_000, trials: 4 })).toEqual({ ok: true, value: null });
  expect(saidOf(refuseTooManyLeaderboardTrials({ requests: 2, units: 25_001, trials: 4 }))).toEqual({
    code: 'evaluation-too-large',
    detail: expect.stringMatching(/200,008 attempts .* 3 trials would fit$/),
  });
  expect(saidOf(refuseTooManyLeaderboardTrials({ requests: 2, units: 100_001, trials: 1 }))?.detail).toMatch(
    /^100,001 units and 1 trial make 200,002 .* 0 trials would fit$/,
  );
});
