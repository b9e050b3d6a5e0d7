import { z } from 'zod';
import { type ServerSurvey, type Survey, survey } from '#core/catalog/survey.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';

const surveyRow = z.object({ json: jsonColumnSchema(survey) });

/** The last survey of each server. */
export class SurveyTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Replaces a server's survey; null removes it. Inside a transaction. */
  writeOrRemove(server: string, made: Survey | null): void {
    this.#sql.exec('DELETE FROM surveys WHERE server = ?', server);
    if (made !== null) this.#sql.exec('INSERT INTO surveys (server, json) VALUES (?, ?)', server, JSON.stringify(made));
  }

  read(server: string): Survey | null {
    return parseRows(surveyRow, this.#sql.exec('SELECT json FROM surveys WHERE server = ?', server))[0]?.json ?? null;
  }

  /** Returns the surveys of these servers that found something, under the servers' names. */
  listNonEmptySurveys(servers: readonly { readonly id: string; readonly name: string }[]): ServerSurvey[] {
    return servers.flatMap(({ id, name }) => {
      const { at, entries = [] } = this.read(id) ?? {};
      return at === undefined || entries.length === 0 ? [] : [{ server: name, at, entries }];
    });
  }
}
