/** The tables of an object, with a count of the rows that are written. */
export class CountedSql {
  readonly #sql: SqlStorage;
  #rowsWritten = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Rows written since this object started, indexes included, which the platform bills. */
  get rowsWritten(): number {
    return this.#rowsWritten;
  }

  /** Returns the rows of a query, which writes none. */
  readUncounted(query: string, ...bindings: SqlStorageValue[]): SqlStorageCursor<Record<string, SqlStorageValue>> {
    return this.#sql.exec(query, ...bindings);
  }

  /** Executes a statement that returns no rows, and counts those that it writes. */
  write(statement: string, ...bindings: SqlStorageValue[]): void {
    this.#rowsWritten += this.#sql.exec(statement, ...bindings).rowsWritten;
  }
}
