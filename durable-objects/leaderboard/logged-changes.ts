import { emptyLogHash, logLineWithChainedHash, type NewLogLine } from '#core/leaderboards/log-lines.ts';
import type { EmbeddedRanking } from './embedded-ranking.ts';
import type { LeaderboardStore } from './leaderboard-store.ts';

interface Host {
  readonly storage: DurableObjectStorage;
  readonly store: LeaderboardStore;
  readonly ranking: EmbeddedRanking;
  /** Creates tables that a change may write: those that are created in a failed transaction disappear. */
  readonly createTables: () => void;
}

/** Changes of a leaderboard, each in one transaction, and the lines of its log that record them. */
export class LoggedChanges {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Adds a log line together with the change that it records. Nothing else may write the log meanwhile. */
  async commitWithLogLine(line: NewLogLine, change: () => void): Promise<void> {
    const { store } = this.#host;
    const last = store.findLastLogLine();
    const next = await logLineWithChainedHash(last?.hash ?? emptyLogHash, { n: (last?.n ?? 0) + 1, ...line });
    this.commitInTransaction(() => {
      if (store.findLastLogLine()?.hash !== last?.hash) throw new Error('the log was written out of turn');
      store.addLogLine(next);
      change();
    });
  }

  /** Makes a change in one transaction. If it fails, the ranking is read again from storage. */
  commitInTransaction(change: () => void): void {
    const { storage, ranking, createTables } = this.#host;
    createTables();
    try {
      storage.transactionSync(change);
    } catch (error) {
      ranking.dropCache();
      throw error;
    }
  }
}
