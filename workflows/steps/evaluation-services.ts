import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { makeRecordedConnections } from '#adapters/mcp/recorded-connections.ts';
import { makeReplayedConnections } from '#adapters/mcp/replayed-connections.ts';
import { connectToStoredServers } from '#adapters/mcp/stored-servers.ts';
import { modelAnswerBounds, makeOpenAiModels } from '#adapters/model/openai.ts';
import { prompts } from '#adapters/prompts/index.ts';
import { settingsSchema } from '#adapters/settings.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { isModelAgent, type StoredModelAgent } from '#core/evaluation/config.ts';
import {
  readRecordedCalls,
  writeRecordedCalls,
  type RecordedCall,
  type RecordingStore,
} from '#core/evaluation/recording.ts';
import type { AgentLimits } from '#core/models/limits.ts';
import type { ChatModel, Embedder, Questioner, ToolConnections } from '#core/ports.ts';
import type { EvaluationContext } from '#core/evaluation/client-view.ts';
import { makeCaller, type Caller } from '../caller.ts';
import type { DrivenEvaluation } from '../called-objects.ts';
import { decryptModelConfig, once } from './services.ts';

/** A model agent that is ready for use. */
export interface ReadyAgent {
  readonly loop: StoredModelAgent['loop'];
  readonly limits: AgentLimits;
  readonly model: ChatModel;
}

/** What the steps of an evaluation need. */
export interface EvaluationServices {
  /** Sends and counts all requests of the instance. */
  readonly admission: Admission;
  context(): Promise<EvaluationContext>;
  /** Returns the model agent of this name. */
  agent(name: string): Promise<ReadyAgent>;
  judges(): Promise<Questioner & Embedder>;
  /** Returns the tools of these servers, or all; reads them once. */
  tools(servers: readonly string[] | null): Promise<readonly Tool[]>;
  /**
   * Opens connections for one attempt, recorded or replayed as the evaluation requires; `keepRecorded` stores the
   * recorded calls.
   */
  connect(
    tools: readonly Tool[],
    place: Pick<RecordedCall, 'unit' | 'attempt'>,
  ): Promise<{ connections: ToolConnections; keepRecorded: () => Promise<void> }>;
}

/** Returns the recording with this id. */
interface Recordings {
  getByName(id: string): RecordingStore;
}

/** Builds the services for driving an evaluation from the deployment's variables. */
export function makeEvaluationServices(
  env: { readonly RECORDING: Recordings },
  run: Caller<Pick<DrivenEvaluation, 'context' | 'mountedTools'>>,
  admission: Admission,
): EvaluationServices {
  const settings = settingsSchema.parse(env);
  const callRecording = (id: string) => makeCaller(() => env.RECORDING.getByName(id), admission);
  const context = once(() => run((object) => object.context()));
  const fetch = makeGuardedFetch({ admission, allowLocal: settings.ALLOW_LOCAL_SERVERS, ...modelAnswerBounds });
  const options = { admission, fetch, repair: prompts.repair };
  const agents = new Map<string, () => Promise<ReadyAgent>>();
  const mounted = new Map<string | null, () => Promise<readonly Tool[]>>();
  const readTools = (server: string | null) =>
    getOrCompute(mounted, server, () => run((object) => object.mountedTools(server)));
  return {
    admission,
    context,

    agent: (name) =>
      getOrCompute(agents, name, async () => {
        const agent = (await context()).agents.find((each) => each.name === name);
        if (agent === undefined || !isModelAgent(agent)) throw new Error(`there is no model agent ${name}`);
        const { loop, limits } = agent;
        return {
          loop,
          limits,
          model: makeOpenAiModels({ agent: await decryptModelConfig(settings, 'agent', agent.model) }, options),
        };
      }),

    judges: once(async () => {
      const { judge, embedder } = await context();
      return makeOpenAiModels(
        {
          judge: await decryptModelConfig(settings, 'judge', judge),
          embedder: await decryptModelConfig(settings, 'embedder', embedder),
        },
        options,
      );
    }),

    async tools(servers) {
      return servers === null ? readTools(null) : (await Promise.all(servers.map(readTools))).flat();
    },

    async connect(tools, { unit, attempt }) {
      const { servers, recording: mode } = await context();
      const { recording, recordingId = '' } = mode;
      if (recording === 'replay') {
        const recorded = await callRecording(recordingId)((store) => readRecordedCalls(store, unit, attempt));
        return { connections: makeReplayedConnections(recorded, { attempt, tools }), keepRecorded: keepNothing };
      }
      const connections = await connectToStoredServers(settings, servers, tools, { admission });
      if (recording === 'off') return { connections, keepRecorded: keepNothing };
      const kept: RecordedCall[] = [];
      const keep = (call: RecordedCall): void => void kept.push(call);
      return {
        connections: makeRecordedConnections(connections, { unit, attempt, keep }),
        keepRecorded: () => callRecording(recordingId)((store) => writeRecordedCalls(store, unit, attempt, kept)),
      };
    },
  };
}

const keepNothing = async (): Promise<void> => undefined;

/** Returns the value under a key of a map, computed on first use. */
function getOrCompute<K, V>(kept: Map<K, () => Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
  let known = kept.get(key);
  if (known === undefined) {
    known = once(make);
    kept.set(key, known);
  }
  return known();
}
