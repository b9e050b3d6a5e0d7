import { refuse } from '#core/errors.ts';
import { ok, type Result } from '#core/result.ts';

/** Attempts that one evaluation may have: what one object stores and reads within the platform's limits. */
export const mostAttempts = 200_000;

/** How much work an evaluation is. */
export interface EvaluationSize {
  readonly units: number;
  readonly agents: number;
  readonly trials: number;
}

/** Every agent makes both requests of every unit in every trial. */
export const attemptsOf = ({ units, agents, trials }: EvaluationSize): number => units * agents * trials * 2;

/** Refuses an evaluation of too many attempts, with the number and what would fit. */
export function checkSize(size: EvaluationSize): Result<null> {
  const attempts = attemptsOf(size);
  if (attempts <= mostAttempts) return ok(null);
  const { agents, trials } = size;
  const fitting = Math.floor(mostAttempts / attemptsOf({ units: 1, agents, trials }));
  return refuse(
    'evaluation-too-large',
    `${counted(size.units, 'unit')}, ${counted(agents, 'agent')} and ${counted(trials, 'trial')} make ${counted(attempts, 'attempt')}, and an evaluation may have ${number(mostAttempts)}; with these agents and trials ${counted(fitting, 'unit')} would fit`,
  );
}

/** Refuses a leaderboard whose submissions would have too many attempts to be evaluated, with how many trials would fit. */
export function checkTrials({ units, trials }: Pick<EvaluationSize, 'units' | 'trials'>): Result<null> {
  const attempts = attemptsOf({ units, agents: 1, trials });
  if (attempts <= mostAttempts) return ok(null);
  const fitting = Math.floor(mostAttempts / attemptsOf({ units, agents: 1, trials: 1 }));
  return refuse(
    'evaluation-too-large',
    `${counted(units, 'unit')} and ${counted(trials, 'trial')} make ${counted(attempts, 'attempt')} of each submission, and an evaluation may have ${number(mostAttempts)}; with these units ${counted(fitting, 'trial')} would fit`,
  );
}

const number = (value: number): string => value.toLocaleString('en-US');
const counted = (value: number, what: string): string => `${number(value)} ${what}${value === 1 ? '' : 's'}`;
