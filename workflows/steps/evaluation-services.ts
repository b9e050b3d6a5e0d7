import { guardedFetch } from '#adapters/network/guarded-fetch.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { recordedConnections } from '#adapters/mcp/recorded-connections.ts';
import { replayedConnections } from '#adapters/mcp/replayed-connections.ts';
import { connectToStored } from '#adapters/mcp/stored-servers.ts';
import { modelAnswerBounds, openAiModels } from '#adapters/model/openai.ts';
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
import { callsTo, type Calls } from '../calls.ts';
import type { DrivenEvaluation } from '../driven.ts';
import { modelConfig, once } from './services.ts';

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
export function evaluationServices(
  env: { readonly RECORDING: Recordings },
  run: Calls<Pick<DrivenEvaluation, 'context' | 'mountedTools'>>,
  admission: Admission,
): EvaluationServices {
  const settings = settingsSchema.parse(env);
  const recordings = (id: string) => callsTo(() => env.RECORDING.getByName(id), admission);
  const context = once(() => run((object) => object.context()));
  const fetch = guardedFetch({ admission, allowLocal: settings.ALLOW_LOCAL_SERVERS, ...modelAnswerBounds });
  const options = { admission, fetch, repair: prompts.repair };
  const agents = new Map<string, () => Promise<ReadyAgent>>();
  const mounted = new Map<string | null, () => Promise<readonly Tool[]>>();
  const toolsOf = (server: string | null) =>
    keptIn(mounted, server, () => run((object) => object.mountedTools(server)));
  return {
    admission,
    context,

    agent: (name) =>
      keptIn(agents, name, async () => {
        const agent = (await context()).agents.find((each) => each.name === name);
        if (agent === undefined || !isModelAgent(agent)) throw new Error(`there is no model agent ${name}`);
        const { loop, limits } = agent;
        return {
          loop,
          limits,
          model: openAiModels({ agent: await modelConfig(settings, 'agent', agent.model) }, options),
        };
      }),

    judges: once(async () => {
      const { judge, embedder } = await context();
      return openAiModels(
        {
          judge: await modelConfig(settings, 'judge', judge),
          embedder: await modelConfig(settings, 'embedder', embedder),
        },
        options,
      );
    }),

    async tools(servers) {
      return servers === null ? toolsOf(null) : (await Promise.all(servers.map(toolsOf))).flat();
    },

    async connect(tools, { unit, attempt }) {
      const { servers, recording: mode } = await context();
      const { recording, recordingId = '' } = mode;
      if (recording === 'replay') {
        const recorded = await recordings(recordingId)((store) => readRecordedCalls(store, unit, attempt));
        return { connections: replayedConnections(recorded, { attempt, tools }), keepRecorded: keepNothing };
      }
      const connections = await connectToStored(settings, servers, tools, { admission });
      if (recording === 'off') return { connections, keepRecorded: keepNothing };
      const kept: RecordedCall[] = [];
      const keep = (call: RecordedCall): void => void kept.push(call);
      return {
        connections: recordedConnections(connections, { unit, attempt, keep }),
        keepRecorded: () => recordings(recordingId)((store) => writeRecordedCalls(store, unit, attempt, kept)),
      };
    },
  };
}

const keepNothing = async (): Promise<void> => undefined;

/** Returns the value under a key of a map, computed on first use. */
function keptIn<K, V>(kept: Map<K, () => Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
  let known = kept.get(key);
  if (known === undefined) {
    known = once(make);
    kept.set(key, known);
  }
  return known();
}
