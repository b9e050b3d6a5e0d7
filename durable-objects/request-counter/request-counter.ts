import { DurableObject } from 'cloudflare:workers';
import { z } from 'zod';
import {
  expiryTimeOfCount,
  countRequestsBetweenCounts,
  admitAndCountRequest,
  type RequestAllowance,
  type RequestCount,
} from '#core/access/request-allowance.ts';

const storedCount = z.object({ minute: z.int(), present: z.int(), before: z.int() });

/**
 * Counts the requests of one key, attempt or address. The count is in memory; it is stored after each 16th of the
 * limit, because the platform evicts an idle object after ten seconds. So a new instance lacks less than a 16th of the
 * limit, and a caller below a 16th costs no row. An alarm deletes the storage when the stored count no longer matters.
 */
export class RequestCounter extends DurableObject {
  // One value under one key instead of a table: storage that is usually empty needs no schema, and reading it creates
  // nothing.
  readonly #storage: DurableObjectStorage;
  #count: RequestCount | null;
  #stored: RequestCount | null;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#storage = state.storage;
    // A value that another release stored in another form is ignored; it would matter for two minutes.
    this.#stored = storedCount.safeParse(state.storage.kv.get('count')).data ?? null;
    this.#count = this.#stored;
  }

  async admitRequest(limit: number, now: number): Promise<RequestAllowance> {
    const { count, allowance } = admitAndCountRequest(this.#count, limit, now);
    this.#count = count;
    if (countRequestsBetweenCounts(this.#stored, count) * 16 >= limit) await this.#storeCountAndSetAlarm(count);
    return allowance;
  }

  override async alarm(): Promise<void> {
    this.#stored = null;
    await this.#storage.deleteAll();
  }

  async #storeCountAndSetAlarm(count: RequestCount): Promise<void> {
    const isNewMinute = this.#stored?.minute !== count.minute;
    this.#stored = count;
    this.#storage.kv.put('count', count);
    if (isNewMinute) await this.#storage.setAlarm(expiryTimeOfCount(count));
  }
}
