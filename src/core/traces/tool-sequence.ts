import { hasSucceeded } from './step-outcome.ts';
import { replacePlaceholdersByUris } from '#core/values/placeholders.ts';
import type { Step, Trace } from './trace.ts';
import { type Call, distinctTransitions, groupCallsByTurn, type Transition } from './transitions.ts';
import { hasEarlierValueNotInRequest } from './passed-values.ts';

/** Returns a trace's calls in order of issue, as the transition registry needs them. Failed calls are among them, with `ok` false. */
export const listCallsWithSuccessFlag = (trace: Pick<Trace, 'steps'>): Call[] =>
  trace.steps.map((step) => ({ tool: step.tool, ok: hasSucceeded(step), turn: step.turn }));

/** Returns the called tools in order of issue, including failed calls. */
export const listCalledTools = (trace: Pick<Trace, 'steps'>): string[] => trace.steps.map(({ tool }) => tool);

/**
 * Returns the transitions of a trace in which a value was passed: a string or number among the later call's arguments
 * occurs, as a whole word or number, in the result of the transition's first call or of a successful call of a turn
 * before it, but not in the request. Earlier turns count because chains often carry a value along; another call of the
 * same turn does not. Letter case is ignored; booleans never count. Results are read from the steps' excerpts, without
 * what we wrote in place of other content. The cost is the number of values times the length of the earlier texts.
 */
export const valuePassingTransitions = (trace: Pick<Trace, 'steps'>, request: string): Transition[] => {
  const wanted = request.toLowerCase();
  const turns = groupCallsByTurn(trace.steps.filter(hasSucceeded));
  const earlier: string[] = [];
  const passed: Transition[] = [];
  for (const [index, turn] of turns.entries()) {
    const before = turns[index - 1] ?? [];
    for (const step of turn) {
      const carried = hasEarlierValueNotInRequest(step.arguments, earlier, wanted);
      for (const result of before)
        if (
          result.tool !== step.tool &&
          (carried || hasEarlierValueNotInRequest(step.arguments, [comparableText(result)], wanted))
        )
          passed.push([result.tool, step.tool]);
    }
    earlier.push(...before.map(comparableText));
  }
  return distinctTransitions(passed);
};

const comparableText = ({ text, truncated }: Step): string => replacePlaceholdersByUris(text, truncated).toLowerCase();
