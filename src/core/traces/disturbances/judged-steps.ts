import type { Step, Trace } from '#core/traces/trace.ts';

/**
 * Returns the steps of a trace with what servers themselves answered in place of what a disturbance made of it: an answer is judged by
 * the truth. Where the server was not called, or its answer was lost, the step stays as the agent saw it.
 */
export function stepsAsAnsweredByServers({ steps, disturbance }: Pick<Trace, 'steps' | 'disturbance'>): Step[] {
  const original = disturbance?.original;
  if (original === undefined) return steps;
  // The canary tool has no server.
  const at = steps.findIndex(({ disturbed, tool }) => disturbed === true && tool !== disturbance?.canary?.tool);
  return steps.map((step, index) => (index === at && step.outcome === 'success' ? stepWithText(step, original) : step));
}

/** What was made of the changed text, such as a summary, says nothing of this one. */
function stepWithText(
  { summary: _summary, reported: _reported, failure: _failure, ...step }: Step,
  text: string,
): Step {
  return { ...step, text, failure: null };
}
