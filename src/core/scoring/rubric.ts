import { z } from 'zod';
import { firstCharacters } from '#core/values/excerpt.ts';
import { cutReason } from './kept-reason.ts';
import { makeJudgedCalls, type JudgedCall } from './judged-calls.ts';
import { axisTitleOfPart, rubricParts, shuffleRubric, type RubricPart } from './rubric-parts.ts';
import { makeJudgedScorer, type JudgedAttempt, type JudgedBackground, type JudgeQuestion } from './scorer.ts';
import { makeScore, makeUnscored, type Judged, type Score } from './score.ts';

/** How often a judge is asked about one attempt, each time with the rubric in another order. */
export const repetitions = 5;
const highestMark = 10;

/** The marks of one answer. One that lacks a mark, or gives one twice, is no answer. */
export const rubricAnswer = z
  .object({
    marks: z
      .array(
        z.object({
          part: z.enum(rubricParts),
          why: z.string().max(2_000),
          mark: z.number().min(1).max(highestMark),
        }),
      )
      .length(rubricParts.length),
  })
  .refine(({ marks }) => new Set(marks.map(({ part }) => part)).size === rubricParts.length, {
    message: 'one mark for each part of the rubric',
    path: ['marks'],
  });
export type RubricAnswer = z.infer<typeof rubricAnswer>;

const rubricQuestion: JudgeQuestion<RubricAnswer> = {
  form: 'rubric',
  answerTokens: 4_000,
  prompt: 'judge-rubric',
  schema: rubricAnswer,
};

export type RubricScoreParts = Readonly<Record<RubricPart, readonly number[]>> & {
  /** Standard deviation of the answers' scores, 0..1; null for fewer than two answers. */
  readonly spread: number | null;
  /** How many of the answers could be read. */
  readonly parsed: number;
  /** The reasons of the first one, in the order of the sub-scores. */
  readonly reasons: readonly string[];
};

/**
 * Returns what a judge's marks for an attempt are worth, 0.1..1: the mean over its answers of the mean of six marks, divided by 10.
 * That is the mean of the three axes, which have two marks each. Answers that cannot be read are left out; without any the attempt is unscored
 * (the published evaluator counts a mark that is missing in all answers as 0). An attempt without calls and without an answer has
 * the lowest marks without a judge. Source: MCP-Bench, section 5.2.
 */
export function scoreRubric(
  attempt: { readonly steps: readonly unknown[]; readonly finalText: string },
  answers: readonly Judged<RubricAnswer>[],
): Score<RubricScoreParts> {
  if (didNothing(attempt.steps, attempt.finalText))
    return makeScore(1 / highestMark, makePartsOfRubricAnswers([]), 'The agent made no call and gave no answer.');
  const read = answers.flatMap((answer) => (answer.ok ? [answer.value] : []));
  const parts = makePartsOfRubricAnswers(read);
  const [missing] = answers.flatMap((answer) => (answer.ok ? [] : [answer.reason]));
  const [first] = read;
  if (first === undefined) return makeUnscored(missing ?? 'not-judged', parts);
  return makeScore(
    mean(read.map(meanMarkOfAnswerAsShare)),
    parts,
    `${read.length} of ${answers.length} answers could be read. ${cutReason(reasonOfMark(first, 'fulfilment'))}`.trim(),
  );
}

const didNothing = (steps: readonly unknown[], answer: string): boolean => steps.length === 0 && answer.trim() === '';

/** Returns the mean of the marks of one answer, 0.1..1. */
const meanMarkOfAnswerAsShare = ({ marks }: RubricAnswer): number => mean(marks.map(({ mark }) => mark)) / highestMark;

function makePartsOfRubricAnswers(answers: readonly RubricAnswer[]): RubricScoreParts {
  const marksOf = (wanted: RubricPart): number[] =>
    answers.flatMap(({ marks }) => marks.flatMap(({ part, mark }) => (part === wanted ? [mark] : [])));
  const [first] = answers;
  return {
    fulfilment: marksOf('fulfilment'),
    grounding: marksOf('grounding'),
    choice: marksOf('choice'),
    parameters: marksOf('parameters'),
    order: marksOf('order'),
    economy: marksOf('economy'),
    spread: standardDeviationOrNull(answers.map(meanMarkOfAnswerAsShare)),
    parsed: answers.length,
    reasons: first === undefined ? [] : rubricParts.map((part) => cutReason(reasonOfMark(first, part))),
  };
}

const reasonOfMark = ({ marks }: RubricAnswer, wanted: RubricPart): string =>
  marks.find(({ part }) => part === wanted)?.why ?? '';

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function standardDeviationOrNull(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}

/** Characters of the tools that a judge sees, and the most tools. */
const toolChars = 60_000;
const shownTools = 1_000;

/** Returns the mounted tools for a judge; the more there are, the shorter is what it sees of their descriptions. */
function shortenTools(tools: JudgedBackground['tools']): JudgedBackground['tools'] {
  const shown = tools.slice(0, shownTools);
  const chars = Math.min(500, Math.floor(toolChars / Math.max(1, shown.length)));
  return shown.map(({ name, description }) => ({ name, description: firstCharacters(description, chars) }));
}

/** Returns calls by the turn that issued them. */
function groupCallsByRound(
  calls: readonly JudgedCall[],
  steps: JudgedAttempt['steps'],
): { readonly round: number; readonly calls: readonly JudgedCall[] }[] {
  const byTurn = Map.groupBy(calls, ({ call }) => steps[call - 1]?.turn ?? 0);
  return Array.from(byTurn, ([round, made]) => ({ round, calls: made }));
}

export const rubric = makeJudgedScorer({
  key: 'rubric',
  title: 'rubric',
  name: 'marks of the rubric',
  question: 'How good were completion, choice of tools and planning?',
  formula: `the mean of six marks of a judge from 1 to 10, divided by 10, over ${repetitions} answers with the rubric in different orders; unscored where no answer can be read`,
  caveat: 'a count: it is an impression of a model, and even an empty attempt has 0.1',
  range: [0, 1],
  direction: 'higher',
  source: 'MCP-Bench, section 5.2',
  needs: ['judge'],
  parts: [
    ...rubricParts.map((part) => ({
      key: part,
      title: part,
      name: `mark for ${part} (${axisTitleOfPart(part)}), 1 to 10`,
    })),
    { key: 'spread', title: 'spread', name: "standard deviation of the answers' scores" },
    { key: 'parsed', title: 'answers', name: 'answers of the judge that could be read' },
  ],
  brief: true,
  binary: false,
  questions: [rubricQuestion],
  answers: async (attempt, judges): Promise<readonly Judged<RubricAnswer>[]> => {
    const { request, response, steps, background } = attempt;
    if (didNothing(steps, response)) return [];
    const task = background?.concrete ?? request;
    const { calls, leftOut } = makeJudgedCalls(attempt);
    const variables = {
      request,
      task,
      response,
      leftOut,
      dependencies: background?.dependencies ?? '',
      tools: shortenTools(background?.tools ?? []),
      rounds: groupCallsByRound(calls, steps),
    };
    return Promise.all(
      Array.from({ length: repetitions }, (_, at) =>
        judges.ask(rubricQuestion, { ...variables, rubric: shuffleRubric(task, at) }, at),
      ),
    );
  },
  score: ({ trace }, answers) => scoreRubric(trace, answers),
});
