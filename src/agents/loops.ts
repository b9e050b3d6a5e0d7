import type { Tool } from '#core/catalog/tool.ts';
import type { ModelLoop } from '#core/evaluation/loops.ts';
import type { AgentLimits } from '#core/models/limits.ts';
import type { LoopResult } from './attempt-log.ts';
import { runFunctionCalling } from './function-calling.ts';
import { planningVariables, runPlanning, type PlanningInput } from './planning.ts';
import { runPromptedCalling, toolsForPrompt } from './prompted-calling.ts';
import { runRouting } from './routing.ts';

/** What a loop may need. */
type LoopInput = PlanningInput;

interface AgentLoop {
  /** The values for the prompt that opens the conversation. */
  promptVariables(request: string, tools: readonly Tool[], limits: AgentLimits): Readonly<Record<string, unknown>>;
  run(input: LoopInput): Promise<LoopResult>;
}

export const agentLoops: Readonly<Record<ModelLoop, AgentLoop>> = {
  'function-calling': {
    promptVariables: (request) => ({ request }),
    run: runFunctionCalling,
  },
  'prompted-calling': {
    promptVariables: (request, tools) => ({ request, tools: toolsForPrompt(tools) }),
    run: runPromptedCalling,
  },
  planning: {
    promptVariables: planningVariables,
    run: runPlanning,
  },
  routing: {
    promptVariables: (request) => ({ request }),
    run: runRouting,
  },
};
