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

/** The limits of an external agent for one attempt. */
export const externalLimits = z.strictObject({
  /** From the claim to the response. */
  timeMs: z.int().min(1_000).max(3_600_000).default(600_000),
  /** Time limit for one tool call. */
  callTimeoutMs: z.int().min(100).max(600_000).default(30_000),
});

const modelAgent = z.strictObject({
  name: agentName,
  /** Default: function calling. */
  loop: modelLoop.optional(),
  /** The model's name at the endpoint. */
  model: modelName,
  /** The model's endpoint; by default the deployment's endpoint for agents. */
  endpoint: modelChoice.omit({ model: true }).optional(),
  limits: agentLimits.prefault({}),
});

/** Any MCP client: it claims attempts and works through the recording gateway. */
const externalAgent = z.strictObject({
  name: agentName,
  loop: z.literal('external'),
  limits: externalLimits.prefault({}),
});

/** An agent as a client defines it, including its limits, which are part of its identity. */
export const agentChoice = z.discriminatedUnion('loop', [modelAgent, externalAgent]);

/** When an evaluation ends before all attempts were made. */
const evaluationBudget = budget.omit({ rounds: true });

/** What a client chooses for an evaluation, except its agents. */
export const evaluationConfig = z.strictObject({
  benchmark: z.string().min(1).max(100),
  name: z.string().max(200).default(''),
  /** How often each agent gets each unit. */
  trials: z.int().min(1).max(20).default(1),
  split: z.enum(['all', 'public', 'private']).default('public'),
  /** A seeded sample of the split; default all of its units. */
  sample: z.strictObject({ units: z.int().min(1).max(10_000), seed: z.int().min(0).default(1) }).optional(),
  /** `oracle`: the tools of the servers in the unit's chain; `max-scale`: the whole catalog. */
  mounting: z.enum(['oracle', 'max-scale']).default('oracle'),
  /**
   * Which tools to use if the servers' listings differ from the benchmark's: `pinned`, as the benchmark has them, or
   * `current`, as they are listed now. By default a difference is refused.
   */
  catalog: z.enum(['pinned', 'current']).optional(),
  /** `record` keeps every answer of a server; `replay` answers from the recording that `recordingId` names, without any server. */
  recording: z.enum(['off', 'record', 'replay']).default('off'),
  recordingId: z.string().min(1).max(100).optional(),
  judges: z.boolean().default(true),
  /** Cases that are processed at once; external agents set their own pace. */
  concurrency: z.int().min(1).max(200).default(8),
  seed: z.int().min(0).max(2_147_483_647).default(1),
  budget: evaluationBudget.prefault({}),
});
export type EvaluationConfig = z.infer<typeof evaluationConfig>;

/** An agent without its name and secrets: its identity. The same for all attempts of a submission. */
export const agentConfiguration = z.strictObject({
  loop: z.string().min(1).max(60),
  /** Null if we do not know the model. */
  model: z.string().max(200).nullable(),
  limits: z
    .record(z.string().max(60), z.union([z.number(), z.boolean()]))
    .refine((limits) => Object.keys(limits).length <= 20, 'at most 20 limits'),
  /** The token prices that the model's operator states; absent if unknown. */
  prices: prices.optional(),
});
export type AgentConfiguration = z.infer<typeof agentConfiguration>;

/** An agent as a run stores it. */
export const storedAgent = z.discriminatedUnion('loop', [
  z.object({ name: agentName, loop: modelLoop, model: storedModel, limits: agentLimits }),
  z.object({ name: agentName, loop: z.literal('external'), limits: externalLimits }),
  /** An agent whose attempts are imported from a file. */
  z.object({ name: agentName, loop: z.literal('uploaded'), configuration: agentConfiguration }),
]);
export type StoredAgent = z.infer<typeof storedAgent>;
export type StoredModelAgent = Extract<StoredAgent, { model: unknown }>;

/** Returns whether an agent's attempts are made by somebody else. */
export const isExternalAgent = ({ loop }: Pick<StoredAgent, 'loop'>): boolean =>
  loop === 'external' || loop === 'uploaded';

export const isModelAgent = (agent: StoredAgent): agent is StoredModelAgent => 'model' in agent;

/** Returns an agent as clients see it. */
export const shownAgent = z.discriminatedUnion('loop', [
  z.object({ name: z.string(), loop: modelLoop, model: z.string(), baseUrl: z.string(), limits: agentLimits }),
  z.object({ name: z.string(), loop: z.literal('external'), limits: externalLimits }),
  z.object({ name: z.string(), loop: z.literal('uploaded'), configuration: agentConfiguration }),
]);

export const makeShownAgent = (agent: StoredAgent): z.infer<typeof shownAgent> =>
  isModelAgent(agent) ? { ...agent, model: agent.model.model, baseUrl: agent.model.baseUrl } : agent;

/** Returns the agent after its use, without the client's key. */
export const withoutKey = (agent: StoredAgent): StoredAgent =>
  isModelAgent(agent) && agent.model.key.kind === 'own'
    ? { ...agent, model: { ...agent.model, key: { kind: 'forgotten' } } }
    : agent;

/** Returns an agent's identity, without its name and secrets. */
export function configurationOf(agent: StoredAgent): AgentConfiguration {
  if (agent.loop === 'uploaded') return agent.configuration;
  if (!isModelAgent(agent)) return { loop: agent.loop, model: null, limits: agent.limits };
  const { model, promptPricePerMTok, completionPricePerMTok } = agent.model;
  const configuration = { loop: agent.loop, model, limits: agent.limits };
  // A price of zero means that nobody has given one.
  return promptPricePerMTok + completionPricePerMTok === 0
    ? configuration
    : { ...configuration, prices: { promptPricePerMTok, completionPricePerMTok } };
}
