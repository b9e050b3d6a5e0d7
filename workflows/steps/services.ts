import { guardedFetch } from '#adapters/mcp/guarded-fetch.ts';
import { connectToStored } from '#adapters/mcp/stored-servers.ts';
import { openAiModels, type ModelConfig } from '#adapters/model/openai.ts';
import { prompts } from '#adapters/prompts/index.ts';
import { openSecret } from '#adapters/secrets/stored.ts';
import { deploymentModel, settingsSchema, type Settings } from '#adapters/settings.ts';
import type { ServerConnection } from '#core/catalog/server.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { explorationRole, modelKeyContext, type StoredModel } from '#core/exploration/models.ts';
import type { ChatModel, FactIndex, ModelRole, Questioner, ToolConnections } from '#core/ports.ts';
import { factIndex } from '#adapters/vector/fact-index.ts';
import { resting } from '#adapters/vector/resting.ts';
import { openStore } from '#adapters/vector/stores.ts';
import type { KnowledgeIndex } from '#durable-objects/knowledge-index.ts';
import { unitIndex, type UnitIndex } from './unit-index.ts';
import type { RunContext } from '#durable-objects/exploration-run.ts';
import type { DrivenRun } from '../driven-run.ts';

/** What the steps of an instance work with: what the run decided, models, connections to servers, the fact index. */
export interface StepServices {
  context(): Promise<RunContext>;
  models(): Promise<Questioner & ChatModel>;
  connect(servers: readonly ServerConnection[], tools: readonly Tool[]): Promise<ToolConnections>;
  /** Null where the run has none. */
  facts(): Promise<FactIndex | null>;
  /** The run's own index of units, by which near-duplicates are found. */
  readonly unitIndex: UnitIndex;
}

const modelAnswerBytes = 4 * 1024 * 1024;
const maxCompletionTokens = 16_000;

/** What the services need of the Worker beside its variables. */
export interface StepEnv {
  readonly KNOWLEDGE_INDEX: DurableObjectNamespace<KnowledgeIndex>;
}

/** The services for driving a run, from the deployment's variables. */
export function stepServices(env: StepEnv, id: string, run: Pick<DrivenRun, 'context'>): StepServices {
  const settings = settingsSchema.parse(env);
  const context = once(() => run.context());
  return {
    context,

    models: once(async () => {
      const { models: stored } = await context();
      const fetch = guardedFetch({ allowLocal: settings.ALLOW_LOCAL_SERVERS, maxBytes: modelAnswerBytes });
      const roles = await Promise.all(
        explorationRole.options.map(async (role) => [role, await modelConfig(settings, role, stored[role])] as const),
      );
      return openAiModels(Object.fromEntries(roles), { fetch, repair: prompts.repair });
    }),

    connect: (servers, tools) => connectToStored(settings, servers, tools),

    facts: once(async () => {
      const { knowledge } = await context();
      if (knowledge === null) return null;
      const { index, namespace } = knowledge;
      const opened = await openStore(index, settings, env.KNOWLEDGE_INDEX.getByName(index.id));
      if (opened.ok) return resting(factIndex(opened.value, namespace), Date.now);
      const { fault } = opened;
      return { search: async () => ({ ok: false, fault, calls: [] }) };
    }),

    unitIndex: unitIndex(id, env.KNOWLEDGE_INDEX.getByName(`${id}-units`), settings),
  };
}

/** A stored model with its key opened. */
export async function modelConfig(
  settings: Settings,
  role: ModelRole,
  { key, ...model }: StoredModel,
): Promise<ModelConfig> {
  // The endpoint is the client's: it must not see the deployment's key in the place of its own.
  if (key.kind === 'forgotten') throw new Error(`the key of the ${role} model is forgotten: its run is over`);
  const apiKey =
    key.kind === 'own'
      ? await openSecret(settings, key.encrypted, modelKeyContext(model.baseUrl))
      : deploymentModel(settings, role).apiKey;
  return { ...model, apiKey, timeoutMs: settings.MODEL_TIMEOUT_MS, maxCompletionTokens };
}

/** Makes something when it is first wanted, and again only where that failed: it is the same for all units of a run. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    }));
}
