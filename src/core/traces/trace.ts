import { infrastructureFault } from '#core/models/faults.ts';
import { checkResult } from './checks/check.ts';
import { z } from 'zod';
import { toolEffect } from '#core/catalog/effect.ts';
import { askedQuestion, mostKeptQuestions } from '#core/models/simulated-user/asked-question.ts';
import { modelRequest, ownToolCalls } from '#core/models/gateway/model-request.ts';
import { schemaRefusal } from '#core/models/function-schemas/writing.ts';
import { disturbanceRecord } from './disturbances/record.ts';
import { failureVerdict } from './failure.ts';
import { reportedError } from './reported-error.ts';
import { hasFailed } from './step-outcome.ts';

/** Characters of a tool's result that agents and judges see and that a trace keeps; the hash is of the whole text. */
export const excerptChars = 8_000;

/** Characters of the summary of a long result, at most. */
export const summaryChars = 4_000;

/**
 * Largest size of a trace's steps, in bytes of JSON, before the last one: with that step and the longest response it
 * still fits into an uploaded line of 1 MiB.
 */
export const traceBytes = 600_000;

/** Returns the bytes that a step or a route adds to its trace. */
export const countJsonBytesOfStepOrRoute = (step: Step | Route): number =>
  new TextEncoder().encode(JSON.stringify(step)).length;

/** One tool call and its outcome. */
export const step = z
  .object({
    /** `server/tool`, or the name as the agent wrote it if there is no such tool. */
    tool: z.string().max(300),
    /** Null if what the agent wrote was not a JSON object, or was longer than a trace can keep. */
    arguments: z.record(z.string(), z.unknown()).nullable(),
    /**
     * `failure`: the tool's own error, a call that no tool could take, or a call to which the server gave no usable
     * answer. `fault`: the attempt could not be made, because no server could be connected to or a recording had no
     * answer; before release 0.3.0 any broken call.
     */
    outcome: z.enum(['success', 'failure', 'fault']),
    /** The beginning of the result text. */
    text: z.string().max(excerptChars),
    /** Whether `text` is only a part of the result. */
    truncated: z.boolean(),
    /** What the agent saw in place of a long result: a summary by its own model, which proves nothing. */
    summary: z.string().min(1).max(summaryChars).optional(),
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
    /** What broke, if the server gave no answer. */
    fault: infrastructureFault.nullable(),
    /**
     * Set if the environment spoilt the call: the server gave no answer, or one that cannot be used because it is too
     * large or violates the tool's own output schema.
     */
    cause: z.literal('environment').optional(),
    /** Set if the server marked the result as a success although its text reports an error. */
    reported: reportedError.optional(),
    /**
     * How the call relates to the mounted tools: its arguments fit the tool's input schema, violate it (or are no JSON object), could
     * not be checked within the allowed steps, or it names no mounted tool. Absent in traces of earlier releases.
     */
    form: z.enum(['fits', 'violates', 'unchecked', 'no-tool']).optional(),
    /** What the tool does, if the call reached its server and may have changed its state; absent in traces of earlier releases. */
    effect: toolEffect.exclude(['reads']).optional(),
    /** What its server asked its user before it answered; absent if nothing. */
    asked: z.array(askedQuestion).max(mostKeptQuestions).readonly().optional(),
    /** Set if a disturbance made what came back, so that it says nothing about the server. */
    disturbed: z.literal(true).optional(),
    /** The class of a `failure` or of a reported error; null for everything else. */
    failure: failureVerdict.nullable(),
    /** The model turn that issued the call, from 1; calls of one turn were issued together. */
    turn: z.int().min(1),
    /** Prompt and completion tokens of that turn, shared by its calls; null if we did not see the agent's model. */
    turnTokens: z.int().min(0).nullable(),
    latencyMs: z.number().min(0),
  })
  .refine((call) => hasFailed(call) === (call.failure !== null), {
    message: 'failed calls have a class, or a mark that it is open; nothing else has',
    path: ['failure'],
  })
  .refine(({ outcome, cause }) => cause === undefined || outcome === 'failure', {
    message: 'only a failed call has a cause',
    path: ['cause'],
  })
  .refine(({ outcome, reported }) => reported === undefined || outcome === 'success', {
    message: 'only a success can report an error',
    path: ['reported'],
  });

/** Characters of a route's texts that are embedded and that a trace keeps. */
export const routeQueryChars = 2_000;

/** A search for tools, which an agent with the loop `routing` or `tool-search` makes before it can call one. It calls no tool, so it is no step. */
export const route = z.object({
  /** What the tool has to do, in the model's words; empty if it gave none. */
  query: z.string().max(routeQueryChars),
  /** What kind of server would have it; absent if the model named none. */
  server: z.string().max(routeQueryChars).optional(),
  /** The tools that it was shown, best first; without `fit` where a published trajectory does not say it. */
  tools: z.array(z.object({ name: z.string().max(300), fit: z.number().optional() })),
  /** Why nothing was searched for; absent if it was. */
  problem: z.string().max(1_000).optional(),
  /** How many steps came before it. */
  after: z.int().min(0),
  /** The model turn that issued it, as in a step. */
  turn: z.int().min(1),
  latencyMs: z.number().min(0),
});
export type Route = z.infer<typeof route>;

/**
 * A run of a program that an agent with the loop `code` wrote; its calls are steps. The code is not kept: what owners keep out of
 * arguments would stand in it.
 */
export const programRun = z.object({
  /** Characters of the code. */
  chars: z.int().min(0),
  end: z.enum(['returned', 'threw', 'too-many-calls', 'too-much-time-or-memory', 'attempt-over']),
  /** The line at which it threw, from 1; null if it did not, or none is known. */
  line: z.int().min(1).nullable(),
  /** How many steps came before it, and how many are its own. */
  after: z.int().min(0),
  calls: z.int().min(0),
  /** The model turn that issued it, as in a step. */
  turn: z.int().min(1),
  /** How long it ran without waiting for a call. */
  ownMs: z.number().min(0),
});
export type ProgramRun = z.infer<typeof programRun>;

/** A mounted tool that was not offered: why, and where in its schema, unless the endpoint itself refused it. */
export const leftOutTool = z.object({
  tool: z.string(),
  reason: z.enum([...schemaRefusal.shape.reason.options, 'refused']),
  pointer: z.string().nullable(),
});

/** What an agent did with one request. Steps are in the order in which the agent issued them. */
export const trace = z.object({
  steps: z.array(step),
  /** In the order of issue; absent unless the agent has to search for its tools, and in traces of earlier releases. */
  routes: z.array(route).optional(),
  /** In the order of issue; absent unless the agent wrote programs. */
  programs: z.array(programRun).optional(),
  /** The answer to the person; empty if there was none. */
  finalText: z.string(),
  /** A limit is the agent's own result. `fault`: the model or all servers broke, which counts for and against nobody. */
  end: z.enum(['answered', 'refused', 'turn-limit', 'token-limit', 'time-limit', 'fault']),
  /** The fault, if `end` is `fault`. */
  fault: infrastructureFault.nullable(),
  /** The number of model turns; of an agent that plans, its plans, without summaries and the final answer. */
  turns: z.int().min(0),
  promptTokens: z.int().min(0),
  completionTokens: z.int().min(0),
  costUsd: z.number().min(0),
  durationMs: z.number().min(0),
  /** ISO 8601; missing in traces of earlier versions. */
  startedAt: z.string().optional(),
  /** Set if the conversation became too long for the model's context, so that its endpoint refused it. */
  overflowed: z.literal(true).optional(),
  /** The loop that carried on because the endpoint takes fewer functions than there are tools. */
  fellBack: z.literal('prompted-calling').optional(),
  /** In what requests differed from what was to be sent, because the endpoint takes no other, such as `seed: none`; absent if in nothing. */
  adaptations: z.array(z.string()).optional(),
  /** The mounted tools that were not offered to the model, because its endpoint does not take them as functions; absent if all were. */
  leftOut: z.array(leftOutTool).optional(),
  /** What became of the unit's checks, in their order. Their calls are not among the steps. Absent if nobody carried them out. */
  checks: z.array(checkResult).optional(),
  /** What an external agent asked its model through the model gateway, in the order of the requests; absent if nothing. */
  modelRequests: z.array(modelRequest).optional(),
  /** How often its model called tools of the agent's own, such as a shell, by name; absent if the model gateway saw no such call. */
  ownToolCalls,
  /** How it was disturbed on purpose; absent if it was not. */
  disturbance: disturbanceRecord.optional(),
  /** When arguments, results, answer and reasons were deleted; absent if they are there. */
  textsDeleted: z.string().optional(),
});

export type Step = z.infer<typeof step>;
export type Trace = z.infer<typeof trace>;
