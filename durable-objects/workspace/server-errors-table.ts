import type { ServerErrors } from '#core/evaluation/server-errors.ts';

/** How many runs a server's errors are kept of one by one; those of earlier runs are summed. */
const runsKept = 100;

/** The errors that evaluations saw of a server's tools: of its latest runs one by one, of the others in one sum. */
export class ServerErrorsTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * Replaces what a run saw of a server, so that repeating it counts nothing twice. Run ids are in the order of time: a run older than those
   * that were summed is ignored, because it may be one of them. Inside a transaction.
   */
  replaceErrorsSeenByRun(
    server: string,
    run: string,
    { marked, reported }: Pick<ServerErrors, 'marked' | 'reported'>,
  ): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO server_errors (server, run, marked, reported)
         SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS (SELECT 1 FROM earlier_server_errors WHERE server = ?1 AND last_run >= ?2)`,
      server,
      run,
      marked,
      reported,
    );
    this.#mergeErrorsOfEarlierRuns(server);
  }

  #mergeErrorsOfEarlierRuns(server: string): void {
    this.#sql.exec(
      `INSERT INTO earlier_server_errors (server, last_run, marked, reported)
         SELECT ?1, MAX(run), SUM(marked), SUM(reported)
           FROM (SELECT * FROM server_errors WHERE server = ?1 ORDER BY run DESC LIMIT -1 OFFSET ?2) WHERE TRUE HAVING COUNT(*) > 0
         ON CONFLICT (server) DO UPDATE SET last_run = excluded.last_run, marked = marked + excluded.marked,
           reported = reported + excluded.reported`,
      server,
      runsKept,
    );
    this.#sql.exec(
      `DELETE FROM server_errors WHERE server = ?1
         AND run <= (SELECT last_run FROM earlier_server_errors WHERE server = ?1)`,
      server,
    );
  }

  removeErrorsOfServer(server: string): void {
    this.#sql.exec('DELETE FROM server_errors WHERE server = ?', server);
    this.#sql.exec('DELETE FROM earlier_server_errors WHERE server = ?', server);
  }
}
