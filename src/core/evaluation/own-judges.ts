import type { StoredModel } from '#core/models/choices.ts';
import { isModelAgent, type StoredAgent } from './config.ts';

/** Warns of agents that a judge of the same model judges: models tend to prefer what they wrote themselves. */
export function listOwnJudgeWarnings(
  agents: readonly StoredAgent[],
  { judge, panel }: { readonly judge: StoredModel; readonly panel: readonly StoredModel[] },
): string[] {
  const judges = new Set([judge, ...panel].map(({ model }) => model));
  return agents.flatMap((agent) => {
    const model = modelNameOfAgentOrNull(agent);
    return model !== null && judges.has(model) ? [`the agent ${agent.name} is judged by its own model, ${model}`] : [];
  });
}

const modelNameOfAgentOrNull = (agent: StoredAgent): string | null =>
  isModelAgent(agent) ? agent.model.model : agent.loop === 'uploaded' ? agent.configuration.model : null;
