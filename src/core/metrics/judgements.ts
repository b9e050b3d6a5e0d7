import { z } from 'zod';
import { failureClass } from '#core/traces/failure.ts';
import { BACK_REQUESTS } from './ar.ts';

/**
 * What judges answer, one schema an answer. The JSON schemas that the models are given derive from these. Grades are
 * 0..1 throughout: on a scale that also took 0..100, a 1 could be the best grade or the worst. What does not have the form is asked
 * for once more and then `judge-unparsed`; the reasons are for people and never searched.
 */

const why = z.string().max(2_000);
const grade = z.number().min(0).max(1);
const sentence = z.string().min(1).max(1_000);

/** How faithful to the tools' results and how useful a response is. Rubric: SGVEF-Loop, appendix E, forward judge. */
export const relevanceAnswer = z.object({ score: grade, why });

/** The requests that a response could be the answer to, written without sight of the real one. */
export const backRequestsAnswer = z.object({ requests: z.array(z.string().min(1).max(4_000)).length(BACK_REQUESTS) });

/** Sub-intents that a unit may have. */
export const MAX_SUB_INTENTS = 10;

/** What a unit's two requests ask for, split into parts that can be checked one by one; planned once per unit. */
export const subIntentPlanAnswer = z.object({ subIntents: z.array(sentence).min(1).max(MAX_SUB_INTENTS) });

/**
 * One sub-intent's score: 0.7 and above answered, 0.3 to 0.7 in part, below missed. `nothingFound` marks an answer that says
 * with reason that there is nothing to be found, which counts as answered.
 */
export const subIntentScore = z.object({
  subIntent: z.int().min(1).max(MAX_SUB_INTENTS),
  score: grade,
  nothingFound: z.boolean(),
  why,
});

const scoresOf = (count: number) =>
  z
    .object({ scores: z.array(subIntentScore).length(count) })
    .refine(({ scores }) => scores.every(({ subIntent }, at) => subIntent === at + 1), {
      message: 'one score a sub-intent, in the order of the plan, numbered from 1',
      path: ['scores'],
    });

const scoresByCount = Array.from({ length: MAX_SUB_INTENTS }, (_, at) => scoresOf(at + 1));

/** The form of the scores of a plan with `count` sub-intents; undefined where no plan has so many. The same object each time. */
export const subIntentScoresAnswer = (count: number): ReturnType<typeof scoresOf> | undefined =>
  scoresByCount[count - 1];

/** The class of a failure that no rule decided. */
export const failureAnswer = z.object({ class: failureClass, why });
