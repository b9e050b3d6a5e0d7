import { leaderboardCounts, leaderboardCreation } from '#core/leaderboards/record.ts';
import type { Directory } from '#durable-objects/directory/directory.ts';
import { Mutex } from '#durable-objects/shared/mutex.ts';
import type { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import type { EmbeddedRanking } from './embedded-ranking.ts';
import type { LeaderboardStore } from './leaderboard-store.ts';

interface Host {
  readonly env: { readonly DIRECTORY: DurableObjectNamespace<Directory> };
  readonly singletons: SingletonTable;
  readonly store: Pick<LeaderboardStore, 'countSubmissions'>;
  readonly ranking: Pick<EmbeddedRanking, 'total'>;
}

/**
 * The counts with which the directory lists a leaderboard, so that a list asks no leaderboard. They are reported when they
 * change; a report that fails is made again with the next change, and when the object starts.
 */
export class ListedCounts {
  readonly #host: Host;
  readonly #reporting = new Mutex();

  constructor(host: Host) {
    this.#host = host;
  }

  /** Reports the counts unless the directory has them. Reports follow each other, so that the last one has the last counts. */
  report(): Promise<void> {
    return this.#reporting.run(async () => {
      const { env, singletons, store, ranking } = this.#host;
      const opened = singletons.read('birth', leaderboardCreation);
      if (opened === null) return;
      const counts = { entries: ranking.total, submissions: store.countSubmissions() };
      const reported = singletons.read('listed', leaderboardCounts);
      if (counts.entries === reported?.entries && counts.submissions === reported.submissions) return;
      try {
        const directory = env.DIRECTORY.getByName('directory');
        if (await directory.setLeaderboardCounts(opened.id, counts)) singletons.write('listed', counts);
      } catch (error) {
        console.error(JSON.stringify({ leaderboard: opened.id, countsNotReported: String(error) }));
      }
    });
  }
}
