import type { Caller } from '#core/access.ts';

/** How long another process than the one that removed a key may go on to take it. */
const rememberedMs = 30_000;
const mostRemembered = 1_000;

/**
 * The callers of keys that were in the directory a moment ago, by the hashes of the keys, so that the directory is not asked at every request. Keys that it
 * does not know are asked for each time: a new one opens at once.
 */
export class KnownKeys {
  readonly #callers = new Map<string, { readonly caller: Caller; readonly untilMs: number }>();
  #removals = 0;

  /** Asks the directory where it does not remember the key. */
  async callerOf(
    hash: string,
    directory: { authenticate(hash: string): Promise<Caller | null> },
    nowMs: number,
  ): Promise<Caller | null> {
    const known = this.#callers.get(hash);
    if (known !== undefined && nowMs < known.untilMs) return known.caller;
    this.#callers.delete(hash);
    const removals = this.#removals;
    const caller = await directory.authenticate(hash);
    // A key may have been removed while the directory was asked.
    if (caller !== null && removals === this.#removals) this.#remember(hash, caller, nowMs + rememberedMs);
    return caller;
  }

  /** Forgets a key that was removed. */
  forget(key: string): void {
    this.#removals += 1;
    for (const [hash, { caller }] of this.#callers) if (caller.key === key) this.#callers.delete(hash);
  }

  #remember(hash: string, caller: Caller, untilMs: number): void {
    const [oldest] = this.#callers.keys();
    if (this.#callers.size >= mostRemembered && oldest !== undefined) this.#callers.delete(oldest);
    this.#callers.set(hash, { caller, untilMs });
  }
}
