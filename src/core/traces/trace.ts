import { infrastructureFault } from '#core/faults.ts';
import { z } from 'zod';
import { failureVerdict } from './failure.ts';

/** Characters of a tool's result that a trace keeps; the hash is of the whole text. */
export const EXCERPT_CHARS = 4_000;

/**
 * Bytes that the steps of a trace may have, as JSON, before the last one: with that one and the longest response it is still a line that can be
 * uploaded, of 1 MiB.
 */
export const TRACE_BYTES = 600_000;

/** Bytes that a step adds to its trace. */
export const stepBytes = (step: Step): number => new TextEncoder().encode(JSON.stringify(step)).length;

/** One call of a tool and what came of it. */
export const step = z
  .object({
    /** `server/tool`, or the name as the agent wrote it where no such tool exists. */
    tool: z.string().max(300),
    /** Null where what the agent wrote was not a JSON object, or longer than a trace can keep. */
    arguments: z.record(z.string(), z.unknown()).nullable(),
    /** `failure` is the tool's own error or a call that no tool could take; `fault` broke on the way. */
    outcome: z.enum(['success', 'failure', 'fault']),
    /** The beginning of the result's text. */
    text: z.string().max(EXCERPT_CHARS),
    /** Whether `text` is less than the whole. */
    truncated: z.boolean(),
    /** SHA-256 of the whole text, hex; null where there was no result. */
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable(),
    /** JSON-RPC error code where the protocol answered with an error, or where a turn was no call of any form. */
    code: z.int().optional(),
    /** There where the result could not be held against the tool's output schema within the steps allowed; it counts as sound. */
    unchecked: z.literal(true).optional(),
    fault: infrastructureFault.nullable(),
    /** The class of a `failure`; null for everything else: a fault has no class. */
    failure: failureVerdict.nullable(),
    /** The model's turn that issued the call, from 1; calls of one turn were issued together. */
    turn: z.int().min(1),
    /** Prompt and completion tokens of that turn, which its calls share; null where the agent's model was not seen. */
    turnTokens: z.int().min(0).nullable(),
    latencyMs: z.number().min(0),
  })
  .refine(({ outcome, failure }) => (outcome === 'failure') === (failure !== null), {
    message: 'failed calls have a class, or a mark that it is open; nothing else has',
    path: ['failure'],
  });

/** What an agent really did with one request. Steps are in the order in which the agent issued them. */
export const trace = z.object({
  steps: z.array(step),
  /** The answer to the person; empty where there was none. */
  finalText: z.string(),
  /** Limits are the agent's own and its own result; a `fault` is nobody's. */
  end: z.enum(['answered', 'refused', 'turn-limit', 'token-limit', 'time-limit', 'fault']),
  /** What ended it, where `end` is `fault`. */
  fault: infrastructureFault.nullable(),
  /** The model's turns. */
  turns: z.int().min(0),
  promptTokens: z.int().min(0),
  completionTokens: z.int().min(0),
  costUsd: z.number().min(0),
  durationMs: z.number().min(0),
  /** ISO 8601; traces of earlier versions do not have it. */
  startedAt: z.string().optional(),
});

export type Step = z.infer<typeof step>;
export type Trace = z.infer<typeof trace>;
