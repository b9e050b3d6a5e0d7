import { guardedFetch } from '#adapters/mcp/guarded-fetch.ts';
import { openAiModels } from '#adapters/model/openai.ts';
import { prompts } from '#adapters/prompts/index.ts';
import { settingsSchema } from '#adapters/settings.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { ChatModel, Embedder, Questioner, ToolConnections } from '#core/ports.ts';
import type { EvaluationContext } from '#durable-objects/evaluation-run.ts';
import type { DrivenEvaluation } from '../driven-evaluation.ts';
import { connectTo, modelConfig, once } from './services.ts';

/** What the steps of an evaluation work with. */
export interface EvaluationServices {
  context(): Promise<EvaluationContext>;
  /** The agents' models, by the agents' names. */
  agentModels(): Promise<ReadonlyMap<string, ChatModel>>;
  judges(): Promise<Questioner & Embedder>;
  connect(tools: readonly Tool[]): Promise<ToolConnections>;
}

const modelAnswerBytes = 4 * 1024 * 1024;

/** The services for driving an evaluation, from the deployment's variables. */
export function evaluationServices(env: unknown, run: Pick<DrivenEvaluation, 'context'>): EvaluationServices {
  const settings = settingsSchema.parse(env);
  const context = once(() => run.context());
  const fetch = guardedFetch({ allowLocal: settings.ALLOW_LOCAL_SERVERS, maxBytes: modelAnswerBytes });
  const options = { fetch, repair: prompts.repair };
  return {
    context,

    agentModels: once(async () => {
      const { agents } = await context();
      const models = await Promise.all(
        agents.map(async ({ name, model }) => {
          const agent = await modelConfig(settings, 'agent', model);
          return [name, openAiModels({ agent }, options)] as const;
        }),
      );
      return new Map(models);
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

    async connect(tools) {
      const { servers } = await context();
      return connectTo(settings, servers, tools);
    },
  };
}
