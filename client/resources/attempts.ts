import type { z } from 'zod';
import {
  attemptEnd,
  claimResponse,
  type AttemptEnd,
  type claimRequest,
  type ClaimResponse,
} from '#core/evaluation/claim.ts';
import { path, type Transport } from '../http/transport.ts';

/** Whose attempts are wanted: those of an agent of an evaluation, or those of a submission. */
export type Wanted = z.input<typeof claimRequest> | { readonly submission: string };

/** Attempts that an agent of one's own makes. */
export const attemptsOf = (transport: Transport) => ({
  /** Claims the next attempt. Under one idempotency key it is claimed once; callers who repeat the call bring their own. */
  claim: (wanted: Wanted, idempotencyKey: string = crypto.randomUUID(), signal?: AbortSignal): Promise<ClaimResponse> =>
    transport.json(claimResponse, {
      method: 'POST',
      path: '/v1/attempts/claim',
      json: wanted,
      headers: { 'idempotency-key': idempotencyKey },
      repeatable: true,
      signal,
    }),

  /**
   * Ends an attempt with what the agent says. It is taken once: where the first answer of the service was lost on the way, the
   * repeated call is refused as `attempt-over`.
   */
  respond: (id: string, response: string, signal?: AbortSignal): Promise<AttemptEnd> =>
    transport.json(attemptEnd, {
      method: 'POST',
      path: path`/v1/attempts/${id}/response`,
      json: { response },
      repeatable: true,
      signal,
    }),
});
