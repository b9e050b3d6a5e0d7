import { guardedFetch } from '#adapters/network/guarded-fetch.ts';
import { connectToStored } from '#adapters/mcp/stored-servers.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { modelAnswerBounds, openAiModels, type ModelConfig } from '#adapters/model/openai.ts';
import { prompts } from '#adapters/prompts/index.ts';
import { openSecret } from '#adapters/secrets/stored.ts';
import { deploymentModel, settingsSchema, type Settings } from '#adapters/settings.ts';
import type { ServerConnection } from '#core/catalog/server.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { explorationRole, modelKeyContext, type StoredModel } from '#core/models/choices.ts';
import type { ChatModel, FactIndex, ModelRole, Questioner, ToolConnections } from '#core/ports.ts';
import { factIndex } from '#adapters/vector/fact-index.ts';
import { resting } from '#adapters/vector/resting.ts';
import { openStore } from '#adapters/vector/stores.ts';
import type { KnowledgeIndex } from '#durable-objects/knowledge/knowledge-index.ts';
import { unitIndex, type UnitIndex } from './unit-index.ts';
import { callsTo, type Calls } from '../calls.ts';
import { embeddedIndex } from './embedded-index.ts';
import type { RunContext } from '#durable-objects/exploration/exploration-run.ts';
import type { DrivenRun } from '../driven.ts';

/** What the steps of an instance work with: what the run decided, models, connections to servers, the fact index. */
export interface StepServices {
  /** Through which the instance sends all its requests, and which counts them. */
  readonly admission: Admission;
  context(): Promise<RunContext>;
  models(): Promise<Questioner & ChatModel>;
  connect(servers: readonly ServerConnection[], tools: readonly Tool[]): Promise<ToolConnections>;
  /** Null where the run has none. */
  facts(): Promise<FactIndex | null>;
  /** The run's own index of units, by which near-duplicates are found. */
  readonly unitIndex: UnitIndex;
}

const maxCompletionTokens = 16_000;

/** What the services need of the Worker beside its variables. */
export interface StepEnv {
  readonly KNOWLEDGE_INDEX: DurableObjectNamespace<KnowledgeIndex>;
}

/** The services for driving a run, from the deployment's variables. */
export function stepServices(
  env: StepEnv,
  id: string,
  { run, admission }: { readonly run: Calls<Pick<DrivenRun, 'context'>>; readonly admission: Admission },
): StepServices {
  const settings = settingsSchema.parse(env);
  const context = once(() => run((object) => object.context()));
  const indexes = (index: string) => callsTo(() => env.KNOWLEDGE_INDEX.getByName(index), admission);
  return {
    admission,
    context,

    models: once(async () => {
      const { models: stored } = await context();
      const fetch = guardedFetch({ admission, allowLocal: settings.ALLOW_LOCAL_SERVERS, ...modelAnswerBounds });
      const roles = await Promise.all(
        explorationRole.options.map(async (role) => [role, await modelConfig(settings, role, stored[role])] as const),
      );
      return openAiModels(Object.fromEntries(roles), { admission, fetch, repair: prompts.repair });
    }),

    connect: (servers, tools) => connectToStored(settings, servers, tools, { admission }),

    facts: once(async () => {
      const { knowledge } = await context();
      if (knowledge === null) return null;
      const { index, namespace } = knowledge;
      const opened = await openStore(index, settings, embeddedIndex(indexes(index.id)), admission);
      if (opened.ok) return resting(factIndex(opened.value, namespace), Date.now);
      const { fault } = opened;
      return { search: async () => ({ ok: false, fault, calls: [] }) };
    }),

    unitIndex: unitIndex(id, indexes(`${id}-units`), settings, admission),
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
