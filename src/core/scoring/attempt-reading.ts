import { z } from 'zod';
import { maxSubIntents } from '#core/units/task-unit.ts';
import { relevanceAnswer } from './ar.ts';
import { makeJudgedCalls } from './judged-calls.ts';
import type { Judged } from './score.ts';
import type { JudgedAttempt, JudgeQuestion, Judges } from './scorer.ts';
import { goalVerdict, withConsistentVerdicts } from './success.ts';
import { subIntentScore } from './uic.ts';

/**
 * What a judge says of an attempt in one answer, where several scorers want to know something of it: its request, calls and answer
 * are then sent once. Scorers ask their own questions all the same, and get their part of it.
 */
const reading = z.object({
  goals: z.array(
    z.object({
      ...goalVerdict.shape,
      covered: subIntentScore.shape.score,
      nothingFound: subIntentScore.shape.nothingFound,
    }),
  ),
  relevance: relevanceAnswer,
  why: z.string().max(2_000),
  success: z.boolean(),
});
export type AttemptReading = z.infer<typeof reading>;

const makeReadingSchema = (count: number) =>
  withConsistentVerdicts(reading.extend({ goals: reading.shape.goals.length(count) }));

const readingsByCount = Array.from({ length: maxSubIntents }, (_, at) => makeReadingSchema(at + 1));

/** Returns the schema of a reading with `count` goals; undefined if no plan has so many. The same object each time. */
export const getReadingSchemaForGoalCount = (count: number): ReturnType<typeof makeReadingSchema> | undefined =>
  readingsByCount[count - 1];

const makeReadingQuestion = <Answer>(schema: z.ZodType<Answer>): JudgeQuestion<Answer> => ({
  form: 'attempt-reading',
  answerTokens: 8_000,
  prompt: 'judge-attempt',
  schema,
});

/** The question, whatever the number of goals. */
export const readingQuestion: JudgeQuestion = makeReadingQuestion(reading);

/** Returns the answer of a reading to the question of this form. */
function answerInReading(form: string, { goals, relevance, why, success }: AttemptReading): unknown {
  if (form === 'relevance') return relevance;
  if (form === 'success')
    return { goals: goals.map(({ goal, why: of, achieved }) => ({ goal, why: of, achieved })), why, success };
  return {
    scores: goals.map(({ goal, why: of, nothingFound, covered }) => ({
      subIntent: goal,
      why: of,
      nothingFound,
      score: covered,
    })),
  };
}

/** The forms of the questions that a reading answers, and the scorers that ask them. */
const formsOfReading: readonly string[] = ['success', 'relevance', 'sub-intent-scores'];
const scorersOfReading: readonly string[] = ['success', 'ar', 'uic'];

/** Returns whether one reading answers what several of these scorers ask. */
export const areReadTogether = (scorers: readonly string[]): boolean =>
  scorers.filter((key) => scorersOfReading.includes(key)).length > 1;

/**
 * Returns judges that read an attempt once and answer from that what scorers ask of it. Questions of other forms are asked as they
 * are. So are all of them where a panel votes, because its members are asked the same; where nobody could plan the goals; and
 * after a reading that does not have the form, because a judge that cannot fill in the long form may manage the short ones.
 */
export function readAttemptOnce(attempt: JudgedAttempt, judges: Judges): Judges {
  const { soleJudge } = judges;
  if (soleJudge === null) return judges;
  let read: Promise<Judged<AttemptReading> | null> | null = null;
  const readOnce = (): Promise<Judged<AttemptReading> | null> => (read ??= askForReading(attempt, judges));
  async function ownAnswer<Answer>({ form, schema }: JudgeQuestion<Answer>): Promise<Judged<Answer> | null> {
    if (!formsOfReading.includes(form)) return null;
    const found = await readOnce();
    if (found === null || (!found.ok && found.reason === 'judge-unparsed')) return null;
    return found.ok ? { ok: true, value: schema.parse(answerInReading(form, found.value)) } : found;
  }
  return {
    ...judges,
    ask: async (question, variables, repetition) =>
      (await ownAnswer(question)) ?? judges.ask(question, variables, repetition),
    async askPanel(question, variables) {
      const answer = await ownAnswer(question);
      return answer === null ? judges.askPanel(question, variables) : [{ judge: soleJudge, answer }];
    },
  };
}

/** Null where the goals are not known, or are too many. */
async function askForReading(attempt: JudgedAttempt, judges: Judges): Promise<Judged<AttemptReading> | null> {
  const plan = await judges.getSubIntents();
  const schema = plan.ok ? getReadingSchemaForGoalCount(plan.value.length) : undefined;
  if (!plan.ok || schema === undefined) return null;
  const { request, response } = attempt;
  return judges.ask(makeReadingQuestion(schema), { request, goals: plan.value, ...makeJudgedCalls(attempt), response });
}
