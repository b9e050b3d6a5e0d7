import type { Tool } from '#core/catalog/tool.ts';
import { Steps } from '#core/json-schema/steps.ts';
import type { FailureContext } from '#core/traces/classify-failure.ts';
import { classifyTraceByRules } from '#core/traces/classify-trace.ts';
import type { Step, Trace } from '#core/traces/trace.ts';
import { compareArgumentsWithSchema } from './argument-check.ts';

/** Steps that all checks of a trace may take together; further calls stay undecided unless their text decides. */
const traceSteps = 400_000;

/** Classifies a trace's failed calls as far as rules go; `tools` are the mounted ones. */
export function classifyFailuresByRules(trace: Trace, tools: readonly Pick<Tool, 'name' | 'inputSchema'>[]): Trace {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const steps = new Steps(traceSteps);
  return classifyTraceByRules(trace, (step) => makeFailureContext(step, byName.get(step.tool), steps));
}

function makeFailureContext(step: Step, tool: Pick<Tool, 'inputSchema'> | undefined, steps: Steps): FailureContext {
  // Valid arguments that were never sent: the model wrote the tool's own name instead of the function's.
  const unsent = step.sha256 === null && step.arguments !== null;
  if (tool === undefined || step.arguments === null || unsent) {
    return { toolExists: tool !== undefined && !unsent, unknownKeys: [], violatesSchema: null };
  }
  return { toolExists: true, ...compareArgumentsWithSchema(tool.inputSchema, step.arguments, steps) };
}
