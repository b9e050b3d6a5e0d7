import type { Admission } from '#adapters/network/admission.ts';
import { findPlatformError } from '#adapters/network/platform-errors.ts';

/**
 * The requests that an instance has made. The platform bounds them over all steps of an instance, so one that nears the bound hands
 * over. A step returns `total`: where the engine replays the instance, that is all that is left of what earlier steps made.
 */
export class SpentRequests {
  readonly #admission: Pick<Admission, 'requests'>;
  readonly #limit: number;
  /** Requests of steps that were replayed. */
  #earlier = 0;

  constructor(admission: Pick<Admission, 'requests'>, limit: number) {
    this.#admission = admission;
    this.#limit = limit;
  }

  get total(): number {
    return this.#earlier + this.#admission.requests;
  }

  get isAll(): boolean {
    return this.total >= this.#limit;
  }

  /** Takes what a step has returned. */
  note(total: number): void {
    this.#earlier = Math.max(this.#earlier, total - this.#admission.requests);
  }
}

/** Whether an error says that an instance may make no more requests. */
export const isOutOfRequests = (error: unknown): boolean =>
  /too many subrequests/i.test(findPlatformError(error)?.message ?? '');
