import { z } from 'zod';
import type { EvaluationCase } from '#core/evaluation/case.ts';
import {
  countCasesToLookAt,
  isWantedCase,
  makePageOfWantedCases,
  refuseWrongCaseFilter,
  type CaseFilter,
  type FilteredEvaluation,
  type PageOfCases,
} from '#core/evaluation/case-filter.ts';
import { storedCase } from '#core/evaluation/stored-case.ts';
import { ok, type Result } from '#core/values/result.ts';
import type { CountedSql } from '#durable-objects/shared/counted-sql.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';

const caseRow = z.object({ json: jsonColumnSchema(storedCase) });
const nameRow = z.object({ name: z.string() });

/** Tools that a refusal names. */
const shownToolNames = 5;

/** The cases of an evaluation that a filter wants. */
export class WantedCases {
  readonly #sql: CountedSql;

  constructor(sql: CountedSql) {
    this.#sql = sql;
  }

  /** Returns at most `limit` wanted cases after one, and looks at a bounded number of cases. */
  list(
    filter: CaseFilter,
    after: string,
    limit: number,
    { protocol, agents }: Pick<FilteredEvaluation, 'protocol' | 'agents'>,
  ): Result<PageOfCases> {
    const right = refuseWrongCaseFilter(filter, {
      protocol,
      agents,
      hasUnit: (id) => this.#findAny('SELECT id AS name FROM units WHERE id = ?', id),
      hasTool: (name) => this.#findAny('SELECT name FROM tools WHERE name = ?', name),
      listToolNamesLike: (name) => this.#listToolNames(name.split('/', 1)[0] ?? ''),
    });
    if (!right.ok) return right;
    const lookedAt = countCasesToLookAt(filter, limit);
    const next = this.#listNextCases(after, lookedAt + 1, filter.unit);
    return ok(makePageOfWantedCases(next, { lookedAt, limit }, (each) => isWantedCase(each, filter, protocol)));
  }

  /** Cases by id, those of one unit if it is given. */
  #listNextCases(after: string, most: number, unit: string | undefined): EvaluationCase[] {
    const rows =
      unit === undefined
        ? this.#sql.readUncounted('SELECT json FROM cases WHERE id > ? ORDER BY id LIMIT ?', after, most)
        : this.#sql.readUncounted(
            'SELECT json FROM cases WHERE unit = ? AND id > ? ORDER BY id LIMIT ?',
            unit,
            after,
            most,
          );
    return parseRows(caseRow, rows).map((row) => row.json);
  }

  /** The names of some tools, those of a server first. */
  #listToolNames(server: string): string[] {
    const rows = this.#sql.readUncounted(
      'SELECT name FROM tools ORDER BY server <> ?, name LIMIT ?',
      server,
      shownToolNames,
    );
    return parseRows(nameRow, rows).map(({ name }) => name);
  }

  #findAny(question: string, name: string): boolean {
    return parseRows(nameRow, this.#sql.readUncounted(question, name)).length > 0;
  }
}
