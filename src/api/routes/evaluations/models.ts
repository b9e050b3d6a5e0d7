import type { z } from 'zod';
import type { Admission } from '#adapters/network/admission.ts';
import type { Settings } from '#adapters/settings.ts';
import { isModelAgent, type agentChoice, type StoredAgent } from '#core/evaluation/config.ts';
import type { NewEvaluation } from '#core/evaluation/record.ts';
import type { ModelChoice } from '#core/models/choices.ts';
import { requireModels, type NamedModel } from '../../model-check.ts';
import { storeModel } from '../../stored-model.ts';

type AgentChoice = z.infer<typeof agentChoice>;

/** The agents and judges of an evaluation as it stores them, keys encrypted; refused where an endpoint lacks a model that is needed. */
export async function storedModels(
  choices: readonly AgentChoice[],
  judges: boolean,
  { judge, embedder }: { readonly judge: ModelChoice | undefined; readonly embedder: ModelChoice | undefined },
  settings: Settings,
  admission: Admission,
): Promise<Pick<NewEvaluation, 'agents' | 'judge' | 'embedder'>> {
  const stored = {
    agents: await Promise.all(choices.map((choice) => storedAgent(choice, settings))),
    judge: await storeModel('judge', judge, settings),
    embedder: await storeModel('embedder', embedder, settings),
  };
  const needed: NamedModel[] = stored.agents.flatMap((agent) =>
    isModelAgent(agent) ? [{ name: `the agent ${agent.name}`, role: 'agent', model: agent.model }] : [],
  );
  if (judges) needed.push({ name: 'the judge', role: 'judge', model: stored.judge });
  if (judges) needed.push({ name: 'the embedder', role: 'embedder', model: stored.embedder });
  await requireModels(needed, settings, admission);
  return stored;
}

async function storedAgent(choice: AgentChoice, settings: Settings): Promise<StoredAgent> {
  if (choice.loop === 'external') return choice;
  const { name, loop = 'function-calling', model, endpoint, limits } = choice;
  const stored = await storeModel('agent', endpoint && { ...endpoint, model }, settings);
  return { name, loop, limits, model: { ...stored, model } };
}
