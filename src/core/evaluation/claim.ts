import { z } from 'zod';

/** Which attempt is wanted: of an evaluation of one's own, or of a submission to a leaderboard. */
export const claimRequest = z.union([
  z.strictObject({
    evaluation: z.string().min(1).max(100),
    /** The name of an agent of the evaluation whose loop is `external`. */
    agent: z.string().min(1).max(60),
  }),
  /** One of the tier `gateway`, which has one agent. */
  z.strictObject({ submission: z.string().min(1).max(100) }),
]);

/** An attempt that somebody outside may make now. */
const claimedAttempt = z.object({
  id: z.string(),
  /** What the agent is asked to do. */
  request: z.string(),
  mcp: z.object({
    /** An MCP server over Streamable HTTP: the attempt's own. */
    url: z.string(),
    /** To be sent with every request to it. */
    headers: z.object({ Authorization: z.string() }),
  }),
  /** ISO 8601; until then the response is to be there. */
  deadline: z.string(),
});
export type ClaimedAttempt = z.infer<typeof claimedAttempt>;

/** What one who wants an attempt is told. */
export const claimResponse = z.discriminatedUnion('status', [
  z.object({ status: z.literal('claimed'), attempt: claimedAttempt }),
  /** All that is left is claimed, or the evaluation is paused. */
  z.object({ status: z.literal('wait'), retryAfterMs: z.int() }),
  z.object({ status: z.literal('finished') }),
]);
export type ClaimResponse = z.infer<typeof claimResponse>;

const shortestWaitMs = 2_000;
const longestWaitMs = 30_000;

/** How long to wait before claiming again where nothing has happened for `quietMs`: as long again, so that waits double. */
export const retryAfterMs = (quietMs: number): number =>
  Math.round(Math.min(longestWaitMs, Math.max(shortestWaitMs, quietMs)));

/**
 * Claims of one attempt that may run out before its agent is taken to be too slow. A submission to a leaderboard has one: further ones would
 * be further tries.
 */
export const mostClaims = (isSubmitted: boolean): number => (isSubmitted ? 1 : 3);

/** Calls that an attempt may have: more than any of our own agents could make. */
export const maxAttemptCalls = 1_000;

/** Characters that an agent's response may have. */
export const maxResponseChars = 32_000;

/** How an agent ends an attempt. */
export const attemptResponse = z.strictObject({
  /** What the agent says to the person in the end; empty where it has nothing to say. */
  response: z.string().max(maxResponseChars),
});

/** What an attempt counts as once it is answered. */
export const attemptEnd = z.object({
  /** False where an infrastructure fault broke the attempt. */
  evaluated: z.boolean(),
  /** True where it is in the queue once more because of that. */
  again: z.boolean(),
});
export type AttemptEnd = z.infer<typeof attemptEnd>;

/** The response that was taken, by its digest, and what the attempt counts as. The same response gets the same answer again. */
export const takenResponse = z.object({ sha256: z.string(), ended: attemptEnd });
export type TakenResponse = z.infer<typeof takenResponse>;

/** What an evaluation says to one who wants an attempt: one, that there is none just now, or that there will be none any more. */
export type ClaimAnswer =
  | {
      readonly kind: 'claimed';
      readonly attempt: string;
      readonly request: string;
      /** ISO 8601; until then the response is to be there. */
      readonly deadline: string;
    }
  | { readonly kind: 'wait'; readonly retryAfterMs: number }
  | { readonly kind: 'finished' };
