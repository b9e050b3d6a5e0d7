import { z } from 'zod';
import { modelLoop } from '#core/benchmarks/protocols/loops.ts';
import { nullPolicy } from './null-agents.ts';
import { agentLimits } from '#core/models/limits.ts';
import { budget } from '#core/exploration/config.ts';
import { dialectSetting } from '#core/models/dialect.ts';
import { modelChoice, storedModel, type StoredModel } from '#core/models/choices.ts';
import {
  retrievalWithEmbedderNameOnly,
  retrievalChoice,
  shownRetrieval,
  storedRetrieval,
} from '#core/models/retrieval.ts';
import { prices } from '#core/models/prices.ts';
import { overlay, makeShownOverlay, shownOverlay, storedOverlay, type StoredOverlay } from './overlay/overlay.ts';
import { protocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { mounting, mountingOrStandard, type Mounting } from '#core/units/mounting/mounting.ts';
import { stopRule } from './decision.ts';
import { disturbing } from './disturbing.ts';
import { userPolicy } from '#core/models/simulated-user/asked-question.ts';
import { scoringParameters } from '#core/scoring/parameters.ts';

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

/** Which tools the agent sees, where it differs from the evaluation's. */
const ownMounting = mounting.optional();

const modelAgent = z.strictObject({
  name: agentName,
  /** Default: the protocol's. */
  loop: modelLoop.optional(),
  /** The model's name at the endpoint. */
  model: modelName,
  /** The model's endpoint; by default the deployment's endpoint for agents. */
  endpoint: modelChoice.omit({ model: true }).optional(),
  limits: agentLimits.prefault({}),
  /** How it finds tools; only for the loops `routing` and `tool-search`. */
  retrieval: retrievalChoice.optional(),
  mounting: ownMounting,
  /** What it reads of its tools in place of what their servers say; not for loops that search for tools. */
  overlay: overlay.optional(),
});

/** A model that an external agent may ask through the model gateway, and its endpoint; by default the deployment's for agents. */
const gatewayModel = z.strictObject({ model: modelName, endpoint: modelChoice.omit({ model: true }).optional() });
export type GatewayModel = z.infer<typeof gatewayModel>;

/** The models of an external agent. */
export const gatewayModels = z
  .array(gatewayModel)
  .min(1)
  .max(8)
  .refine((models) => new Set(models.map(({ model }) => model)).size === models.length, 'each model once');

/** The same for a submission, where the submitter pays: each model with its endpoint. */
export const paidGatewayModels = gatewayModels.refine(
  (models) => models.every(({ endpoint }) => endpoint !== undefined),
  'the endpoint of each model, with your key for it: what the agent asks is at your expense',
);

/** Which program an agent is, as its user says; nobody checks it. */
export const agentProgram = z.strictObject({
  /** Such as `claude-code`. */
  name: z.string().min(1).max(60),
  version: z.string().min(1).max(100),
});

/** Any MCP client: it claims attempts and works through the recording gateway. */
const externalAgent = z.strictObject({
  name: agentName,
  loop: z.literal('external'),
  limits: externalLimits.prefault({}),
  /** The models that it may ask through the model gateway, its main one first; absent if it asks its models itself. */
  models: gatewayModels.optional(),
  program: agentProgram.optional(),
  mounting: ownMounting,
  /** What the gateway lists in place of what the servers say. */
  overlay: overlay.optional(),
});

/** An agent that knows nothing, to measure the floor. */
const nullAgent = z.strictObject({
  name: agentName,
  loop: z.literal('null'),
  policy: nullPolicy,
  limits: agentLimits.omit({ temperature: true }).prefault({}),
  mounting: ownMounting,
});

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
  /** In what its model's endpoint was said to differ from what is known of it; absent if in nothing. */
  dialect: dialectSetting.optional(),
  /** How it found tools, if it had to. */
  retrieval: shownRetrieval.optional(),
  /** The hash of the overlay under which it read its tools; absent if it read what their servers say. */
  overlay: shownOverlay.shape.sha256.optional(),
  /** The command-line program that it is, if its user says so. */
  program: agentProgram.optional(),
  /** Which tools it saw; absent in what earlier releases wrote, which mounted the servers of the chain (`oracle`). */
  mounting: mounting.optional(),
});
export type AgentConfiguration = z.infer<typeof agentConfiguration>;

/** Returns whether a loop is one of ours, whose traces have what its agents saw. */
export const isLoopOfOurs = (loop: string): boolean => modelLoop.safeParse(loop).success || loop.startsWith('null:');

/** An agent whose attempts were made elsewhere and are imported. */
const uploadedAgent = z.strictObject({
  name: agentName,
  loop: z.literal('uploaded'),
  configuration: agentConfiguration.refine(({ loop }) => !isLoopOfOurs(loop), {
    path: ['loop'],
    message: 'a name of its own: attempts of our loops are made here, or judged again',
  }),
});

/** An agent as a client defines it, including its limits and its mounting, which are part of its identity. */
export const agentChoice = z.discriminatedUnion('loop', [modelAgent, externalAgent, nullAgent, uploadedAgent]);

/** A judge that is asked for verdicts beside the evaluation's own: a model, by default at the deployment's endpoint for judges. */
export const panelMember = z.strictObject({
  model: modelName,
  endpoint: modelChoice.omit({ model: true }).optional(),
});

/** When an evaluation ends before all attempts were made. */
const evaluationBudget = budget.omit({ rounds: true });

/** What a client chooses for an evaluation, except its agents. */
export const evaluationConfig = z.strictObject({
  benchmark: z.string().min(1).max(100),
  /** How its units are evaluated, if not as the benchmark's protocol says. */
  protocol: protocolKey.optional(),
  name: z.string().max(200).default(''),
  /** How often each agent gets each unit. */
  trials: z.int().min(1).max(20).default(1),
  split: z.enum(['all', 'public', 'private']).default('public'),
  /** A seeded sample of the split; default all of its units. */
  sample: z.strictObject({ units: z.int().min(1).max(10_000), seed: z.int().min(0).default(1) }).optional(),
  /** Which tools agents see that have no mounting of their own; the seed draws the servers that are mounted besides. */
  mounting: mountingOrStandard,
  /**
   * Which tools to use if the servers' listings differ from the benchmark's: `pinned`, as the benchmark has them, or
   * `current`, as they are listed now. By default it is refused if one of its tools is listed differently or not at all; what is
   * listed besides is not used.
   */
  catalog: z.enum(['pinned', 'current']).optional(),
  /** `record` keeps every answer of a server; `replay` answers from the recording that `recordingId` names, without any server. */
  recording: z.enum(['off', 'record', 'replay']).default('off'),
  recordingId: z.string().min(1).max(100).optional(),
  /** Days after its end for which it keeps the texts of its attempts: arguments, results, answers, reasons. Absent: for ever. */
  keepTextsDays: z.int().min(1).max(3_650).optional(),
  judges: z.boolean().default(true),
  disturb: disturbing.optional(),
  /** What is answered when a server asks its user in a call; the judge's model plays the user. Absent: it is declined. */
  user: userPolicy.optional(),
  /** Weights and counts of TCS, MTC and AR. Leaderboards have the defaults. */
  scoring: scoringParameters.prefault({}),
  /** Cases that are processed at once; external agents set their own pace. */
  concurrency: z.int().min(1).max(200).default(8),
  seed: z.int().min(0).max(2_147_483_647).default(1),
  /** When to end before all attempts are made: units are then drawn a few at a time. Absent: all units are taken. */
  stop: stopRule.optional(),
  budget: evaluationBudget.prefault({}),
});
export type EvaluationConfig = z.infer<typeof evaluationConfig>;

/** Absent in runs of earlier releases: their agents had the mounting of the evaluation. */
const storedOwnMounting = mounting.optional();
/** Absent if the agent reads what the servers say. */
const ownOverlay = storedOverlay.optional();

/** An agent as a run stores it. */
export const storedAgent = z.discriminatedUnion('loop', [
  z.object({
    name: agentName,
    loop: modelLoop,
    model: storedModel,
    limits: agentLimits,
    /** Absent unless the loop searches for tools. */
    retrieval: storedRetrieval.optional(),
    mounting: storedOwnMounting,
    overlay: ownOverlay,
  }),
  z.object({
    name: agentName,
    loop: z.literal('external'),
    limits: externalLimits,
    /** Absent if it asks its models itself. */
    models: z.array(storedModel).optional(),
    program: agentProgram.optional(),
    mounting: storedOwnMounting,
    overlay: ownOverlay,
  }),
  z.object({
    name: agentName,
    loop: z.literal('null'),
    policy: nullPolicy,
    limits: agentLimits,
    mounting: storedOwnMounting,
  }),
  /** An agent whose attempts are imported from a file. */
  z.object({ name: agentName, loop: z.literal('uploaded'), configuration: agentConfiguration }),
]);
export type StoredAgent = z.infer<typeof storedAgent>;
export type StoredModelAgent = Extract<StoredAgent, { model: unknown }>;
export type StoredNullAgent = Extract<StoredAgent, { loop: 'null' }>;

/** Returns the models of which an agent's answers come, as far as we see them: its own, or those that it asks through the model gateway. */
export const modelsOfAgent = (agent: StoredAgent): readonly StoredModel[] => {
  if (isModelAgent(agent)) return [agent.model];
  return agent.loop === 'external' ? (agent.models ?? []) : [];
};

/** Returns whether an agent's attempts are made by somebody else. */
export const isExternalOrUploadedAgent = ({ loop }: Pick<StoredAgent, 'loop'>): boolean =>
  loop === 'external' || loop === 'uploaded';

export const isModelAgent = (agent: StoredAgent): agent is StoredModelAgent => 'model' in agent;

/** An agent as clients see it. */
export const shownAgent = z.discriminatedUnion('loop', [
  z.object({
    name: z.string(),
    loop: modelLoop,
    model: z.string(),
    baseUrl: z.string(),
    dialect: dialectSetting.optional(),
    limits: agentLimits,
    retrieval: shownRetrieval.optional(),
    mounting,
    overlay: shownOverlay.optional(),
  }),
  z.object({
    name: z.string(),
    loop: z.literal('external'),
    limits: externalLimits,
    models: z.array(z.object({ model: z.string(), baseUrl: z.string() })).optional(),
    program: agentProgram.optional(),
    mounting,
    overlay: shownOverlay.optional(),
  }),
  z.object({ name: z.string(), loop: z.literal('null'), policy: nullPolicy, limits: agentLimits, mounting }),
  z.object({ name: z.string(), loop: z.literal('uploaded'), configuration: agentConfiguration, mounting }),
]);

export type ShownAgent = z.infer<typeof shownAgent>;

/** Returns an agent as clients see it, in an evaluation with this mounting. */
export function makeShownAgent(agent: StoredAgent, evaluationMounting: Mounting): ShownAgent {
  const mounted = { mounting: mountingOfAgent(agent, evaluationMounting) };
  if (agent.loop === 'null' || agent.loop === 'uploaded') return { ...agent, ...mounted };
  const own = { ...mounted, overlay: agent.overlay && makeShownOverlay(agent.overlay) };
  if (!isModelAgent(agent)) {
    const models = agent.models?.map(({ model, baseUrl }) => ({ model, baseUrl }));
    return { ...agent, ...own, models };
  }
  const { model, retrieval, ...rest } = agent;
  const found = retrieval === undefined ? {} : { retrieval: retrievalWithEmbedderNameOnly(retrieval) };
  return { ...rest, ...found, ...own, ...pickDialect(model), model: model.model, baseUrl: model.baseUrl };
}

/** Returns which tools an agent sees in an evaluation with this mounting. */
export const mountingOfAgent = (agent: StoredAgent, evaluationMounting: Mounting): Mounting =>
  (agent.loop === 'uploaded' ? agent.configuration.mounting : agent.mounting) ?? evaluationMounting;

/** Returns the overlay under which an agent reads its tools; undefined if it reads what the servers say, or if only its hash is known. */
export const overlayOfAgent = (agent: StoredAgent): StoredOverlay | undefined =>
  'overlay' in agent ? agent.overlay : undefined;

/** Returns an agent that has this mounting; an uploaded one has the mounting that its file states. */
export const agentWithMountingUnlessUploaded = (agent: StoredAgent, chosen: Mounting | undefined): StoredAgent =>
  agent.loop === 'uploaded' || chosen === undefined ? agent : { ...agent, mounting: chosen };

/** Returns the agent after its use, without the client's key. */
export function agentWithoutOwnKeys(agent: StoredAgent): StoredAgent {
  if (agent.loop === 'external') return { ...agent, models: agent.models?.map(modelWithoutOwnKey) };
  if (!isModelAgent(agent)) return agent;
  const { retrieval } = agent;
  const found = retrieval && { retrieval: { ...retrieval, embedder: modelWithoutOwnKey(retrieval.embedder) } };
  return { ...agent, ...found, model: modelWithoutOwnKey(agent.model) };
}

const modelWithoutOwnKey = (model: StoredModel): StoredModel =>
  model.key.kind === 'own' ? { ...model, key: { kind: 'forgotten' } } : model;

/** Returns an agent's identity, without its name and secrets. */
export function configurationOfAgent(agent: StoredAgent): AgentConfiguration {
  if (agent.loop === 'uploaded') return agent.configuration;
  // Without a mounting and an overlay it stays as an earlier release wrote it, and so do the digests of its traces.
  const overlaid = overlayOfAgent(agent);
  const own = {
    ...(agent.mounting === undefined ? {} : { mounting: agent.mounting }),
    ...(overlaid === undefined ? {} : { overlay: overlaid.sha256 }),
  };
  const limits = Object.fromEntries(Object.entries(agent.limits).filter(isEntryDefined));
  if (agent.loop === 'null') return { loop: `null:${agent.policy}`, model: null, limits, ...own };
  const [main] = modelsOfAgent(agent);
  const program = agent.loop === 'external' && agent.program !== undefined ? { program: agent.program } : {};
  if (main === undefined) return { loop: agent.loop, model: null, limits, ...program, ...own };
  const { model, promptPricePerMTok, completionPricePerMTok, cachedPricePerMTok, cacheWritePricePerMTok } = main;
  const ofCache = Object.fromEntries(
    Object.entries({ cachedPricePerMTok, cacheWritePricePerMTok }).filter(isEntryDefined),
  );
  const retrieval = isModelAgent(agent) ? agent.retrieval : undefined;
  const found = retrieval === undefined ? {} : { retrieval: retrievalWithEmbedderNameOnly(retrieval) };
  const configuration = { loop: agent.loop, model, limits, ...pickDialect(main), ...found, ...program, ...own };
  // A price of zero means that nobody has given one.
  return promptPricePerMTok + completionPricePerMTok === 0
    ? configuration
    : { ...configuration, prices: { promptPricePerMTok, completionPricePerMTok, ...ofCache } };
}

const pickDialect = ({ dialect }: StoredModel): Pick<StoredModel, 'dialect'> =>
  dialect === undefined ? {} : { dialect };

const isEntryDefined = <T>(entry: [string, T | undefined]): entry is [string, T] => entry[1] !== undefined;
