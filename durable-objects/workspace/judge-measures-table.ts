import { z } from 'zod';
import { judgeMeasure, type JudgeMeasure, type MeasureState } from '#core/evaluation/judge-measure/judge-measure.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';

const measureRow = z.object({ json: jsonColumnSchema(judgeMeasure) });

/** How well judges read attempts whose verdict is known, by model and endpoint: the latest measurement of each. */
export class JudgeMeasuresTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  list(): JudgeMeasure[] {
    return parseRows(measureRow, this.#sql.exec('SELECT json FROM judge_measures ORDER BY model, base_url')).map(
      ({ json }) => json,
    );
  }

  /** Replaces the measure of the judge. */
  write(measure: JudgeMeasure): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO judge_measures (model, base_url, json) VALUES (?, ?, ?)',
      measure.model,
      measure.baseUrl,
      JSON.stringify(measure),
    );
  }

  /** Records how the measurement by an evaluation ended. Nothing changes if a later one has begun. Idempotent. */
  writeOutcome(evaluation: string, outcome: MeasureState): void {
    const begun = this.list().find((each) => each.evaluation === evaluation);
    if (begun !== undefined) this.write({ ...begun, outcome });
  }
}
