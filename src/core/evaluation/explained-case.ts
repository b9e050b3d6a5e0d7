import { z } from 'zod';
import { firstCharacters } from '#core/values/excerpt.ts';
import { attemptScorers, buildRecordByAttemptScorer, scorerKeys } from './scorers.ts';
import { score, type Score } from '#core/scoring/score.ts';
import { listMissedGoalsWithReasons } from '#core/scoring/success.ts';
import type { EvaluationCase } from './case.ts';
import { requestName } from '#core/benchmarks/protocols/case-requests.ts';
import type { SubIntentPlan } from './sub-intent-plan.ts';

/** Characters of one reason in a list of reasons. */
const reasonChars = 300;

const explainedAttempt = z.object({
  request: requestName,
  /** How it ended. */
  end: z.string(),
  scores: z.object(buildRecordByAttemptScorer(() => score)),
});

/** Why a case has its scores, without what was asked and done. */
export const explainedCase = z
  .object({
    case: z.string(),
    unit: z.string(),
    agent: z.string(),
    trial: z.int(),
    /** The sub-intents of its unit, which judges see as goals; none if nobody planned them. */
    goals: z.array(z.string()),
    /** The scores of the case as a whole; none if an attempt was not evaluated. */
    scores: z.partialRecord(z.enum(scorerKeys), score),
    /** The attempts that were made, in the order of the requests. */
    attempts: z.array(explainedAttempt),
  })
  .meta({ id: 'ExplainedCase' });
export type ExplainedCase = z.infer<typeof explainedCase>;

/** Returns what explains a case's scores. */
export const makeExplainedCase = (
  { id, unit, agent, trial, requests, attempts, scores }: EvaluationCase,
  plan: SubIntentPlan | null,
): ExplainedCase => ({
  case: id,
  unit,
  agent,
  trial,
  goals: plan?.ok === true ? plan.value : [],
  scores,
  attempts: requests.flatMap((request) => {
    const attempt = attempts[request];
    return attempt === undefined ? [] : [{ request, end: attempt.end, scores: attempt.scores }];
  }),
});

/** A score that is not the best one, and why. */
export interface Shortfall {
  /** The scorer's title, or the goal. */
  readonly of: string;
  readonly value: number;
  readonly why: string;
}

/**
 * Returns in which scores an attempt falls short of the best, in display order, each with its reason; behind the verdict of
 * a judge the goals that it found missed. Reasons are cut to a few hundred characters.
 */
export function listShortfallsOfAttempt(
  { scores }: Pick<ExplainedCase['attempts'][number], 'scores'>,
  goals: readonly string[],
): Shortfall[] {
  return attemptScorers.flatMap(({ key, title, direction, range: [low, high] }): Shortfall[] => {
    const found: Score = scores[key];
    if (found.value === null || found.value === (direction === 'lower' ? low : high)) return [];
    const missed = listMissedGoalsWithReasons(found).map(({ goal, why }) => ({
      of: `goal ${goal}${goals[goal - 1] === undefined ? '' : ` (${shortenReason(goals[goal - 1] ?? '')})`}`,
      value: 0,
      why: shortenReason(why),
    }));
    return [{ of: title, value: found.value, why: shortenReason(found.explanation) }, ...missed];
  });
}

const shortenReason = (text: string): string =>
  text.length <= reasonChars ? text : `${firstCharacters(text, reasonChars)}…`;
