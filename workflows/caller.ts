import { isObjectUnavailable } from '#adapters/network/platform-errors.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { backoffMs } from '#core/values/backoff.ts';

/** Makes one call to an object. */
export type Caller<T> = <R>(call: (object: T) => Promise<R>) => Promise<R>;

const tries = 5;
const backoff = { firstMs: 250, longestMs: 2_000 };

/**
 * Returns how an instance calls an object: each try uses a fresh stub, because a stub that threw may stay broken. A
 * call that failed because the object was reset is repeated, so that paid work is not lost: every call may arrive
 * twice.
 */
export function makeRetryingObjectCaller<T>(stub: () => T, requests: Pick<Admission, 'addToRequestCount'>): Caller<T> {
  return async (call) => {
    for (let attempt = 1; ; attempt += 1) {
      requests.addToRequestCount();
      try {
        return await call(stub());
      } catch (error) {
        if (attempt === tries || !isObjectUnavailable(error)) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, backoffMs(backoff, attempt)));
    }
  };
}
