import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { makeRecordingConnections } from '#adapters/mcp/recorded-connections.ts';
import { makeReplayingConnections } from '#adapters/mcp/replayed-connections.ts';
import type { ServerConnections } from '#adapters/mcp/server-connections.ts';
import { makeLazyConnectionsToStoredServers } from '#adapters/mcp/stored-servers.ts';
import { modelAnswerBounds, makeOpenAiModels } from '#adapters/model/openai.ts';
import { findProgramRunner, type ProgramBindings } from '#adapters/programs/runner.ts';
import { prompts } from '#adapters/prompts/index.ts';
import { settingsSchema, type Settings } from '#adapters/settings.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { Overlay } from '#core/evaluation/overlay/overlay.ts';
import { isModelAgent, type StoredModelAgent, type StoredNullAgent } from '#core/evaluation/config.ts';
import {
  readCallsForReplay,
  storeRecordedCalls,
  type RecordedCall,
  type RecordingStore,
} from '#core/evaluation/recording.ts';
import type { RulesByServer } from '#core/catalog/redaction/rules.ts';
import type { AgentLimits } from '#core/models/limits.ts';
import { makeEmbedderName, type StoredRetrieval } from '#core/models/retrieval.ts';
import type { ChatModel, Embedder, FindTools, Questioner, RunProgram } from '#core/ports.ts';
import type { EvaluationContext } from '#core/evaluation/client-view.ts';
import { makeRetryingObjectCaller, type Caller } from '../caller.ts';
import type { DrivenEvaluation } from '../called-objects.ts';
import type { SimulatedUser } from '#core/models/simulated-user/user.ts';
import { attemptName } from '#core/values/traceparent.ts';
import { namePanelMembers } from '#core/scoring/votes.ts';
import type { Panel } from './judge-attempt.ts';
import { decryptModelConfig } from '#adapters/model/decrypt-model-config.ts';
import { onceUnlessFailed } from './services.ts';
import { makeGovernorCaller, type Governors } from './governors.ts';
import { makeServerWorkspaceCaller, type ServerBindings } from './server-workspace.ts';
import { makeToolSearch, readVectorsOfEmbedder, type SearchServices, type VectorsByName } from './tool-search.ts';

/** A model agent that is ready for use, or an agent that needs no model. */
export type ReadyAgent = ReadyModelAgent | StoredNullAgent;

/** A model agent that is ready for use. */
export interface ReadyModelAgent {
  readonly loop: StoredModelAgent['loop'];
  readonly limits: AgentLimits;
  readonly model: ChatModel;
  /** Searches among these tools; null if the agent sees them all. */
  readonly searchAmong: ((mounted: readonly Tool[]) => FindTools) | null;
  /** The tools that it has from the start although it searches. */
  readonly shown: readonly string[];
  /** What it reads of its tools in place of what their servers say; undefined if it reads that. */
  readonly overlay: Overlay | undefined;
}

/** What the steps of an evaluation need. */
export interface EvaluationServices {
  /** Sends and counts all requests of the instance. */
  readonly admission: Admission;
  /** Runs programs of agents; null if the deployment cannot. */
  readonly runProgram: RunProgram | null;
  context(): Promise<EvaluationContext>;
  /** Returns the agent of this name, which must be one that we run. */
  agent(name: string): Promise<ReadyAgent>;
  judges(): Promise<Questioner & Embedder>;
  panel(): Promise<Panel>;
  /** Returns the tools with these names, in this order; reads the catalog once. */
  toolsNamed(names: readonly string[]): Promise<readonly Tool[]>;
  /** Returns those of the tools with these names that the evaluation has. */
  findKnownTools(names: readonly string[]): Promise<readonly Tool[]>;
  /**
   * Opens connections for one attempt, recorded or replayed as the evaluation requires; `keepRecorded` stores the
   * recorded calls.
   */
  connect(
    tools: readonly Tool[],
    place: Pick<RecordedCall, 'unit' | 'attempt'>,
    user?: SimulatedUser,
  ): Promise<{ connections: ServerConnections; keepRecorded: () => Promise<void> }>;
}

/** Returns the recording with this id. */
interface Recordings {
  getByName(id: string): RecordingStore;
}

/** Builds the services for driving an evaluation from the deployment's variables. */
export function makeEvaluationServices(
  env: ServerBindings & ProgramBindings & { readonly RECORDING: Recordings; readonly ENDPOINT_GOVERNOR: Governors },
  run: Caller<DrivenEvaluation>,
  admission: Admission,
): EvaluationServices {
  const settings = settingsSchema.parse(env);
  const callRecording = (id: string) => makeRetryingObjectCaller(() => env.RECORDING.getByName(id), admission);
  const context = onceUnlessFailed(() => run((object) => object.context()));
  const fetch = makeGuardedFetch({ admission, allowLocal: settings.ALLOW_LOCAL_SERVERS, ...modelAnswerBounds });
  const governors = makeGovernorCaller(env.ENDPOINT_GOVERNOR, admission);
  const options = { admission, fetch, governors, answerForm: prompts.answerForm, repair: prompts.repair };
  const agents = new Map<string, () => Promise<ReadyAgent>>();
  const catalog = onceUnlessFailed(() => readToolsOfEvaluationByName(run));
  const replay = makeReplayOpener(callRecording);
  const openSearch = makeSearchOpener({ settings, admission, governors, run });
  return {
    admission,
    runProgram: findProgramRunner(env, settings),
    context,

    agent: (name) =>
      getOrCompute(agents, name, async () => {
        const agent = (await context()).agents.find((each) => each.name === name);
        if (agent?.loop === 'null') return agent;
        if (agent === undefined || !isModelAgent(agent)) throw new Error(`there is no agent ${name} to run here`);
        const { limits, retrieval } = agent;
        const config = await decryptModelConfig(settings, 'agent', agent.model);
        return {
          ...pickSettingsOfLoop(agent),
          searchAmong: retrieval === undefined ? null : await openSearch(retrieval),
          model: makeOpenAiModels({ agent: { ...config, temperature: limits.temperature } }, options),
        };
      }),

    judges: onceUnlessFailed(async () => makeJudgeAndEmbedder(await context(), settings, options)),

    panel: onceUnlessFailed(async () => makePanel(await context(), settings, options)),

    async findKnownTools(names) {
      if (names.length === 0) return [];
      const known = await catalog();
      return names.flatMap((name) => known.get(name) ?? []);
    },

    toolsNamed: async (names) => pickToolsOrThrow(await catalog(), names),

    async connect(tools, { unit, attempt }, user) {
      const { id, serversOf, servers, recording: mode } = await context();
      const { recording, recordingId = '' } = mode;
      if (recording === 'replay') {
        return { connections: await replay(recordingId, tools, { unit, attempt }), keepRecorded: ignoreRecordedCalls };
      }
      const name = attemptName(id, unit, attempt);
      const { turns, ...known } = makeServerWorkspaceCaller(env, serversOf, admission);
      const options = { admission, governors, attempt: name, use: { attempt: name, turns }, ...known, user };
      const connections = await makeLazyConnectionsToStoredServers(settings, servers, tools, options);
      if (recording === 'off') return { connections, keepRecorded: ignoreRecordedCalls };
      const { keep, inOrderOfIssue } = makeCallCollector();
      return {
        connections: makeRecordingConnections(connections, { unit, attempt, keep }),
        keepRecorded: () =>
          callRecording(recordingId)((store) => storeRecordedCalls(store, unit, attempt, inOrderOfIssue())),
      };
    },
  };
}

const pickSettingsOfLoop = ({
  loop,
  limits,
  overlay,
  retrieval,
}: StoredModelAgent): Pick<ReadyModelAgent, 'loop' | 'limits' | 'overlay' | 'shown'> => ({
  loop,
  limits,
  overlay,
  shown: retrieval?.shown ?? [],
});

/** Returns a function that opens the replay of an attempt; the rules of a recording are read once. */
function makeReplayOpener(callRecording: (id: string) => Caller<RecordingStore>) {
  const rules = new Map<string, () => Promise<RulesByServer>>();
  return async (
    id: string,
    tools: readonly Tool[],
    { unit, attempt }: Pick<RecordedCall, 'unit' | 'attempt'>,
  ): Promise<ServerConnections> => {
    const call = callRecording(id);
    const recorded = await call((store) => readCallsForReplay(store, unit, attempt));
    const known = await getOrCompute(rules, id, () => call((store) => store.redactionRules()));
    return makeReplayingConnections(recorded, { attempt, tools, rules: known });
  };
}

type ModelOptions = Parameters<typeof makeOpenAiModels>[1];

/** Returns the judge and the embedder of an evaluation, ready for use. */
const makeJudgeAndEmbedder = async (
  { judge, embedder }: Pick<EvaluationContext, 'judge' | 'embedder'>,
  settings: Settings,
  options: ModelOptions,
): Promise<Questioner & Embedder> =>
  makeOpenAiModels(
    {
      judge: await decryptModelConfig(settings, 'judge', judge),
      embedder: await decryptModelConfig(settings, 'embedder', embedder),
    },
    options,
  );

/** Returns the members of the panel of an evaluation, ready for use. */
async function makePanel(
  { judge, panel }: Pick<EvaluationContext, 'judge' | 'panel'>,
  settings: Settings,
  options: ModelOptions,
): Promise<Panel> {
  const [first = judge.model, ...names] = namePanelMembers([judge, ...panel].map(({ model }) => model));
  const models = await Promise.all(panel.map((member) => decryptModelConfig(settings, 'judge', member)));
  return {
    judge: first,
    others: models.map((model, at) => ({
      judge: names[at] ?? model.model,
      model: makeOpenAiModels({ judge: model }, options),
    })),
  };
}

/** Returns a function that makes the search of an agent; agents with the same embedder share its vectors. */
function makeSearchOpener(services: SearchServices) {
  const vectors = new Map<string, () => Promise<VectorsByName>>();
  return async (retrieval: StoredRetrieval) => {
    const { embedder } = retrieval;
    const own = await getOrCompute(vectors, makeEmbedderName(embedder), () =>
      readVectorsOfEmbedder(services, embedder),
    );
    return makeToolSearch(services, retrieval, own);
  };
}

/** Collects the recorded calls of one attempt. Those that are under way at once are answered in any order. */
function makeCallCollector() {
  const kept = new Map<number, RecordedCall>();
  return {
    keep: (call: RecordedCall, place: number): void => void kept.set(place, call),
    inOrderOfIssue: (): RecordedCall[] => [...kept].toSorted(([a], [b]) => a - b).map(([, call]) => call),
  };
}

const ignoreRecordedCalls = async (): Promise<void> => undefined;

function pickToolsOrThrow(catalog: ReadonlyMap<string, Tool>, names: readonly string[]): Tool[] {
  return names.map((name) => {
    const found = catalog.get(name);
    if (found === undefined) throw new Error(`the evaluation has no tool ${name}`);
    return found;
  });
}

/** Reads the tools of an evaluation page by page. */
async function readToolsOfEvaluationByName(
  run: Caller<Pick<DrivenEvaluation, 'listTools'>>,
): Promise<ReadonlyMap<string, Tool>> {
  const found = new Map<string, Tool>();
  for (let after = ''; ;) {
    const from = after;
    const { tools, isLast } = await run((object) => object.listTools(from));
    for (const tool of tools) found.set(tool.name, tool);
    const last = tools.at(-1);
    if (isLast || last === undefined) return found;
    after = last.name;
  }
}

/** Returns the value under a key of a map, computed on first use. */
function getOrCompute<K, V>(kept: Map<K, () => Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
  let known = kept.get(key);
  if (known === undefined) {
    known = onceUnlessFailed(make);
    kept.set(key, known);
  }
  return known();
}
