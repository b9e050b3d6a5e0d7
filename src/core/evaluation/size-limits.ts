import { err, ok, type Result } from '#core/values/result.ts';
import type { EvaluationRefusal, EvaluationSize } from './problems.ts';

/** Maximum attempts of one evaluation: what one object can store and read within the platform's limits. */
export const mostAttempts = 200_000;

/** Returns the number of attempts: every agent attempts all requests of every unit in every trial. */
export const countAttempts = ({ units, agents, trials, requests }: EvaluationSize): number =>
  units * agents * trials * requests;

/** Refuses an evaluation with too many attempts, with the number and what would fit. */
export function refuseTooManyAttempts(size: EvaluationSize): Result<null, EvaluationRefusal> {
  const attempts = countAttempts(size);
  if (attempts <= mostAttempts) return ok(null);
  const fittingUnits = Math.floor(mostAttempts / countAttempts({ ...size, units: 1 }));
  return err({ reason: 'too-many-attempts', ...size, attempts, most: mostAttempts, fittingUnits });
}

/** Refuses a leaderboard whose submissions would have too many attempts to be evaluated, with how many trials would fit. */
export function refuseTooManyLeaderboardTrials({
  units,
  trials,
  requests,
}: Pick<EvaluationSize, 'units' | 'trials' | 'requests'>): Result<null, EvaluationRefusal> {
  const attempts = countAttempts({ units, agents: 1, trials, requests });
  if (attempts <= mostAttempts) return ok(null);
  const fittingTrials = Math.floor(mostAttempts / countAttempts({ units, agents: 1, trials: 1, requests }));
  return err({ reason: 'too-many-trials', units, trials, attempts, most: mostAttempts, fittingTrials });
}
