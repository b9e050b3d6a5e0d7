import type { ModelLoop } from '#core/benchmarks/protocols/loops.ts';
import { prompts } from './shipped.ts';
import type { PromptTemplate } from './template.ts';

export { prompts } from './shipped.ts';
export {
  parsePrompt,
  PromptVariableError,
  renderPromptMessagesOrThrow as render,
  type PromptTemplate,
} from './template.ts';

/** The prompts of each agent loop; the first opens the conversation. */
export const loopPrompts: Readonly<Record<ModelLoop, readonly [PromptTemplate, ...PromptTemplate[]]>> = {
  'function-calling': [prompts.agent],
  'prompted-calling': [prompts.agentPrompted],
  planning: [prompts.agentPlanning, prompts.agentSummary, prompts.agentFinal],
  routing: [prompts.agentRouting],
  'tool-search': [prompts.agentToolSearch],
  code: [prompts.agentCode],
};

/** The prompt in use of a name; throws where none is shipped. */
export function getPromptOrThrow(name: string): PromptTemplate {
  const found = Object.values<PromptTemplate>(prompts).find(({ id }) => id.startsWith(`${name}@`));
  if (found === undefined) throw new Error(`there is no prompt ${name}`);
  return found;
}
