import { infrastructureFault } from '#core/faults.ts';
import { z } from 'zod';
import { failureVerdict } from './failure.ts';

/** Characters of a tool's result that a trace keeps; the hash is of the whole text. */
export const excerptChars = 4_000;

/**
 * Largest size of a trace's steps, in bytes of JSON, before the last one: with that step and the longest response it
 * still fits into an uploaded line of 1 MiB.
 */
export const traceBytes = 600_000;

/** Returns the bytes that a step adds to its trace. */
export const stepBytes = (step: Step): number => new TextEncoder().encode(JSON.stringify(step)).length;

/** One tool call and its outcome. */
export const step = z
  .object({
    /** `server/tool`, or the name as the agent wrote it if there is no such tool. */
    tool: z.string().max(300),
    /** Null if what the agent wrote was not a JSON object, or was longer than a trace can keep. */
    arguments: z.record(z.string(), z.unknown()).nullable(),
    /** `failure`: the tool's own error, or a call that no tool could take. `fault`: the connection broke. */
    outcome: z.enum(['success', 'failure', 'fault']),
    /** The beginning of the result text. */
    text: z.string().max(excerptChars),
    /** Whether `text` is only a part of the result. */
    truncated: z.boolean(),
    /** SHA-256 of the whole text, hex; null without a result. */
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable(),
    /** JSON-RPC error code, if the protocol answered with an error or a turn was not a valid call. */
    code: z.int().optional(),
    /**
     * Set if the result could not be checked against the tool's output schema within the allowed steps; it counts as
     * valid.
     */
    unchecked: z.literal(true).optional(),
    fault: infrastructureFault.nullable(),
    /** The class of a `failure`; null for everything else. */
    failure: failureVerdict.nullable(),
    /** The model turn that issued the call, from 1; calls of one turn were issued together. */
    turn: z.int().min(1),
    /** Prompt and completion tokens of that turn, shared by its calls; null if we did not see the agent's model. */
    turnTokens: z.int().min(0).nullable(),
    latencyMs: z.number().min(0),
  })
  .refine(({ outcome, failure }) => (outcome === 'failure') === (failure !== null), {
    message: 'failed calls have a class, or a mark that it is open; nothing else has',
    path: ['failure'],
  });

/** What an agent did with one request. Steps are in the order in which the agent issued them. */
export const trace = z.object({
  steps: z.array(step),
  /** The answer to the person; empty if there was none. */
  finalText: z.string(),
  /** A limit is the agent's own result; a `fault` counts for and against nobody. */
  end: z.enum(['answered', 'refused', 'turn-limit', 'token-limit', 'time-limit', 'fault']),
  /** The fault, if `end` is `fault`. */
  fault: infrastructureFault.nullable(),
  /** The number of model turns. */
  turns: z.int().min(0),
  promptTokens: z.int().min(0),
  completionTokens: z.int().min(0),
  costUsd: z.number().min(0),
  durationMs: z.number().min(0),
  /** ISO 8601; missing in traces of earlier versions. */
  startedAt: z.string().optional(),
});

export type Step = z.infer<typeof step>;
export type Trace = z.infer<typeof trace>;
