import type { Tool } from '#core/catalog/tool.ts';
import type { ModelLoop } from '#core/evaluation/loops.ts';
import type { LoopResult } from './attempt-log.ts';
import type { AttemptInput } from './attempt.ts';
import { runFunctionCalling } from './function-calling.ts';
import { runPromptedCalling, toolsForPrompt } from './prompted-calling.ts';

interface AgentLoop {
  /** The values for the prompt that opens the conversation. */
  promptVariables(request: string, tools: readonly Tool[]): Readonly<Record<string, unknown>>;
  run(input: AttemptInput): Promise<LoopResult>;
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
};
