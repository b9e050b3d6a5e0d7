import { z } from 'zod';
import { restLengthAfterFailures } from '#core/values/server-rests.ts';

/** What is known of whether an endpoint answers at all; times are in milliseconds since 1970. */
export const circuit = z.object({
  /** Requests in a row that found nobody. */
  lost: z.int(),
  /** How often in a row it was broken. */
  strikes: z.int(),
  restsUntilMs: z.number(),
  /** The lease of the one request that tries it after a rest. */
  tried: z.string().nullable(),
});
export type Circuit = Readonly<z.infer<typeof circuit>>;

export const newCircuit: Circuit = { lost: 0, strikes: 0, restsUntilMs: 0, tried: null };

/** After so many requests in a row that found nobody an endpoint rests. */
export const lostBeforeRest = 5;

/** The unit of a rest: 5 seconds, then 10, 20, 40, and at most 80. */
const restUnitMs = 5_000;

/** Whether requests may start (`closed`), none (`open`), or one that tries (`half-open`). */
export type CircuitState = 'closed' | 'open' | 'half-open';

/** Returns the state of a circuit. `isUnderWay` says of a lease whether its request has not ended yet. */
export function circuitState(
  { strikes, restsUntilMs, tried }: Circuit,
  isUnderWay: (lease: string) => boolean,
  nowMs: number,
): CircuitState {
  if (strikes === 0) return 'closed';
  const isTried = tried !== null && isUnderWay(tried);
  return nowMs < restsUntilMs || isTried ? 'open' : 'half-open';
}

/**
 * Returns the circuit after a request. An answer closes it. Too many requests in a row that found nobody open it, and then each try
 * that finds nobody, for twice as long each time; what had started before it opened says nothing new.
 */
export function circuitAfterRequest(
  before: Circuit,
  lease: string,
  outcome: 'answered' | 'busy' | 'lost' | 'other',
  nowMs: number,
): Circuit {
  if (outcome === 'answered' || outcome === 'busy') return newCircuit;
  const wasTry = before.tried === lease;
  if (outcome === 'other') return wasTry ? { ...before, tried: null } : before;
  if (before.strikes > 0 && !wasTry) return before;
  const lost = before.lost + 1;
  if (before.strikes === 0 && lost < lostBeforeRest) return { ...before, lost };
  const strikes = before.strikes + 1;
  return { lost, strikes, restsUntilMs: nowMs + restLengthAfterFailures(strikes) * restUnitMs, tried: null };
}
