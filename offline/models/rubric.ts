import { z } from 'zod';
import { clausesOf, makeValueOccurrenceCheck, scoreIntentsCoveredByStatements, textOfVariable } from './coverage.ts';
import { splitIntoStatements } from './statements.ts';
import { listPlainValues, listCallsServingGoal, shownCall } from './success.ts';
import type { Cards } from './tools.ts';

const shownRound = z.looseObject({ round: z.number().catch(0), calls: z.array(shownCall).catch([]) });
type ShownRound = z.infer<typeof shownRound>;
const shownRubric = z.array(z.looseObject({ parts: z.array(z.looseObject({ part: z.string() })) })).catch([]);

/** A share that was counted, 0..1, and what was counted. */
interface Counted {
  readonly share: number;
  readonly why: string;
}

/** Returns a share as a mark from 1 to 10, as the prompt demands: a fifth of the way is two marks. */
const markOfShare = (share: number): number => Math.min(10, Math.max(1, Math.ceil(share * 10)));

/**
 * Form `rubric`: six shares, counted from calls and answer, in the order in which the rubric has them. A name in the rubric that the
 * rules do not know has the lowest mark.
 */
export const answerRubricForm = (variables: ReadonlyMap<string, unknown>, cards: Cards): unknown => {
  const rounds = z.array(shownRound).catch([]).parse(variables.get('rounds'));
  const task = textOfVariable(variables, 'task');
  const request = textOfVariable(variables, 'request');
  const response = textOfVariable(variables, 'response');
  const calls = rounds.flatMap((round) => round.calls);
  const counted: Readonly<Record<string, Counted>> = {
    fulfilment: shareOfClausesAnswered(
      task,
      response,
      calls.some(({ outcome }) => outcome === 'success'),
      cards,
    ),
    grounding: shareOfValuesGrounded([request, ...calls.map(({ result }) => result)], response),
    choice: shareOfFittingCalls(task, rounds, cards),
    parameters: shareOfMatchingItems(
      calls,
      ({ outcome }) => outcome === 'success',
      'calls were accepted with their arguments',
    ),
    order: shareOfCallsWithKnownValues(`${task}\n${request}`, rounds),
    economy: shareOfNeededCalls(`${task}\n${request}`, rounds),
  };
  return {
    marks: shownRubric
      .parse(variables.get('rubric'))
      .flatMap(({ parts }) => parts)
      .map(({ part }) => {
        const { share, why } = counted[part] ?? { share: 0, why: 'Nothing is known of this part.' };
        return { part, why, mark: markOfShare(share) };
      }),
  };
};

const shareOfMatchingItems = <T>(all: readonly T[], isGood: (one: T) => boolean, what: string): Counted => {
  const good = all.filter(isGood).length;
  return { share: all.length === 0 ? 0 : good / all.length, why: `${good} of ${all.length} ${what}.` };
};

/** How much of the task's clauses the answer covers; little counts where no call succeeded. */
const shareOfClausesAnswered = (task: string, response: string, hasResults: boolean, cards: Cards): Counted => {
  const clauses = clausesOf(task);
  const wanted = clauses.length === 0 ? [task] : clauses;
  const covered = scoreIntentsCoveredByStatements(wanted, splitIntoStatements(response), cards);
  const sum = covered.reduce((all, { score }) => all + (hasResults ? score : Math.min(score, 0.2)), 0);
  return { share: sum / wanted.length, why: `The answer covers ${sum.toFixed(1)} of ${wanted.length} parts.` };
};

/** The share of the answer's values that the request or a result has; an answer without values states nothing that could be wrong. */
const shareOfValuesGrounded = (texts: readonly string[], response: string): Counted => {
  const values = splitIntoStatements(response).flatMap((statement) => statement.values);
  if (response.trim() === '') return { share: 0, why: 'There is no answer.' };
  if (values.length === 0) return { share: 1, why: 'The answer states no values.' };
  return shareOfMatchingItems(values, makeValueOccurrenceCheck(texts), 'values of the answer have a source');
};

const shareOfFittingCalls = (task: string, rounds: readonly ShownRound[], cards: Cards): Counted => {
  const calls = rounds.flatMap((round) => round.calls);
  const fitting = new Set(clausesOf(task).flatMap((clause) => listCallsServingGoal(clause, calls, cards)));
  return shareOfMatchingItems(calls, (call) => fitting.has(call), 'calls fit a part of the task');
};

/** The share of calls all of whose values the task has, or a result of an earlier round. */
const shareOfCallsWithKnownValues = (task: string, rounds: readonly ShownRound[]): Counted =>
  shareOfMatchingItems(
    pairCallsWithEarlierResults(rounds),
    ({ values, earlier }) =>
      values.every((value) => lettersAndDigitsOf(task).includes(value) || earlier.includes(value)),
    'calls had values that were known by then',
  );

/** The share of calls that repeat no other, and could not have been made a round earlier. */
const shareOfNeededCalls = (task: string, rounds: readonly ShownRound[]): Counted => {
  const seen = new Set<string>();
  return shareOfMatchingItems(
    pairCallsWithEarlierResults(rounds),
    ({ tool, json, values, earlier, isFirst }) => {
      const key = `${tool} ${json}`;
      const isRepeated = seen.has(key);
      seen.add(key);
      const isWaiting = values.some((value) => !lettersAndDigitsOf(task).includes(value) && earlier.includes(value));
      return !isRepeated && (isFirst || isWaiting);
    },
    'calls were needed and made as early as possible',
  );
};

/** Returns a text such that `SHA-256` and `sha256` are the same. */
const lettersAndDigitsOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Returns each call with the values of its arguments, and the results of all rounds before its own. */
const pairCallsWithEarlierResults = (rounds: readonly ShownRound[]) =>
  rounds.flatMap((round, at) => {
    const earlier = lettersAndDigitsOf(
      rounds
        .slice(0, at)
        .flatMap(({ calls }) => calls.map(({ result }) => result))
        .join('\n'),
    );
    return round.calls.map(({ tool, arguments: args }) => ({
      tool,
      json: JSON.stringify(args),
      values: listPlainValues(args)
        .map(lettersAndDigitsOf)
        .filter((value) => value.length >= 2),
      earlier,
      isFirst: at === 0,
    }));
  });
