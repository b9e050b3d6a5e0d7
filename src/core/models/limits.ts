import { z } from 'zod';

/** The limits of an agent loop, which are part of the agent's identity. */
export const agentLimits = z.strictObject({
  /** Model turns per attempt. */
  turns: z.int().min(1).max(100).default(20),
  /**
   * New tokens per attempt: what its longest prompt has, and all completions. A turn sends the tools and the
   * conversation again; what an earlier turn of the same attempt sent does not count twice, though it is paid and stands
   * in `usage`. Prompts that are no turns, such as summaries, count whole. The default is above most models' windows, so
   * by default an attempt ends by turns, time, or its model's window.
   */
  tokens: z.int().min(1_000).max(50_000_000).default(2_000_000),
  timeMs: z.int().min(1_000).max(900_000).default(180_000),
  /** Whether the model may issue several calls in one turn, and how many of them are carried out. */
  parallelCalls: z.boolean().default(true),
  callsPerTurn: z.int().min(1).max(64).default(16),
  /** Time limit for one tool call. */
  callTimeoutMs: z.int().min(100).max(600_000).default(30_000),
  /** What the model samples with. Without it the request says nothing, and the endpoint's own default holds. */
  temperature: z.number().min(0).max(2).optional(),
});
export type AgentLimits = z.infer<typeof agentLimits>;
