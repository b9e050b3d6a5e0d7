import type { Step, Trace } from '#core/traces/trace.ts';
import { type Call, distinct, type Transition } from '#core/traces/transitions.ts';
import { takesValueFrom } from '#core/traces/values.ts';

/** A trace's calls in order of issue, as the transition registry takes them. */
export const toolCalls = (trace: Pick<Trace, 'steps'>): Call[] =>
  trace.steps.map(({ tool, outcome }) => ({ tool, ok: outcome === 'success' }));

/** The tools called, in order of issue, failed calls among them. */
export const toolSequence = (trace: Pick<Trace, 'steps'>): string[] => trace.steps.map(({ tool }) => tool);

/**
 * The transitions of a trace in which a value was passed: some string or number among the later call's arguments occurs, as
 * a whole word or number, in the result of an earlier successful call, and does not occur in the request. The result may be of
 * any earlier step, since a chain often brings a value along. Letter case does not count; booleans never do.
 *
 * Results are read from the steps' excerpts.
 * The cost is the number of values times the length of the earlier texts.
 */
export const valuesPassed = (trace: Pick<Trace, 'steps'>, request: string): Transition[] => {
  const wanted = request.toLowerCase();
  const earlier: string[] = [];
  const passed: Transition[] = [];
  let previous: Step | undefined;
  for (const step of trace.steps) {
    if (step.outcome !== 'success') continue;
    if (previous && previous.tool !== step.tool && takesValueFrom(step.arguments, earlier, wanted))
      passed.push([previous.tool, step.tool]);
    earlier.push(step.text.toLowerCase());
    previous = step;
  }
  return distinct(passed);
};
