import type { Admission } from '#adapters/network/admission.ts';
import { findPlatformError } from '#adapters/network/platform-errors.ts';

/**
 * Counts the requests of an instance. The platform limits them over all steps, so an instance near the limit hands
 * over. A step returns `total`: if the engine replays the instance, that is the only record of earlier steps.
 */
export class SpentRequests {
  readonly #admission: Pick<Admission, 'requestCount'>;
  readonly #limit: number;
  /** Requests of steps that were replayed. */
  #earlier = 0;

  constructor(admission: Pick<Admission, 'requestCount'>, limit: number) {
    this.#admission = admission;
    this.#limit = limit;
  }

  get total(): number {
    return this.#earlier + this.#admission.requestCount;
  }

  get isUsedUp(): boolean {
    return this.total >= this.#limit;
  }

  /** Takes over the total that a step returned, if it is larger than what this process counted. */
  restoreStepTotal(total: number): void {
    this.#earlier = Math.max(this.#earlier, total - this.#admission.requestCount);
  }
}

/** Returns whether an error says that an instance may make no more requests. */
export const isOutOfRequestsError = (error: unknown): boolean =>
  /too many subrequests/i.test(findPlatformError(error)?.message ?? '');
