import { z } from 'zod';
import { mayStrangerTakeTurn, type TurnShare, type TurnTaker } from '#core/catalog/isolation/turn-share.ts';
import { parseRows } from '#durable-objects/shared/rows.ts';

/** The longest that a call waits for its turn; its caller asks again. */
const longestCallMs = 20_000;

/** Who wants the turn at which servers, and until when. */
interface WantedTurns {
  readonly attempt: string;
  readonly urls: readonly string[];
  readonly untilMs: number;
  readonly by?: TurnTaker | undefined;
}

const turnRow = z.object({ attempt: z.string(), until: z.number() });
const shareRow = z
  .object({
    stranger_from: z.number().nullable(),
    stranger_to: z.number().nullable(),
    owners_turns: z.number(),
    owner_seen: z.number().nullable(),
    owner_refused: z.number().nullable(),
  })
  .transform((row): TurnShare => ({
    strangers:
      row.stranger_from === null || row.stranger_to === null
        ? null
        : { fromMs: row.stranger_from, toMs: row.stranger_to },
    ownersTurns: row.owners_turns,
    ownerSeenMs: row.owner_seen,
    ownerRefusedMs: row.owner_refused,
  }));

/** Which attempt uses which servers that attempts share, in a workspace. Waiting calls are only in memory. */
export class Turns {
  readonly #storage: DurableObjectStorage;
  /** The waiting calls in order of arrival, with what they want; each tries again when it is called. */
  readonly #waiting = new Map<() => void, WantedTurns>();

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /**
   * Takes the turn at all these servers until a time, or at none of them; one that the attempt has is kept until then. Waits for at
   * most `waitMs`; false says that others have some of them, or come first.
   */
  takeAllTurnsOrWait(wanted: WantedTurns, waitMs = longestCallMs): Promise<boolean> {
    if (this.#takeTurnsNowIfFree(wanted)) return Promise.resolve(true);
    if (waitMs === 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (isTaken: boolean): void => {
        clearTimeout(late);
        clearInterval(expiries);
        this.#waiting.delete(tryAgain);
        resolve(isTaken);
      };
      const tryAgain = (): void => {
        if (this.#takeTurnsNowIfFree(wanted)) end(true);
      };
      const late = setTimeout(() => end(false), waitMs);
      // Nobody calls when a turn runs out.
      const expiries = setInterval(tryAgain, 1_000);
      this.#waiting.set(tryAgain, wanted);
    });
  }

  /** Ends the turns of an attempt, and gives them to those who wait. */
  endTurnsOfAttempt(attempt: string): void {
    const nowMs = Date.now();
    this.#storage.transactionSync(() => {
      const { sql } = this.#storage;
      sql.exec(
        `UPDATE turn_shares SET stranger_to = MIN(stranger_to, ?)
          WHERE url IN (SELECT url FROM turns WHERE attempt = ? AND by_stranger = 1)`,
        nowMs,
        attempt,
      );
      sql.exec(
        'UPDATE turn_shares SET owner_seen = ? WHERE url IN (SELECT url FROM turns WHERE attempt = ? AND by_stranger = 0)',
        nowMs,
        attempt,
      );
      sql.exec('DELETE FROM turns WHERE attempt = ?', attempt);
    });
    for (const tryAgain of this.#waiting.keys()) tryAgain();
  }

  #takeTurnsNowIfFree({ attempt, urls, untilMs, by = 'owner' }: WantedTurns): boolean {
    const nowMs = Date.now();
    return this.#storage.transactionSync(() => {
      const holders = urls.map((url) => this.#findHolder(url, nowMs));
      const isFree =
        holders.every((holder) => holder === null || holder === attempt) &&
        (by === 'owner' || holders.every((holder) => holder === attempt) || this.#mayStrangerTake(urls, nowMs));
      if (!isFree && by === 'owner')
        for (const url of urls) this.#noteOwner(url, nowMs, { turns: 0, refusedMs: nowMs });
      if (!isFree) return false;
      for (const [index, url] of urls.entries()) {
        const isNew = holders[index] !== attempt;
        if (by === 'owner') this.#noteOwner(url, nowMs, { turns: isNew ? 1 : 0, refusedMs: null });
        else this.#noteStranger(url, isNew ? nowMs : null, untilMs);
        this.#storage.sql.exec(
          'INSERT OR REPLACE INTO turns (url, attempt, until, by_stranger) VALUES (?, ?, ?, ?)',
          url,
          attempt,
          untilMs,
          by === 'stranger' ? 1 : 0,
        );
      }
      return true;
    });
  }

  /** Returns the attempt that has the turn at a server; null if none has. */
  #findHolder(url: string, nowMs: number): string | null {
    const rows = this.#storage.sql.exec('SELECT attempt, until FROM turns WHERE url = ? AND until > ?', url, nowMs);
    return parseRows(turnRow, rows)[0]?.attempt ?? null;
  }

  #mayStrangerTake(urls: readonly string[], nowMs: number): boolean {
    const isWanted = [...this.#waiting.values()].some(
      ({ by = 'owner', urls: wanted }) => by === 'owner' && wanted.some((url) => urls.includes(url)),
    );
    if (isWanted) return false;
    return urls.every((url) => {
      const rows = this.#storage.sql.exec(
        'SELECT stranger_from, stranger_to, owners_turns, owner_seen, owner_refused FROM turn_shares WHERE url = ?',
        url,
      );
      const [share] = parseRows(shareRow, rows);
      return share === undefined || mayStrangerTakeTurn(share, nowMs);
    });
  }

  /** Notes that a run of the owner asks for a server; `turns` is 1 if it begins to use it. */
  #noteOwner(
    url: string,
    nowMs: number,
    { turns, refusedMs }: { readonly turns: 0 | 1; readonly refusedMs: number | null },
  ): void {
    this.#storage.sql.exec(
      `INSERT INTO turn_shares (url, owners_turns, owner_seen, owner_refused) VALUES (?, ?, ?, ?) ON CONFLICT (url) DO UPDATE
        SET owners_turns = owners_turns + excluded.owners_turns, owner_seen = excluded.owner_seen, owner_refused = excluded.owner_refused`,
      url,
      turns,
      nowMs,
      refusedMs,
    );
  }

  /** Notes that a stranger uses a server from a time on, or on (null), until another one unless that is ended before. */
  #noteStranger(url: string, fromMs: number | null, toMs: number): void {
    if (fromMs === null) {
      this.#storage.sql.exec('UPDATE turn_shares SET stranger_to = ? WHERE url = ?', toMs, url);
      return;
    }
    this.#storage.sql.exec(
      `INSERT INTO turn_shares (url, stranger_from, stranger_to) VALUES (?, ?, ?) ON CONFLICT (url) DO UPDATE
        SET stranger_from = excluded.stranger_from, stranger_to = excluded.stranger_to, owners_turns = 0`,
      url,
      fromMs,
      toMs,
    );
  }
}
