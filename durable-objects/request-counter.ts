import { DurableObject } from 'cloudflare:workers';
import { requestTaken, type RequestAllowance, type RequestCount } from '#core/request-allowance.ts';

/**
 * Counts the requests of one key or address, in memory: a request writes nothing. An object that the platform puts away, which it
 * does with one that nobody asks, forgives what it had counted, which is the requests of two minutes at most.
 */
export class RequestCounter extends DurableObject {
  #count: RequestCount | null = null;

  take(limit: number, now: number): RequestAllowance {
    const { count, allowance } = requestTaken(this.#count, limit, now);
    this.#count = count;
    return allowance;
  }
}
