import { z } from 'zod';
import { hasSucceeded } from '#core/traces/step-outcome.ts';
import type { Step } from '#core/traces/trace.ts';
import { cutReason } from './kept-reason.ts';
import { makeJudgedCalls } from './judged-calls.ts';
import { makeJudgedScorer, type JudgeQuestion, type MemberAnswer } from './scorer.ts';
import { makeScore, makeUnscored, type Judged, type Score } from './score.ts';
import { maxSubIntents } from '#core/units/task-unit.ts';
import { majorityVerdict, makeVotes } from './votes.ts';

/** A judge's verdict on one goal, its reason first. */
export const goalVerdict = z.object({
  /** Its number, from 1. */
  goal: z.int().min(1).max(maxSubIntents),
  why: z.string().max(2_000),
  achieved: z.boolean(),
});

/** A verdict on a number of goals and on the whole. */
interface VerdictOnGoals {
  readonly goals: readonly z.infer<typeof goalVerdict>[];
  readonly success: boolean;
}

/** Returns a schema that also holds the verdicts on goals to their order, and success to them. */
export const withConsistentVerdicts = <Answer extends VerdictOnGoals>(schema: z.ZodType<Answer>): z.ZodType<Answer> =>
  schema
    .refine(({ goals }) => goals.every(({ goal }, at) => goal === at + 1), {
      message: 'one verdict a goal, in order, numbered from 1',
      path: ['goals'],
    })
    .refine(({ goals, success }) => !success || goals.every(({ achieved }) => achieved), {
      message: 'no success if a goal was not achieved',
      path: ['success'],
    });

const makeVerdictSchema = (count: number) =>
  withConsistentVerdicts(
    z.object({ goals: z.array(goalVerdict).length(count), why: z.string().max(2_000), success: z.boolean() }),
  );

const verdictsByCount = Array.from({ length: maxSubIntents }, (_, at) => makeVerdictSchema(at + 1));

/** Returns the schema of a verdict on `count` goals; undefined if no plan has so many. The same object each time. */
export const getVerdictSchemaForGoalCount = (count: number): ReturnType<typeof makeVerdictSchema> | undefined =>
  verdictsByCount[count - 1];

export type SuccessVerdict = z.infer<ReturnType<typeof makeVerdictSchema>>;

const makeSuccessQuestion = <Answer>(schema: z.ZodType<Answer>): JudgeQuestion<Answer> => ({
  form: 'success',
  answerTokens: 4_000,
  prompt: 'judge-success',
  schema,
});

export type SuccessParts = {
  /** Whether each goal was achieved, in the order of the plan; null if no judge was needed or none answered. */
  readonly achieved: readonly boolean[] | null;
  /** The judge's reason for each goal. */
  readonly reasons: readonly string[] | null;
  /** Successful calls of any tool. */
  readonly succeededCalls: number;
  /** False if the agent gave no response. */
  readonly answered: boolean;
};

/** What an agent did and answered. */
interface Made {
  readonly steps: readonly Step[];
  readonly finalText: string;
}

/**
 * Returns why an attempt cannot have succeeded, without a judge: it has no answer, or no call succeeded, so that no
 * tool can have given what it says. Null if only a judge can tell.
 */
export function findReasonOfFailureByRule(attempt: Made): string | null {
  if (attempt.finalText.trim() === '') return 'The agent gave no answer.';
  return attempt.steps.some(hasSucceeded) ? null : 'No call succeeded, so no tool gave what the answer says.';
}

/**
 * Returns whether one attempt achieved what it was to achieve, 1 or 0: the judge's verdict on its calls and its answer.
 * Any tools in any order count; knowledge that no tool gave does not. An attempt without an answer, or without any
 * successful call, fails by rule. Without a usable verdict it is unscored, never 0.
 */
export function scoreSuccess(attempt: Made, verdict: Judged<SuccessVerdict>): Score<SuccessParts> {
  const answered = attempt.finalText.trim() !== '';
  const succeededCalls = attempt.steps.filter(hasSucceeded).length;
  const parts = { achieved: null, reasons: null, succeededCalls, answered };
  const failure = findReasonOfFailureByRule(attempt);
  if (failure !== null) return makeScore(0, parts, failure);
  if (!verdict.ok) return makeUnscored(verdict.reason, parts);
  const { goals, why, success } = verdict.value;
  return makeScore(
    success ? 1 : 0,
    {
      ...parts,
      achieved: goals.map(({ achieved }) => achieved),
      reasons: goals.map((goal) => cutReason(goal.why)),
    },
    cutReason(why),
  );
}

/**
 * Returns whether one attempt achieved what it was to achieve, by the majority of the panel's votes that can be used: 1 or 0.
 * Without a majority it is unscored. The parts and the reason are those of the first member of the majority. One member
 * decides alone.
 */
export function scoreSuccessByPanel(
  attempt: Made,
  answers: readonly MemberAnswer<SuccessVerdict>[],
): Score<SuccessParts> {
  const [only, ...others] = answers;
  if (only === undefined) return scoreSuccess(attempt, { ok: false, reason: 'undecided' });
  if (others.length === 0) return scoreSuccess(attempt, only.answer);
  const votes = makeVotes(answers, ({ success: verdict, why }) => ({ verdict, why }));
  const majority = majorityVerdict(votes.map(({ verdict }) => verdict));
  const leading = answers.find(({ answer }) => answer.ok && answer.value.success === majority);
  const score = scoreSuccess(attempt, leading?.answer ?? { ok: false, reason: 'undecided' });
  if (findReasonOfFailureByRule(attempt) !== null) return score;
  const count = `${votes.filter(({ verdict }) => verdict === true).length} of ${votes.length} judges found a success.`;
  return { ...score, votes, explanation: `${count} ${score.explanation}`.trim() };
}

/** Returns the goals that a judge found missed in an attempt, by their numbers from 1, with its reasons. */
export function listMissedGoalsWithReasons({ parts: { achieved, reasons } }: Score): { goal: number; why: string }[] {
  if (!Array.isArray(achieved) || !Array.isArray(reasons)) return [];
  return achieved.flatMap((each, at) => (each === false ? [{ goal: at + 1, why: String(reasons[at] ?? '') }] : []));
}

export const success = makeJudgedScorer({
  key: 'success',
  title: 'success',
  name: 'success',
  question: 'Did the agent achieve what was asked, with what tools gave it?',
  formula:
    'the verdict of a judge on calls, results and answer, 1 or 0, or that of the majority of a panel; 0 without a judge where there is no answer or no call succeeded; a case succeeds if all of its attempts do',
  caveat:
    "a fact: it is a model's reading of a trace, as good as the judge that the evaluation names and the goals that it planned",
  range: [0, 1],
  direction: 'higher',
  source: 'ours, after LiveMCPBench, section 2.3: the task is verified, not a path',
  needs: ['judge'],
  parts: [
    { key: 'achieved', title: 'goals achieved', name: 'share of the goals that a judge found achieved' },
    { key: 'succeededCalls', title: 'successful calls', name: 'successful calls of an attempt' },
  ],
  brief: true,
  binary: true,
  questions: [makeSuccessQuestion(z.object({ goals: z.array(goalVerdict), why: z.string(), success: z.boolean() }))],
  answers: async (attempt, judges): Promise<Judged<readonly MemberAnswer<SuccessVerdict>[]>> => {
    const { request, response, steps } = attempt;
    // A judge may still overrule the rule that took a success for a reported error.
    const mayCount = response.trim() !== '' && steps.some(({ outcome }) => outcome === 'success');
    if (!mayCount) return { ok: false, reason: 'judges-off' };
    const plan = await judges.getSubIntents();
    if (!plan.ok) return plan;
    const schema = getVerdictSchemaForGoalCount(plan.value.length);
    if (schema === undefined) return { ok: false, reason: 'judge-unparsed' };
    const variables = { request, goals: plan.value, ...makeJudgedCalls(attempt), response };
    return { ok: true, value: await judges.askPanel(makeSuccessQuestion(schema), variables) };
  },
  score: ({ trace }, given) => (given.ok ? scoreSuccessByPanel(trace, given.value) : scoreSuccess(trace, given)),
});
