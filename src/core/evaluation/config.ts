import { z } from 'zod';
import { modelLoop } from '#core/evaluation/loops.ts';
import { agentLimits } from '#core/models/limits.ts';
import { budget } from '#core/exploration/config.ts';
import { modelChoice, storedModel } from '#core/models/choices.ts';
import { prices } from '#core/models/prices.ts';

export const agentName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,59}$/, 'lower-case letters, digits, dots, hyphens and underscores, at most 60');

export const modelName = z.string().min(1).max(200);

/** What an agent from outside gets for one attempt. */
export const externalLimits = z.strictObject({
  /** From the claim to the response. */
  timeMs: z.int().min(1_000).max(3_600_000).default(600_000),
  /** Longest wait for one tool. */
  callTimeoutMs: z.int().min(100).max(600_000).default(30_000),
});

const modelAgent = z.strictObject({
  name: agentName,
  /** Without it: function calling. */
  loop: modelLoop.optional(),
  /** The model's name at the endpoint. */
  model: modelName,
  /** Where the model is; without it, the deployment's endpoint for agents. */
  endpoint: modelChoice.omit({ model: true }).optional(),
  limits: agentLimits.prefault({}),
});

/** Any MCP client: it claims attempts and works through the recording gateway. */
const externalAgent = z.strictObject({
  name: agentName,
  loop: z.literal('external'),
  limits: externalLimits.prefault({}),
});

/** An agent as a client names it: what it is and its limits, which are part of what it is. */
export const agentChoice = z.discriminatedUnion('loop', [modelAgent, externalAgent]);

/** When an evaluation ends by itself before all attempts were made. */
const evaluationBudget = budget.omit({ rounds: true });

/** What a client may decide about an evaluation, its agents aside. */
export const evaluationConfig = z.strictObject({
  benchmark: z.string().min(1).max(100),
  name: z.string().max(200).default(''),
  /** How often each agent gets each unit. */
  trials: z.int().min(1).max(20).default(1),
  split: z.enum(['all', 'public', 'private']).default('public'),
  /** A seeded sample of the split; all of its units without it. */
  sample: z.strictObject({ units: z.int().min(1).max(10_000), seed: z.int().min(0).default(1) }).optional(),
  /** `oracle`: the tools of the servers in the unit's chain; `max-scale`: the whole catalog. */
  mounting: z.enum(['oracle', 'max-scale']).default('oracle'),
  /**
   * Which tools, where the servers' listings differ from the benchmark's: `pinned`, as the benchmark has them, or `current`, as
   * they are listed now. Without it, a difference is refused.
   */
  catalog: z.enum(['pinned', 'current']).optional(),
  /** `record` keeps every answer of a server; `replay` answers from the recording that `recordingId` names, without any server. */
  recording: z.enum(['off', 'record', 'replay']).default('off'),
  recordingId: z.string().min(1).max(100).optional(),
  judges: z.boolean().default(true),
  /** Cases that are worked on at once; agents from outside set their own pace. */
  concurrency: z.int().min(1).max(200).default(8),
  seed: z.int().min(0).max(2_147_483_647).default(1),
  budget: evaluationBudget.prefault({}),
});
export type EvaluationConfig = z.infer<typeof evaluationConfig>;

/** An agent without its name and its secrets: what it is. The same for all attempts of a submission. */
export const agentConfiguration = z.strictObject({
  loop: z.string().min(1).max(60),
  /** Null where the model is not known to us. */
  model: z.string().max(200).nullable(),
  limits: z
    .record(z.string().max(60), z.union([z.number(), z.boolean()]))
    .refine((limits) => Object.keys(limits).length <= 20, 'at most 20 limits'),
  /** What whoever runs the model says that its tokens cost; absent where nobody has said anything. */
  prices: prices.optional(),
});
export type AgentConfiguration = z.infer<typeof agentConfiguration>;

/** An agent as a run stores it. */
export const storedAgent = z.discriminatedUnion('loop', [
  z.object({ name: agentName, loop: modelLoop, model: storedModel, limits: agentLimits }),
  z.object({ name: agentName, loop: z.literal('external'), limits: externalLimits }),
  /** One whose attempts are brought in from a file. */
  z.object({ name: agentName, loop: z.literal('uploaded'), configuration: agentConfiguration }),
]);
export type StoredAgent = z.infer<typeof storedAgent>;
export type StoredModelAgent = Extract<StoredAgent, { model: unknown }>;

/** Whether somebody else than we makes an agent's attempts. */
export const isMadeElsewhere = ({ loop }: Pick<StoredAgent, 'loop'>): boolean =>
  loop === 'external' || loop === 'uploaded';

export const isModelAgent = (agent: StoredAgent): agent is StoredModelAgent => 'model' in agent;

/** An agent as it is shown. */
export const shownAgent = z.discriminatedUnion('loop', [
  z.object({ name: z.string(), loop: modelLoop, model: z.string(), baseUrl: z.string(), limits: agentLimits }),
  z.object({ name: z.string(), loop: z.literal('external'), limits: externalLimits }),
  z.object({ name: z.string(), loop: z.literal('uploaded'), configuration: agentConfiguration }),
]);

export const shown = (agent: StoredAgent): z.infer<typeof shownAgent> =>
  isModelAgent(agent) ? { ...agent, model: agent.model.model, baseUrl: agent.model.baseUrl } : agent;

/** The agent once its use is over: a key that a client gave is forgotten. */
export const withoutKey = (agent: StoredAgent): StoredAgent =>
  isModelAgent(agent) && agent.model.key.kind === 'own'
    ? { ...agent, model: { ...agent.model, key: { kind: 'forgotten' } } }
    : agent;

/** What an agent is, without its name and secrets. */
export function configurationOf(agent: StoredAgent): AgentConfiguration {
  if (agent.loop === 'uploaded') return agent.configuration;
  if (!isModelAgent(agent)) return { loop: agent.loop, model: null, limits: agent.limits };
  const { model, promptPricePerMTok, completionPricePerMTok } = agent.model;
  const configuration = { loop: agent.loop, model, limits: agent.limits };
  // Tokens that cost nothing are those whose price nobody has given.
  return promptPricePerMTok + completionPricePerMTok === 0
    ? configuration
    : { ...configuration, prices: { promptPricePerMTok, completionPricePerMTok } };
}
