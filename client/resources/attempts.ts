import type { z } from 'zod';
import {
  attemptEnd,
  claimResponse,
  givenBack,
  heartbeatAnswer,
  type AttemptEnd,
  type claimRequest,
  type ClaimResponse,
  type GivenBack,
  type HeartbeatAnswer,
} from '#core/evaluation/claim.ts';
import { settledCrashes, type CrashSettlement, type SettledCrashes } from '#core/evaluation/crashes.ts';
import { escapedPath, type Transport } from '../http/transport.ts';

/** The owner of the attempts: an agent of an evaluation, or a submission. */
export type Wanted = z.input<typeof claimRequest> | { readonly submission: string };

/** Attempts of an external agent. */
export const makeAttemptsClient = (transport: Transport) => ({
  /**
   * Claims the next attempt. The idempotency key makes the claim repeatable; callers that repeat the call pass their
   * own.
   */
  claim: (wanted: Wanted, idempotencyKey: string = crypto.randomUUID(), signal?: AbortSignal): Promise<ClaimResponse> =>
    transport.requestJson(claimResponse, {
      method: 'POST',
      path: '/v1/attempts/claim',
      json: wanted,
      headers: { 'idempotency-key': idempotencyKey },
      repeatable: true,
      signal,
    }),

  /**
   * Ends an attempt with the agent's answer, or with its crash. It is accepted once: if the first answer of the service was lost, the
   * repeated call is refused as `attempt-over`.
   */
  respond: (id: string, response: string | { readonly crashed: true }, signal?: AbortSignal): Promise<AttemptEnd> =>
    transport.requestJson(attemptEnd, {
      method: 'POST',
      path: escapedPath`/v1/attempts/${id}/response`,
      json: typeof response === 'string' ? { response } : { response: '', ...response },
      repeatable: true,
      signal,
    }),

  /** Says that an attempt is still being made. */
  beat: (id: string, signal: AbortSignal): Promise<HeartbeatAnswer> =>
    transport.requestJson(heartbeatAnswer, {
      method: 'POST',
      path: escapedPath`/v1/attempts/${id}/heartbeat`,
      repeatable: true,
      signal,
    }),

  /** Has attempts of an evaluation that crashed made again, or counts them as failed; those of one agent or of all. */
  settleCrashes: (evaluation: string, settlement: CrashSettlement): Promise<SettledCrashes> =>
    transport.requestJson(settledCrashes, {
      method: 'POST',
      path: escapedPath`/v1/evaluations/${evaluation}/crashes`,
      json: settlement,
      repeatable: true,
    }),

  /** Gives an attempt back without an answer, also when the client is interrupted. */
  giveBack: (id: string, signal: AbortSignal): Promise<GivenBack> =>
    transport.requestJson(givenBack, {
      method: 'DELETE',
      path: escapedPath`/v1/attempts/${id}`,
      repeatable: true,
      isLast: true,
      signal,
    }),
});
