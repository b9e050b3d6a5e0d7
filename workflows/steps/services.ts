import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import type { ServerConnections } from '#adapters/mcp/server-connections.ts';
import { connectToStoredServers } from '#adapters/mcp/stored-servers.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { modelAnswerBounds, makeOpenAiModels, type ModelConfig } from '#adapters/model/openai.ts';
import { maxCompletionTokens } from '#adapters/model/model-config.ts';
import { prompts } from '#adapters/prompts/index.ts';
import { computeGovernorName } from '#adapters/secrets/governor-name.ts';
import { decryptStoredSecretOrThrow } from '#adapters/secrets/stored-secret.ts';
import { deploymentModel, settingsSchema, type Settings } from '#adapters/settings.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { explorationRole, modelKeyEncryptionContext, type StoredModel } from '#core/models/choices.ts';
import type { ChatModel, FactIndex, ModelRole, Questioner } from '#core/ports.ts';
import { attemptName } from '#core/traceparent.ts';
import { makeFactIndex } from '#adapters/vector/fact-index.ts';
import { makeIndexThatRestsAfterFailures } from '#adapters/vector/resting-index.ts';
import { openStore } from '#adapters/vector/stores.ts';
import type { EmbedderCalibration } from '#core/similarity/calibrate-embedder.ts';
import type { Unit } from '#core/units/unit.ts';
import type { Directory } from '#durable-objects/directory/directory.ts';
import type { KnowledgeIndex } from '#durable-objects/knowledge/knowledge-index.ts';
import type { RequestSide } from '#core/units/unit.ts';
import { makeUnitIndex, type UnitIndex } from './unit-index.ts';
import { makeRetryingObjectCaller, type Caller } from '../caller.ts';
import { makeGovernorCaller, type Governors } from './governors.ts';
import { openServerWorkspace, type Workspaces } from './server-workspace.ts';
import { makeRemoteEmbeddedIndex } from './embedded-index.ts';
import type { RunContext } from '#durable-objects/exploration/run-context.ts';
import type { DrivenRun } from '../called-objects.ts';

/** What the steps of an instance need: the run's settings, models, connections to servers, the fact index. */
export interface StepServices {
  /** Sends and counts all requests of the instance. */
  readonly admission: Admission;
  context(): Promise<RunContext>;
  models(): Promise<Questioner & ChatModel>;
  /** Opens connections for the attempt at a request of a unit in this state. */
  connect(unit: Pick<Unit, 'id' | 'revision'>, side: RequestSide, tools: readonly Tool[]): Promise<ServerConnections>;
  /** Null if the run has none. */
  facts(): Promise<FactIndex | null>;
  /** The run's own index of units, for finding near-duplicates. */
  readonly unitIndex: UnitIndex;
}

/** The bindings that the services need besides variables. */
export interface StepEnv {
  readonly KNOWLEDGE_INDEX: DurableObjectNamespace<KnowledgeIndex>;
  readonly DIRECTORY: DurableObjectNamespace<Directory>;
  readonly ENDPOINT_GOVERNOR: Governors;
  readonly WORKSPACE: Workspaces;
}

/** Builds the services for driving a run from the deployment's variables. */
export function makeStepServices(
  env: StepEnv,
  id: string,
  { run, admission }: { readonly run: Caller<Pick<DrivenRun, 'context'>>; readonly admission: Admission },
): StepServices {
  const settings = settingsSchema.parse(env);
  const governors = makeGovernorCaller(env.ENDPOINT_GOVERNOR, admission);
  const context = onceUnlessFailed(() => run((object) => object.context()));
  const callIndex = (index: string) => makeRetryingObjectCaller(() => env.KNOWLEDGE_INDEX.getByName(index), admission);
  const callDirectory = makeRetryingObjectCaller(() => env.DIRECTORY.getByName('directory'), admission);
  const calibrations = {
    findCalibration: (embedder: string) => callDirectory((directory) => directory.findCalibration(embedder)),
    keepFirstCalibration: (embedder: string, calibration: EmbedderCalibration) =>
      callDirectory((directory) => directory.keepFirstCalibration(embedder, calibration)),
  };
  return {
    admission,
    context,

    models: onceUnlessFailed(async () => {
      const { models: stored, agent } = await context();
      const fetch = makeGuardedFetch({ admission, allowLocal: settings.ALLOW_LOCAL_SERVERS, ...modelAnswerBounds });
      const roles = await Promise.all(
        explorationRole.options.map(async (role) => {
          const config = await decryptModelConfig(settings, role, stored[role]);
          return [role, role === 'agent' ? { ...config, temperature: agent.temperature } : config] as const;
        }),
      );
      return makeOpenAiModels(Object.fromEntries(roles), {
        admission,
        fetch,
        governors,
        answerForm: prompts.answerForm,
        repair: prompts.repair,
      });
    }),

    async connect(unit, side, tools) {
      const { servers, workspace } = await context();
      const { turns, secrets } = openServerWorkspace(env.WORKSPACE, workspace, admission);
      const use = { attempt: `${id}/${unit.id}/${unit.revision}`, turns };
      const options = { admission, governors, attempt: attemptName(id, unit.id, side), use, secrets };
      return connectToStoredServers(settings, servers, tools, options);
    },

    facts: onceUnlessFailed(async () => {
      const { knowledge } = await context();
      if (knowledge === null) return null;
      const { index, namespace } = knowledge;
      const opened = await openStore(index, settings, makeRemoteEmbeddedIndex(callIndex(index.id)), admission);
      if (opened.ok) return makeIndexThatRestsAfterFailures(makeFactIndex(opened.value, namespace), Date.now);
      const { fault } = opened;
      return { search: async () => ({ ok: false, fault, calls: [] }) };
    }),

    unitIndex: makeUnitIndex(id, callIndex(`${id}-units`), calibrations, settings, admission),
  };
}

/** Returns a stored model with its key decrypted. */
export async function decryptModelConfig(
  settings: Settings,
  role: ModelRole,
  { key, ...model }: StoredModel,
): Promise<ModelConfig> {
  // The client chose the endpoint, so it must not see the deployment's key.
  if (key.kind === 'forgotten') throw new Error(`the key of the ${role} model is forgotten: its run is over`);
  const apiKey =
    key.kind === 'own'
      ? await decryptStoredSecretOrThrow(settings, key.encrypted, modelKeyEncryptionContext(model.baseUrl))
      : deploymentModel(settings, role).apiKey;
  // Rules that replace models have no limits.
  const isOffline = key.kind === 'deployment' && settings.OFFLINE_MODELS;
  const governor = isOffline ? undefined : await computeGovernorName(settings.ENCRYPTION_KEY, { ...model, apiKey });
  return { ...model, apiKey, timeoutMs: settings.MODEL_TIMEOUT_MS, maxCompletionTokens, governor };
}

/** Computes something on first use, and again only after a failure; it is shared by all units of a run. */
export function onceUnlessFailed<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    }));
}
