import type { Caller } from '#core/access/access.ts';

/** How long another process may still accept a removed key. */
const rememberedMs = 30_000;
const mostRemembered = 1_000;

/**
 * Caches the callers of recently used keys by hash, so that the directory is not asked at every request. Unknown keys
 * are looked up each time, so a new one works at once.
 */
export class KnownKeys {
  readonly #callers = new Map<string, { readonly caller: Caller; readonly untilMs: number }>();
  #removals = 0;

  /** Asks the directory if it does not remember the key. */
  async findCallerByKeyHash(
    hash: string,
    directory: { authenticate(hash: string): Promise<Caller | null> },
    nowMs: number,
  ): Promise<Caller | null> {
    const known = this.#callers.get(hash);
    if (known !== undefined && nowMs < known.untilMs) return known.caller;
    this.#callers.delete(hash);
    const removals = this.#removals;
    const caller = await directory.authenticate(hash);
    // A key may have been removed during the look-up.
    if (caller !== null && removals === this.#removals) this.#cacheCaller(hash, caller, nowMs + rememberedMs);
    return caller;
  }

  /** Forgets a removed key. */
  forgetKeyById(key: string): void {
    this.#removals += 1;
    for (const [hash, { caller }] of this.#callers) if (caller.key === key) this.#callers.delete(hash);
  }

  #cacheCaller(hash: string, caller: Caller, untilMs: number): void {
    const [oldest] = this.#callers.keys();
    if (this.#callers.size >= mostRemembered && oldest !== undefined) this.#callers.delete(oldest);
    this.#callers.set(hash, { caller, untilMs });
  }
}
