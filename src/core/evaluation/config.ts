import { z } from 'zod';
import { agentLimits } from '#core/exploration/config.ts';
import { modelChoice, storedModel } from '#core/exploration/models.ts';

/** How an agent calls tools: by the model's own function calling. */
export const agentLoop = z.enum(['function-calling']);

const agentName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,59}$/, 'lower-case letters, digits, dots, hyphens and underscores, at most 60');

/** An agent as a client names it: a model behind a loop with its limits, which are part of what it is. */
export const agentChoice = z.strictObject({
  name: agentName,
  loop: agentLoop.default('function-calling'),
  /** The model's name at the endpoint. */
  model: z.string().min(1).max(200),
  /** Where the model is; without it, the deployment's endpoint for agents. */
  endpoint: modelChoice.omit({ model: true }).optional(),
  limits: agentLimits.prefault({}),
});

/** When an evaluation ends by itself before all attempts were made. */
const evaluationBudget = z.strictObject({
  tokens: z.int().min(1).optional(),
  costUsd: z.number().positive().optional(),
  wallMs: z.int().min(1_000).optional(),
});

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
  judges: z.boolean().default(true),
  /** Units that are worked on at once. */
  concurrency: z.int().min(1).max(50).default(8),
  seed: z.int().min(0).max(2_147_483_647).default(1),
  budget: evaluationBudget.prefault({}),
});
export type EvaluationConfig = z.infer<typeof evaluationConfig>;

/** An agent as a run stores it. */
export const storedAgent = agentChoice.omit({ endpoint: true, model: true }).extend({ model: storedModel });
export type StoredAgent = z.infer<typeof storedAgent>;
