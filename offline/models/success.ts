import { z } from 'zod';
import { makeNearnessMeasure, oneLine, makeValueOccurrenceCheck, textOfVariable, type Nearness } from './coverage.ts';
import { listMaskedLiterals, maskLiterals, listNumbersInMasked, type Literal } from './literals.ts';
import { splitIntoStatements, type Statement } from './statements.ts';
import { toolsOfPrompt, type Cards, type KnownTool } from './tools.ts';
import { certain, interpretRequest, type Meant, type Reading } from './understanding.ts';
import { stemsOfContentWords, splitIdentifierIntoWords } from './words.ts';

export const shownCall = z.looseObject({
  call: z.number().catch(0),
  tool: z.string().catch(''),
  arguments: z.unknown(),
  outcome: z.string().catch('fault'),
  result: z.string().catch(''),
});
type ShownCall = z.infer<typeof shownCall>;

interface Verdict {
  readonly achieved: boolean;
  readonly why: string;
  /** The calls that served the goal. */
  readonly calls: readonly ShownCall[];
}

/** A statement from this nearness on is about the goal. */
const about = 0.6;

/**
 * How much a judge demands. `lenient` believes an answer: a goal needs only a successful call with its values. `strict` finds no
 * success in an attempt with a failed call.
 */
export type JudgeTemper = 'even' | 'lenient' | 'strict';

/**
 * Form `success`: whether calls and answer achieve every goal. A goal needs a successful call with its values (a value
 * of an earlier result where it refers to one), and a statement on it that reports what this call returned. Nothing in
 * the answer may be invented, and it may not be a heap of results.
 */
export const makeSuccessJudge =
  (temper: JudgeTemper) =>
  (variables: ReadonlyMap<string, unknown>, cards: Cards): unknown => {
    const goals = z.array(z.string()).catch([]).parse(variables.get('goals'));
    const calls = z.array(shownCall).catch([]).parse(variables.get('calls'));
    const request = textOfVariable(variables, 'request');
    const response = textOfVariable(variables, 'response');
    const statements = splitIntoStatements(response);
    const near = makeNearnessMeasure(cards);
    const verdicts = goals.map((goal) => judgeGoal(goal, { calls, response, statements, near, cards, temper }));
    const objection =
      temper === 'lenient'
        ? null
        : (objectionToInventedAnswerValue(statements, request, calls) ??
          objectionToResultHeap(response, calls, verdicts) ??
          (temper === 'strict' ? objectionToFailedCall(calls) : null));
    const missed = verdicts.flatMap(({ achieved }, at) => (achieved ? [] : [at + 1]));
    return {
      goals: verdicts.map(({ achieved, why }, at) => ({ goal: at + 1, why, achieved })),
      why: objection ?? (missed.length === 0 ? 'Every goal was achieved.' : `Not achieved: ${missed.join(', ')}.`),
      success: goals.length > 0 && missed.length === 0 && objection === null,
    };
  };

interface Attempt {
  readonly calls: readonly ShownCall[];
  readonly response: string;
  readonly statements: readonly Statement[];
  readonly near: Nearness;
  readonly cards: Cards;
  readonly temper: JudgeTemper;
}

/** How a goal begins that states the right answer. */
const rightAnswer = /^The answer agrees with the right one, which is: (.+)$/su;

/** A right answer is reached where a successful call returned it and the answer says it. */
const judgeRightAnswer = (truth: string, { calls, response }: Attempt): Verdict => {
  const serving = calls.filter(({ outcome, result }) => outcome === 'success' && oneLine(result).includes(truth));
  const numbers = serving.map(({ call }) => call).join(', ');
  if (serving.length === 0) return { achieved: false, why: 'No call returned the right answer.', calls: [] };
  return oneLine(response).includes(truth)
    ? { achieved: true, why: `Calls ${numbers} returned the right answer, and the answer says it.`, calls: serving }
    : { achieved: false, why: `The answer does not say what calls ${numbers} returned.`, calls: serving };
};

const judgeGoal = (goal: string, attempt: Attempt): Verdict => {
  const truth = rightAnswer.exec(goal)?.[1];
  if (truth !== undefined) return judgeRightAnswer(oneLine(truth), attempt);
  const { calls, statements, near, cards, temper } = attempt;
  const serving = listCallsServingGoal(goal, calls, cards);
  const numbers = serving.map(({ call }) => call).join(', ');
  if (serving.length === 0)
    return { achieved: false, why: 'No successful call has the right values for it.', calls: [] };
  if (temper === 'lenient') return { achieved: true, why: `Calls ${numbers} fit.`, calls: serving };
  const told = statements.filter((statement) => near(goal, statement) >= about);
  if (told.length === 0)
    return { achieved: false, why: `The answer does not report on it; calls ${numbers} would fit.`, calls: serving };
  const reported = told.find(
    (statement) => statement.manner === 'done' && serving.some((call) => statementReportsCall(statement, call, goal)),
  );
  return reported === undefined
    ? { achieved: false, why: `The answer does not say what calls ${numbers} returned.`, calls: serving }
    : { achieved: true, why: `Calls ${numbers} fit, and the answer reports their outcome.`, calls: serving };
};

/** Returns the successful calls that can have achieved a goal, by their arguments; any tool that does what its words ask. */
export const listCallsServingGoal = (goal: string, calls: readonly ShownCall[], cards: Cards): ShownCall[] => {
  const tools = listAllCardTools(cards);
  const sure = interpretRequest(goal, tools).flatMap(({ readings }) =>
    readings.filter(({ score }) => score >= certain),
  );
  const { text, literals } = maskLiterals(goal);
  const values = [...listMaskedLiterals(text, literals), ...listNumbersInMasked(text)];
  const words = new Set(stemsOfContentWords(text));
  return calls.filter((call, at) => {
    if (call.outcome !== 'success') return false;
    const earlier = calls.slice(0, at).filter(({ outcome }) => outcome === 'success');
    if (sure.length > 0) return sure.some((reading) => callFitsReading(reading, call, earlier));
    return (
      values.every((value) => argumentsHaveValue(call.arguments, value)) &&
      (values.length > 0 ||
        stemsOfContentWords(splitIdentifierIntoWords(call.tool).join(' ')).some((word) => words.has(word)))
    );
  });
};

/** Returns whether a call is the one that a reading asks for: its tool, the stated values, and values of earlier results. */
const callFitsReading = ({ tool, slots }: Reading, call: ShownCall, earlier: readonly ShownCall[]): boolean =>
  tool.name === call.tool &&
  Object.entries(slots).every(([slot, meant]) =>
    argumentHasMeantValue(meant, argumentByName(call.arguments, slot), earlier),
  );

const argumentByName = (args: unknown, name: string): unknown =>
  z.record(z.string(), z.unknown()).catch({}).parse(args)[name];

const argumentHasMeantValue = (meant: Meant, argument: unknown, earlier: readonly ShownCall[]): boolean =>
  meant.kind === 'stated'
    ? argumentsHaveValue(argument, meant)
    : listPlainValues(argument).some(
        (leaf) => oneLine(leaf) !== oneLine(meant.words) && earlier.some(({ result }) => resultHasValue(result, leaf)),
      );

/** Returns whether a result has a value as it is, as JSON writes it, or as a number that rounds to it. */
const resultHasValue = (result: string, leaf: string): boolean => {
  const text = oneLine(result);
  const forms = [oneLine(leaf), oneLine(JSON.stringify(leaf).slice(1, -1))].filter((form) => form !== '');
  if (forms.some((form) => text.includes(form))) return true;
  const number = Number(leaf);
  return (
    leaf.trim() !== '' &&
    Number.isInteger(number) &&
    (text.match(/-?\d+(?:\.\d+)?/gu) ?? []).some((found) => Math.round(Number(found)) === number)
  );
};

const argumentsHaveValue = (args: unknown, { text, value }: Pick<Literal, 'text' | 'value'>): boolean => {
  const leaves = listPlainValues(args).map(oneLine);
  if (typeof value === 'object')
    return listPlainValues(value).every((item) => leaves.some((leaf) => leaf.includes(oneLine(item))));
  return leaves.some((leaf) => leaf.includes(oneLine(text)) || leaf === String(value));
};

/** Returns every plain value in arguments, as text. */
export const listPlainValues = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => listPlainValues(item));
  if (typeof value === 'object' && value !== null)
    return Object.values(value).flatMap((item: unknown) => listPlainValues(item));
  if (typeof value === 'string') return [value];
  return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
};

/** A text on one line, without the spaces by which writers of JSON differ: an agent may quote a value that it has read. */
const withoutLayout = (text: string): string => oneLine(text).replace(/\s*([{}[\]:,])\s*/gu, '$1');

/** Returns whether a statement reports what a call returned: the beginning of its text, or values that only it gave. */
const statementReportsCall = (statement: Statement, { result }: ShownCall, goal: string): boolean => {
  const text = withoutLayout(result);
  const told = withoutLayout(statement.report).replace(/(?:\.{3}|…)$/u, '');
  if (text === '') return statement.report === '' || told === '(nothing)';
  if (told.length >= 2 && text.includes(told)) return true;
  const asked = makeValueOccurrenceCheck([goal]);
  const given = makeValueOccurrenceCheck([result]);
  const news = statement.values.filter((value) => !asked(value));
  return news.length > 0 && news.every(given);
};

/** Returns an objection to the first call that failed; null without one. */
const objectionToFailedCall = (calls: readonly ShownCall[]): string | null => {
  const failed = calls.find(({ outcome }) => outcome !== 'success');
  return failed === undefined ? null : `Call ${failed.call} failed.`;
};

/** Returns which value of the answer nobody gave; null if each is in the request or in a successful result. */
const objectionToInventedAnswerValue = (
  statements: readonly Statement[],
  request: string,
  calls: readonly ShownCall[],
): string | null => {
  // What only the judge does not see may well be there.
  if (calls.some(({ result }) => result.includes('[left out here:'))) return null;
  const results = calls.map(({ result }) => result);
  const given = makeValueOccurrenceCheck([request, ...results]);
  // The report of a long result may end within a value.
  const isCutOff = ({ text }: Statement, value: Literal): boolean =>
    text.includes(`${value.text}...`) && results.some((result) => result.includes(value.text));
  const laidOut = withoutLayout(results.join('\n'));
  const isQuoted = ({ text }: Literal): boolean =>
    /[{[]/u.test(text) && laidOut.includes(withoutLayout(text).replace(/\.{3}$|…$/u, ''));
  const invented = statements
    .flatMap((statement) => statement.values.filter((value) => !isCutOff(statement, value)))
    .find((value) => !given(value) && !isQuoted(value));
  return invented === undefined ? null : `No result has ${invented.text.slice(0, 60)}.`;
};

/** Characters of a result that show that the answer repeats it. */
const heapChars = 60;

/** Returns an objection if the answer repeats more results that served no goal than results that did; null if not. */
const objectionToResultHeap = (
  response: string,
  calls: readonly ShownCall[],
  verdicts: readonly Verdict[],
): string | null => {
  const told = oneLine(response);
  const served = new Set(verdicts.flatMap((verdict) => verdict.calls));
  const repeated = calls.filter(
    ({ outcome, result }) =>
      outcome === 'success' && result.length >= 8 && told.includes(oneLine(result).slice(0, heapChars)),
  );
  const idle = repeated.filter((call) => !served.has(call)).length;
  return idle > repeated.length - idle ? `The answer repeats ${idle} results that nobody asked for.` : null;
};

const toolsByCards = new WeakMap<Cards, readonly KnownTool[]>();

/** Returns all tools that have cards; the same list each time. */
const listAllCardTools = (cards: Cards): readonly KnownTool[] => {
  const known =
    toolsByCards.get(cards) ??
    toolsOfPrompt(
      [...cards.keys()].map((name) => ({ name })),
      cards,
    );
  toolsByCards.set(cards, known);
  return known;
};
