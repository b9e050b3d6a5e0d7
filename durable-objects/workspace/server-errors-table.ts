import type { ServerErrors } from '#core/evaluation/server-errors.ts';

/** The errors that each evaluation saw of a server's tools. */
export class ServerErrorsTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Replaces what a run saw of a server, so that repeating it counts nothing twice. */
  write(server: string, run: string, { marked, reported }: Pick<ServerErrors, 'marked' | 'reported'>): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO server_errors (server, run, marked, reported) VALUES (?, ?, ?, ?)',
      server,
      run,
      marked,
      reported,
    );
  }

  remove(server: string): void {
    this.#sql.exec('DELETE FROM server_errors WHERE server = ?', server);
  }
}
