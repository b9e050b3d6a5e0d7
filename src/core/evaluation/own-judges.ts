import type { StoredModel } from '#core/models/choices.ts';
import { modelsOfAgent, type StoredAgent } from './config.ts';

/** Warns of agents that a judge of the same model judges: models tend to prefer what they wrote themselves. */
export function listOwnJudgeWarnings(
  agents: readonly StoredAgent[],
  { judge, panel }: { readonly judge: StoredModel; readonly panel: readonly StoredModel[] },
): string[] {
  const judges = new Set([judge, ...panel].map(({ model }) => model));
  return agents.flatMap((agent) => {
    const own = listModelNamesOfAgent(agent).filter((model) => judges.has(model));
    return own.map((model) => `the agent ${agent.name} is judged by its own model, ${model}`);
  });
}

function listModelNamesOfAgent(agent: StoredAgent): readonly string[] {
  if (agent.loop !== 'uploaded') return modelsOfAgent(agent).map(({ model }) => model);
  return agent.configuration.model === null ? [] : [agent.configuration.model];
}
