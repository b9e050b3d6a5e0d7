import type { Step, Trace } from '#core/traces/trace.ts';
import { type Call, distinctTransitions, type Transition } from '#core/traces/transitions.ts';
import { hasValueFrom } from '#core/traces/passed-values.ts';

/** Returns a trace's calls in order of issue, as the transition registry needs them. */
export const toolCalls = (trace: Pick<Trace, 'steps'>): Call[] =>
  trace.steps.map(({ tool, outcome }) => ({ tool, ok: outcome === 'success' }));

/** Returns the called tools in order of issue, including failed calls. */
export const toolSequence = (trace: Pick<Trace, 'steps'>): string[] => trace.steps.map(({ tool }) => tool);

/**
 * Returns the transitions of a trace in which a value was passed: a string or number among the later call's arguments
 * occurs, as a whole word or number, in the result of an earlier successful call, but not in the request. The result
 * may be of any earlier step, because chains often carry a value along. Letter case is ignored; booleans never count.
 * Results are read from the steps' excerpts. The cost is the number of values times the length of the earlier texts.
 */
export const valuePassingTransitions = (trace: Pick<Trace, 'steps'>, request: string): Transition[] => {
  const wanted = request.toLowerCase();
  const earlier: string[] = [];
  const passed: Transition[] = [];
  let previous: Step | undefined;
  for (const step of trace.steps) {
    if (step.outcome !== 'success') continue;
    if (previous && previous.tool !== step.tool && hasValueFrom(step.arguments, earlier, wanted))
      passed.push([previous.tool, step.tool]);
    earlier.push(step.text.toLowerCase());
    previous = step;
  }
  return distinctTransitions(passed);
};
