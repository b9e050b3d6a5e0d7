import type { Tool } from '#core/catalog/tool.ts';
import { Steps } from '#core/values/json-schema/steps.ts';
import type { FailureContext } from '#core/traces/classify-failure.ts';
import { holdsRedactedValue } from '#core/traces/redaction/marker.ts';
import { traceWithFailuresClassifiedByRules, isFailureWithoutClass } from '#core/traces/classify-trace.ts';
import type { Step, Trace } from '#core/traces/trace.ts';
import { compareArgumentsWithSchema } from './argument-check.ts';

/** Steps that the checks of a trace's failed calls, and those of the others, may take together; further calls stay unchecked. */
const traceSteps = 400_000;

/**
 * Classifies a trace's failed calls as far as rules go, and notes how each call relates to the tools; `tools` are the mounted
 * ones.
 */
export function traceWithCallsClassifiedByRules(
  trace: Trace,
  tools: readonly Pick<Tool, 'name' | 'inputSchema'>[],
): Trace {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  // Failed calls come first, so that others never leave them unchecked.
  const budgets = { failed: new Steps(traceSteps), other: new Steps(traceSteps) };
  const contexts = new Map<Step, FailureContext>();
  for (const step of [...trace.steps.filter(isFailureWithoutClass), ...trace.steps])
    if (!contexts.has(step))
      contexts.set(
        step,
        makeFailureContextOfStep(
          step,
          byName.get(step.tool),
          isFailureWithoutClass(step) ? budgets.failed : budgets.other,
        ),
      );
  const contextOf = (step: Step): FailureContext => {
    const found = contexts.get(step);
    if (found === undefined) throw new Error('a step was not checked');
    return found;
  };
  const classified = traceWithFailuresClassifiedByRules(trace, contextOf);
  const forms = trace.steps.map((step) => classifyCallFitToSchema(step, contextOf(step)));
  return {
    ...classified,
    steps: classified.steps.map((step, place) => {
      const form = forms[place];
      return form === undefined ? step : { ...step, form };
    }),
  };
}

function makeFailureContextOfStep(
  step: Step,
  tool: Pick<Tool, 'inputSchema'> | undefined,
  steps: Steps,
): FailureContext {
  // Valid arguments that were never sent: the model wrote the tool's own name instead of the function's.
  const unsent = isFailureWithoutClass(step) && step.sha256 === null && step.arguments !== null;
  if (tool === undefined || step.arguments === null || unsent) {
    return { toolExists: tool !== undefined && !unsent, unknownKeys: [], violatesSchema: null };
  }
  const check = compareArgumentsWithSchema(tool.inputSchema, step.arguments, steps);
  // What does not fit may be what was redacted.
  const isUnclear = check.violatesSchema === true && holdsRedactedValue(step.arguments);
  return { toolExists: true, ...(isUnclear ? { violatesSchema: null, unknownKeys: [] } : check) };
}

function classifyCallFitToSchema(
  { arguments: args }: Pick<Step, 'arguments'>,
  { toolExists, violatesSchema }: FailureContext,
): NonNullable<Step['form']> {
  if (!toolExists) return 'no-tool';
  if (args === null) return 'violates';
  return violatesSchema === null ? 'unchecked' : violatesSchema ? 'violates' : 'fits';
}
