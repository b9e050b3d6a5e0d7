import type { z } from 'zod';
import {
  attemptEnd,
  claimResponse,
  givenBack,
  type AttemptEnd,
  type claimRequest,
  type ClaimResponse,
  type GivenBack,
} from '#core/evaluation/claim.ts';
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
   * Ends an attempt with the agent's answer. It is accepted once: if the first answer of the service was lost, the
   * repeated call is refused as `attempt-over`.
   */
  respond: (id: string, response: string, signal?: AbortSignal): Promise<AttemptEnd> =>
    transport.requestJson(attemptEnd, {
      method: 'POST',
      path: escapedPath`/v1/attempts/${id}/response`,
      json: { response },
      repeatable: true,
      signal,
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
