import type { Tool } from '#core/catalog/tool.ts';
import type { ModelLoop } from '#core/benchmarks/protocols/loops.ts';
import type { FunctionDefinition } from '#core/ports.ts';
import type { LoopResult } from './attempt-log.ts';
import { codeFunctions, codePromptVariables, runCodeAttempt } from './code.ts';
import { listFunctionsOfTools, runFunctionCallingAttempt } from './function-calling.ts';
import type { Opening } from './opening.ts';
import { planningPromptVariables, runPlanningAttempt, type PlanningInput } from './planning.ts';
import { runPromptedCallingAttempt, listToolsForPrompt } from './prompted-calling.ts';
import { routingFunctions, runRoutingAttempt } from './routing.ts';
import { listFirstFunctions, runToolSearchAttempt } from './tool-search.ts';

/** What a loop may need. */
type LoopInput = PlanningInput;

interface AgentLoop {
  /** The values for the prompt that opens the conversation. */
  promptVariables(opening: Opening): Readonly<Record<string, unknown>>;
  /** What the model can call by functions in its first turn; `shown` are the tools that it has although it searches. */
  functions(tools: readonly Tool[], shown?: readonly string[]): readonly FunctionDefinition[];
  run(input: LoopInput): Promise<LoopResult>;
}

const getEmptyFunctionList = (): readonly FunctionDefinition[] => [];

export const agentLoops: Readonly<Record<ModelLoop, AgentLoop>> = {
  'function-calling': {
    promptVariables: ({ request, date, instructions }) => ({ request, date, instructions }),
    functions: (tools) => listFunctionsOfTools(tools),
    run: runFunctionCallingAttempt,
  },
  'prompted-calling': {
    promptVariables: ({ request, date, tools, instructions }) => ({
      request,
      date,
      tools: listToolsForPrompt(tools),
      instructions,
    }),
    functions: getEmptyFunctionList,
    run: runPromptedCallingAttempt,
  },
  planning: {
    promptVariables: planningPromptVariables,
    functions: getEmptyFunctionList,
    run: runPlanningAttempt,
  },
  routing: {
    promptVariables: ({ request, date }) => ({ request, date }),
    functions: () => routingFunctions,
    run: runRoutingAttempt,
  },
  'tool-search': {
    promptVariables: ({ request, date }) => ({ request, date }),
    functions: listFirstFunctions,
    run: runToolSearchAttempt,
  },
  code: {
    promptVariables: codePromptVariables,
    functions: codeFunctions,
    run: runCodeAttempt,
  },
};
