import { z } from 'zod';
import { parseRows } from '#durable-objects/shared/rows.ts';

const revocationsRow = z.object({ revocations: z.int() });

/** How often the links to each run were revoked. Links say how often that was when they were made. */
export class SharesTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  countRevocations(run: string): number {
    const rows = this.#sql.exec('SELECT revocations FROM share_revocations WHERE run = ?', run);
    return parseRows(revocationsRow, rows)[0]?.revocations ?? 0;
  }

  revoke(run: string): void {
    this.#sql.exec(
      'INSERT INTO share_revocations (run, revocations) VALUES (?, 1) ON CONFLICT (run) DO UPDATE SET revocations = revocations + 1',
      run,
    );
  }
}
