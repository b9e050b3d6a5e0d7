/** The longest that a call waits for its turn; its caller asks again. */
const longestCallMs = 20_000;

/** Which attempt uses which servers that attempts share, in a workspace. Waiting calls are only in memory. */
export class Turns {
  readonly #storage: DurableObjectStorage;
  /** The waiting calls in order of arrival; each tries again when it is called. */
  readonly #waiting = new Set<() => void>();

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /**
   * Takes the turn at all these servers until a time, or at none of them; one that the attempt has is kept until then. Waits for at
   * most `waitMs`; false says that others have some of them.
   */
  takeAllTurnsOrWait(
    attempt: string,
    urls: readonly string[],
    untilMs: number,
    waitMs = longestCallMs,
  ): Promise<boolean> {
    if (this.#takeTurnsNowIfFree(attempt, urls, untilMs)) return Promise.resolve(true);
    if (waitMs === 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (isTaken: boolean): void => {
        clearTimeout(late);
        clearInterval(expiries);
        this.#waiting.delete(tryAgain);
        resolve(isTaken);
      };
      const tryAgain = (): void => {
        if (this.#takeTurnsNowIfFree(attempt, urls, untilMs)) end(true);
      };
      const late = setTimeout(() => end(false), waitMs);
      // Nobody calls when a turn runs out.
      const expiries = setInterval(tryAgain, 1_000);
      this.#waiting.add(tryAgain);
    });
  }

  /** Ends the turns of an attempt, and gives them to those who wait. */
  endTurnsOfAttempt(attempt: string): void {
    this.#storage.sql.exec('DELETE FROM turns WHERE attempt = ?', attempt);
    for (const tryAgain of this.#waiting) tryAgain();
  }

  #takeTurnsNowIfFree(attempt: string, urls: readonly string[], untilMs: number): boolean {
    const nowMs = Date.now();
    return this.#storage.transactionSync(() => {
      const isFree = (url: string): boolean =>
        this.#storage.sql
          .exec('SELECT 1 FROM turns WHERE url = ? AND attempt <> ? AND until > ?', url, attempt, nowMs)
          .toArray().length === 0;
      if (!urls.every(isFree)) return false;
      for (const url of urls)
        this.#storage.sql.exec(
          'INSERT OR REPLACE INTO turns (url, attempt, until) VALUES (?, ?, ?)',
          url,
          attempt,
          untilMs,
        );
      return true;
    });
  }
}
