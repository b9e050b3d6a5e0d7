import { z } from 'zod';

/** The limits of an agent loop; they are part of the agent's identity. */
export const agentLimits = z.strictObject({
  /** Model turns in one attempt. */
  turns: z.int().min(1).max(100).default(20),
  /** Prompt and completion tokens together in one attempt. */
  tokens: z.int().min(1_000).max(10_000_000).default(200_000),
  timeMs: z.int().min(1_000).max(900_000).default(180_000),
  /** Whether the model may issue several calls in a turn, and how many of them are carried out. */
  parallelCalls: z.boolean().default(true),
  callsPerTurn: z.int().min(1).max(64).default(16),
  /** Longest wait for one tool. */
  callTimeoutMs: z.int().min(100).max(600_000).default(30_000),
});
export type AgentLimits = z.infer<typeof agentLimits>;
