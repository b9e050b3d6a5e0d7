import { z } from 'zod';
import { maxSubIntents } from '#core/units/task-unit.ts';
import { cutReason } from './kept-reason.ts';
import { makeJudgedScorer, type JudgeQuestion } from './scorer.ts';
import { makeScore, makeUnscored, type Judged, type Score } from './score.ts';

/** The parts of what a unit's two requests ask for, which can be checked one by one; planned once per unit. */
export const subIntentPlanAnswer = z.object({
  subIntents: z.array(z.string().min(1).max(1_000)).min(1).max(maxSubIntents),
});

/** Asked once for a unit, from all wordings of its request; its variable is `requests`. */
export const subIntentQuestion: JudgeQuestion<z.infer<typeof subIntentPlanAnswer>> = {
  form: 'sub-intents',
  answerTokens: 2_000,
  prompt: 'judge-plan',
  schema: subIntentPlanAnswer,
};

/**
 * One sub-intent's score: from 0.7 on answered, from 0.3 on partly answered, below missed. `nothingFound` marks an
 * answer that explains why there is nothing to find, which counts as answered.
 */
export const subIntentScore = z.object({
  subIntent: z.int().min(1).max(maxSubIntents),
  why: z.string().max(2_000),
  nothingFound: z.boolean(),
  score: z.number().min(0).max(1),
});
export type SubIntentScore = z.infer<typeof subIntentScore>;

const makeScoresSchema = (count: number) =>
  z
    .object({ scores: z.array(subIntentScore).length(count) })
    .refine(({ scores }) => scores.every(({ subIntent }, at) => subIntent === at + 1), {
      message: 'one score a sub-intent, in the order of the plan, numbered from 1',
      path: ['scores'],
    });

const scoresByCount = Array.from({ length: maxSubIntents }, (_, at) => makeScoresSchema(at + 1));

/**
 * Returns the schema of the scores of a plan with `count` sub-intents; undefined if no plan has so many. The same
 * object each time.
 */
export const getSubIntentScoresSchema = (count: number): ReturnType<typeof makeScoresSchema> | undefined =>
  scoresByCount[count - 1];

const makeSubIntentScoresQuestion = <Answer>(schema: z.ZodType<Answer>): JudgeQuestion<Answer> => ({
  form: 'sub-intent-scores',
  answerTokens: 4_000,
  prompt: 'judge-coverage',
  schema,
});

export type UicParts = {
  /** The number of sub-intents; null if they could not be planned. */
  readonly planned: number | null;
  /** One score per sub-intent, 0..1, in the order of the plan. */
  readonly scores: readonly number[] | null;
  /** Whether the response explains why there is nothing to find, for each sub-intent. */
  readonly nothingFound: readonly boolean[] | null;
  /** The judge's reason for each score. */
  readonly reasons: readonly string[] | null;
  /** False if the agent gave no response. */
  readonly answered: boolean;
};

/**
 * Returns the unified intent coverage of one attempt, 0..1: the mean score of the unit's sub-intents, which were
 * planned once for both requests. A reasoned "nothing found" counts as an answer (the judge is told so). An agent
 * without a response covers nothing and scores 0 without a judge. Source: SGVEF-Loop, appendix B.2, equation 7.
 */
export const scoreIntentCoverage = (
  response: string,
  plan: Judged<readonly string[]>,
  scores: Judged<readonly SubIntentScore[]>,
): Score<UicParts> => {
  const planned = plan.ok ? plan.value.length : null;
  if (response.trim() === '')
    return makeScore(0, { planned, ...noScores, answered: false }, 'The agent gave no response.');
  const parts = { planned, ...(scores.ok ? makeUicParts(scores.value) : noScores), answered: true };
  if (!plan.ok) return makeUnscored(plan.reason, parts);
  if (!scores.ok) return makeUnscored(scores.reason, parts);
  const { value } = scores;
  if (value.length === 0 || value.length !== planned) return makeUnscored('judge-unparsed', parts);
  return makeScore(
    value.reduce((sum, { score }) => sum + score, 0) / value.length,
    parts,
    `The judge gave the sub-intents ${value.map(({ score }) => score).join(', ')}.`,
  );
};

const noScores = { scores: null, nothingFound: null, reasons: null };

const makeUicParts = (scores: readonly SubIntentScore[]): Pick<UicParts, 'scores' | 'nothingFound' | 'reasons'> => ({
  scores: scores.map(({ score }) => score),
  nothingFound: scores.map(({ nothingFound }) => nothingFound),
  reasons: scores.map(({ why }) => cutReason(why)),
});

/** The plan of the unit, and the judge's score of each of its sub-intents. */
interface UicAnswers {
  readonly plan: Judged<readonly string[]>;
  readonly scores: Judged<readonly SubIntentScore[]>;
}

export const uic = makeJudgedScorer({
  key: 'uic',
  title: 'UIC',
  name: 'unified intent coverage',
  question: 'How much of what the requests ask for does the response cover?',
  formula: 'the mean score of the sub-intents that all wordings share',
  caveat: 'truth: an invented answer covers a request as well as a true one',
  range: [0, 1],
  direction: 'higher',
  source: 'SGVEF-Loop, appendix B.2, equation 7',
  needs: ['judge'],
  parts: [
    { key: 'planned', title: 'sub-intents', name: 'number of sub-intents of the unit' },
    {
      key: 'nothingFound',
      title: 'nothing found',
      name: 'share of the sub-intents for which the response explains why there is nothing to find',
    },
  ],
  brief: false,
  binary: false,
  questions: [subIntentQuestion, makeSubIntentScoresQuestion(subIntentScore)],
  answers: async ({ response }, judges): Promise<UicAnswers> => {
    const plan = await judges.getSubIntents();
    if (response.trim() === '') return { plan, scores: { ok: false, reason: 'judges-off' } };
    if (!plan.ok) return { plan, scores: plan };
    const schema = getSubIntentScoresSchema(plan.value.length);
    if (schema === undefined) return { plan, scores: { ok: false, reason: 'judge-unparsed' } };
    const answer = await judges.ask(makeSubIntentScoresQuestion(schema), { intents: plan.value, response });
    return { plan, scores: answer.ok ? { ok: true, value: answer.value.scores } : answer };
  },
  score: ({ trace }, { plan, scores }) => scoreIntentCoverage(trace.finalText, plan, scores),
});
