import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import type { ServerConnections } from '#adapters/mcp/server-connections.ts';
import { makeLazyConnectionsToStoredServers } from '#adapters/mcp/stored-servers.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { modelAnswerBounds, makeOpenAiModels } from '#adapters/model/openai.ts';
import { decryptModelConfig } from '#adapters/model/decrypt-model-config.ts';
import { prompts } from '#adapters/prompts/index.ts';
import { settingsSchema } from '#adapters/settings.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { explorationRole } from '#core/models/choices.ts';
import type { ChatModel, FactIndex, Questioner } from '#core/ports.ts';
import type { SimulatedUser } from '#core/models/simulated-user/user.ts';
import { attemptName } from '#core/values/traceparent.ts';
import { makeFactIndex } from '#adapters/vector/fact-index.ts';
import { makeIndexThatRestsAfterFailures } from '#adapters/vector/resting-index.ts';
import { openKnowledgeStore } from '#adapters/vector/stores.ts';
import type { EmbedderCalibration } from '#core/similarity/calibrate-embedder.ts';
import type { Unit } from '#core/units/unit.ts';
import type { Directory } from '#durable-objects/directory/directory.ts';
import type { KnowledgeIndex } from '#durable-objects/knowledge/knowledge-index.ts';
import type { RequestSide } from '#core/units/unit.ts';
import { makeUnitIndex, type UnitIndex } from './unit-index.ts';
import { makeRetryingObjectCaller, type Caller } from '../caller.ts';
import { makeGovernorCaller, type Governors } from './governors.ts';
import { makeServerWorkspaceCaller, type ServerBindings } from './server-workspace.ts';
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
  connect(
    unit: Pick<Unit, 'id' | 'revision'>,
    side: RequestSide,
    tools: readonly Tool[],
    user?: SimulatedUser,
  ): Promise<ServerConnections>;
  /** Null if the run has none. */
  facts(): Promise<FactIndex | null>;
  /** The run's own index of units, for finding near-duplicates. */
  readonly unitIndex: UnitIndex;
}

/** The bindings that the services need besides variables. */
export interface StepEnv extends ServerBindings {
  readonly KNOWLEDGE_INDEX: DurableObjectNamespace<KnowledgeIndex>;
  readonly DIRECTORY: DurableObjectNamespace<Directory>;
  readonly ENDPOINT_GOVERNOR: Governors;
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
    findEmbedderCalibration: (embedder: string) =>
      callDirectory((directory) => directory.findEmbedderCalibration(embedder)),
    keepFirstEmbedderCalibration: (embedder: string, calibration: EmbedderCalibration) =>
      callDirectory((directory) => directory.keepFirstEmbedderCalibration(embedder, calibration)),
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

    async connect(unit, side, tools, user) {
      const { servers, workspace } = await context();
      const { turns, ...known } = makeServerWorkspaceCaller(env, workspace, admission);
      const use = { attempt: `${id}/${unit.id}/${unit.revision}`, turns };
      const attempt = attemptName(id, unit.id, side);
      const options = { admission, governors, attempt, use, user, ...known };
      return makeLazyConnectionsToStoredServers(settings, servers, tools, options);
    },

    facts: onceUnlessFailed(async () => {
      const { knowledge } = await context();
      if (knowledge === null) return null;
      const { index, namespace } = knowledge;
      const opened = await openKnowledgeStore(index, settings, makeRemoteEmbeddedIndex(callIndex(index.id)), admission);
      if (opened.ok) return makeIndexThatRestsAfterFailures(makeFactIndex(opened.value, namespace), Date.now);
      const { fault } = opened;
      return { search: async () => ({ ok: false, fault, calls: [] }) };
    }),

    unitIndex: makeUnitIndex(id, callIndex(`${id}-units`), calibrations, settings, admission),
  };
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
