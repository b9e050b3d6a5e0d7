import { z } from 'zod';
import { refuse } from '#core/values/errors.ts';

/** Which attempt to claim: of an evaluation of the workspace, or of a submission to a leaderboard. */
export const claimRequest = z.union([
  z.strictObject({
    evaluation: z.string().min(1).max(100),
    /** The name of an agent of the evaluation whose loop is `external`. */
    agent: z.string().min(1).max(60),
    /** The claimer promises a heartbeat every 15 seconds: without one and without a call for 45 seconds the attempt goes back to the queue. */
    heartbeat: z.literal(true).optional(),
  }),
  /** A submission of the tier `gateway`, which has one agent. */
  z.strictObject({ submission: z.string().min(1).max(100) }),
]);

/** An attempt that an external agent may make now. */
const claimedAttempt = z.object({
  id: z.string(),
  /** What the agent is asked to do. */
  request: z.string(),
  mcp: z.object({
    /** The attempt's own MCP server over Streamable HTTP. */
    url: z.string(),
    /** Headers for every request to it. */
    headers: z.object({ Authorization: z.string() }),
  }),
  /** The attempt's own way to its models; absent if the evaluation names none for the agent. */
  models: z
    .object({
      /** The names that requests may have; the first is the agent's main model. */
      names: z.array(z.string()),
      /** The base addresses for clients of each API, as they take them. */
      urls: z.object({ openai: z.string(), anthropic: z.string(), gemini: z.string() }),
      /** What a client sends as its key. */
      token: z.string(),
    })
    .optional(),
  /** The deadline for the response, ISO 8601. */
  deadline: z.string(),
  /** The attempt ends before its deadline if no call, or heartbeat that was promised, comes for this long. */
  leaseMs: z.int().optional(),
});
export type ClaimedAttempt = z.infer<typeof claimedAttempt>;

/** The answer to a claim. */
export const claimResponse = z.discriminatedUnion('status', [
  z.object({ status: z.literal('claimed'), attempt: claimedAttempt }),
  /** All remaining attempts are claimed, or the evaluation is paused. */
  z.object({ status: z.literal('wait'), retryAfterMs: z.int() }),
  z.object({ status: z.literal('finished') }),
]);
export type ClaimResponse = z.infer<typeof claimResponse>;

const shortestWaitMs = 2_000;
const longestWaitMs = 30_000;

/**
 * Returns how long to wait before claiming again if nothing has happened for `quietMs`: the same time again, so that
 * waits double.
 */
export const waitBeforeNextClaimMs = (quietMs: number): number =>
  Math.round(Math.min(longestWaitMs, Math.max(shortestWaitMs, quietMs)));

/**
 * Expired claims of one attempt after which its agent counts as too slow. In a submission it is one, because further
 * claims would be further tries.
 */
export const maxExpiredClaims = (isSubmitted: boolean): number => (isSubmitted ? 1 : 3);

/** Refuses an attempt of another workspace like one that there never was: in these words alone. */
export const noSuchAttempt = refuse('not-found', 'there is no such attempt');

/** Maximum calls of an attempt: more than any of our own agents could make. */
export const maxAttemptCalls = 1_000;

/** Maximum characters of an agent's response. */
export const maxResponseChars = 32_000;

/** How an agent ends an attempt. */
export const attemptResponse = z
  .strictObject({
    /** The agent's answer to the person; may be empty. */
    response: z.string().max(maxResponseChars),
    /** The agent broke down before it had an answer. */
    crashed: z.literal(true).optional(),
  })
  .refine(({ response, crashed }) => crashed === undefined || response === '', {
    path: ['response'],
    message: 'an agent that crashed has no answer: leave it empty',
  });
export type AttemptResponse = z.infer<typeof attemptResponse>;

/** The result of an answered attempt. */
export const attemptEnd = z.object({
  /** False if an infrastructure fault broke the attempt, or it is held. */
  evaluated: z.boolean(),
  /** True if a fault put it back into the queue. */
  again: z.boolean(),
  /** True if it crashed and waits for somebody to say whether it is made again or has failed; absent otherwise. */
  held: z.literal(true).optional(),
  /** Calls that the gateway saw; absent in answers of earlier releases. */
  calls: z.int().optional(),
  /** Attempts of the agent that are made, of all that it has; absent in runs of earlier releases. */
  progress: z.object({ made: z.int(), of: z.int() }).optional(),
});
export type AttemptEnd = z.infer<typeof attemptEnd>;

/** The result of an attempt that was given back. */
export const givenBack = z.object({
  /** True if somebody can claim it again. */
  again: z.boolean(),
});
export type GivenBack = z.infer<typeof givenBack>;

/** The answer to a heartbeat. */
export const heartbeatAnswer = z.object({
  /** Until when the attempt is held for its agent without a further sign of life, ISO 8601; its deadline if it has promised none. */
  heldUntil: z.string(),
});
export type HeartbeatAnswer = z.infer<typeof heartbeatAnswer>;

/** The digest of the accepted response, `crashed` if there was none, and the attempt's result. Repeating the same response gets the same answer. */
export const acceptedResponse = z.object({ sha256: z.string(), ended: attemptEnd });
export type AcceptedResponse = z.infer<typeof acceptedResponse>;

/** The reply to a claim: an attempt, "none right now", or "none left". */
export type ClaimAnswer =
  | {
      readonly kind: 'claimed';
      readonly attempt: string;
      readonly request: string;
      /** The deadline for the response, ISO 8601. */
      readonly deadline: string;
      readonly leaseMs?: number | undefined;
      /** The names of the models that it may ask through the model gateway; none if absent. */
      readonly models?: readonly string[];
    }
  | { readonly kind: 'wait'; readonly retryAfterMs: number }
  | { readonly kind: 'finished' };
