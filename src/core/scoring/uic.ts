import { z } from 'zod';
import { makeJudgedScorer, type JudgeQuestion } from './scorer.ts';
import { makeScore, makeUnscored, type Judged, type Score } from './score.ts';

/** Maximum sub-intents of a unit. */
export const maxSubIntents = 10;

/** The parts of what a unit's two requests ask for, which can be checked one by one; planned once per unit. */
export const subIntentPlanAnswer = z.object({
  subIntents: z.array(z.string().min(1).max(1_000)).min(1).max(maxSubIntents),
});

/** Asked once for a unit, from its source request; its variable is `request`. */
export const subIntentQuestion: JudgeQuestion<z.infer<typeof subIntentPlanAnswer>> = {
  form: 'sub-intents',
  prompt: 'judge-plan',
  schema: subIntentPlanAnswer,
};

/**
 * One sub-intent's score: from 0.7 on answered, from 0.3 on partly answered, below missed. `nothingFound` marks an
 * answer that explains why there is nothing to find, which counts as answered.
 */
export const subIntentScore = z.object({
  subIntent: z.int().min(1).max(maxSubIntents),
  score: z.number().min(0).max(1),
  nothingFound: z.boolean(),
  why: z.string().max(2_000),
});

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
export const subIntentScoresSchema = (count: number): ReturnType<typeof makeScoresSchema> | undefined =>
  scoresByCount[count - 1];

const makeCoverageQuestion = <Answer>(schema: z.ZodType<Answer>): JudgeQuestion<Answer> => ({
  form: 'sub-intent-scores',
  prompt: 'judge-coverage',
  schema,
});

export type UicParts = {
  /** The number of sub-intents; null if they could not be planned. */
  readonly planned: number | null;
  /** One score per sub-intent, 0..1, in the order of the plan. */
  readonly scores: readonly number[] | null;
  /** False if the agent gave no response. */
  readonly answered: boolean;
};

/**
 * Returns the unified intent coverage of one attempt, 0..1: the mean score of the unit's sub-intents, which were
 * planned once for both requests. A reasoned "nothing found" counts as an answer (the judge is told so). An agent
 * without a response covers nothing and scores 0 without a judge. Source: SGVEF-Loop, appendix B.2, equation 7.
 */
export const intentCoverage = (
  response: string,
  plan: Judged<readonly string[]>,
  scores: Judged<readonly number[]>,
): Score<UicParts> => {
  const planned = plan.ok ? plan.value.length : null;
  if (response.trim() === '')
    return makeScore(0, { planned, scores: null, answered: false }, 'The agent gave no response.');
  const parts = { planned, scores: scores.ok ? scores.value : null, answered: true };
  if (!plan.ok) return makeUnscored(plan.reason, parts);
  if (!scores.ok) return makeUnscored(scores.reason, parts);
  const { value } = scores;
  if (value.length === 0 || value.length !== planned) return makeUnscored('judge-unparsed', parts);
  return makeScore(
    value.reduce((sum, each) => sum + each, 0) / value.length,
    parts,
    `The judge gave the sub-intents ${value.join(', ')}.`,
  );
};

/** The plan of the unit, and the judge's score of each of its sub-intents. */
interface UicAnswers {
  readonly plan: Judged<readonly string[]>;
  readonly scores: Judged<readonly number[]>;
}

export const uic = makeJudgedScorer({
  key: 'uic',
  title: 'UIC',
  name: 'unified intent coverage',
  question: 'How much of what the requests ask for does the response cover?',
  formula: 'the mean score of the sub-intents that all wordings share',
  range: [0, 1],
  direction: 'higher',
  source: 'SGVEF-Loop, appendix B.2, equation 7',
  needs: ['judge'],
  brief: false,
  binary: false,
  questions: [subIntentQuestion, makeCoverageQuestion(subIntentScore)],
  answers: async ({ response }, judges): Promise<UicAnswers> => {
    const plan = await judges.getSubIntents();
    if (response.trim() === '') return { plan, scores: { ok: false, reason: 'judges-off' } };
    if (!plan.ok) return { plan, scores: plan };
    const schema = subIntentScoresSchema(plan.value.length);
    if (schema === undefined) return { plan, scores: { ok: false, reason: 'judge-unparsed' } };
    const answer = await judges.ask(makeCoverageQuestion(schema), { intents: plan.value, response });
    const scores = answer.ok ? { ok: true as const, value: answer.value.scores.map(({ score }) => score) } : answer;
    return { plan, scores };
  },
  score: ({ trace }, { plan, scores }) => intentCoverage(trace.finalText, plan, scores),
});
