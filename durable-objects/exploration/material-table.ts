import { z } from 'zod';
import type { Tool } from '#core/catalog/tool.ts';
import {
  drawExamplesThatFit,
  keptExamples,
  makeExamplesOfTrace,
  mayPromptsShowExamples,
  toolExample,
  type ToolExample,
} from '#core/units/survey/examples.ts';
import { type ServerSurvey, serverSurvey } from '#core/catalog/survey.ts';
import type { WriterMaterial } from '#core/units/survey/writer-material.ts';
import type { Trace } from '#core/traces/trace.ts';
import type { Unit } from '#core/units/unit.ts';
import { CountedSql } from '#durable-objects/shared/counted-sql.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';

const surveyRow = z.object({ json: jsonColumnSchema(serverSurvey) });
const exampleRow = z.object({ json: jsonColumnSchema(toolExample) });

/**
 * The contents of servers that the writer of a run sees: the servers' surveys, and examples of calls that succeeded. A
 * tool has a bounded number of examples, regardless of how long the run is.
 */
export class MaterialTable {
  readonly #sql: CountedSql;
  /** What was read of earlier rounds, for the round that it was read in: units of one round see the same. */
  readonly #read = { round: 0, examples: new Map<string, readonly ToolExample[]>() };
  /** A run's surveys never change. */
  readonly #surveys = new Map<string, readonly ServerSurvey[]>();

  constructor(sql: SqlStorage) {
    this.#sql = new CountedSql(sql);
  }

  /** Rows written since this object started. */
  get rowsWritten(): number {
    return this.#sql.rowsWritten;
  }

  storeSurveys(surveys: readonly ServerSurvey[]): void {
    for (const each of surveys)
      this.#sql.write('INSERT INTO surveys (server, json) VALUES (?, ?)', each.server, JSON.stringify(each));
  }

  /**
   * Keeps examples from a trace of an explored unit; a probe's are held out. Rows of the current round are kept apart
   * from earlier ones, so that units of the same round see the same examples in whatever order they end. Inside a
   * transaction, and idempotent.
   */
  addExamplesFromTrace({ id, round, probe, lineage }: Unit, trace: Trace): void {
    if (probe || lineage !== null) return;
    const found = makeExamplesOfTrace(trace);
    for (const { example, key, rank } of found) {
      this.#sql.write(
        `INSERT INTO examples (tool, arguments, rank, round, unit, json) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (tool, arguments) DO UPDATE SET round = excluded.round, unit = excluded.unit, json = excluded.json
         WHERE (excluded.round, excluded.unit) < (round, unit)`,
        example.tool,
        key,
        rank,
        round,
        id,
        JSON.stringify(example),
      );
    }
    for (const tool of new Set(found.map(({ example }) => example.tool))) {
      for (const rounds of ['round < ?2', 'round >= ?2']) {
        this.#sql.write(
          `DELETE FROM examples WHERE tool = ?1 AND ${rounds} AND rank >
             (SELECT MAX(rank) FROM (SELECT rank FROM examples WHERE tool = ?1 AND ${rounds} ORDER BY rank LIMIT ?3))`,
          tool,
          round,
          keptExamples,
        );
      }
    }
  }

  /** Deletes the examples of a unit, of which writers are shown no more. */
  deleteExamplesOfUnit(unit: string): void {
    this.#sql.write('DELETE FROM examples WHERE unit = ?', unit);
    this.dropCache();
  }

  /** Called when examples are no longer to be shown. */
  dropCache(): void {
    this.#read.examples.clear();
  }

  /**
   * Returns what the writer and the critic of a unit see of these tools and their servers. A unit that `mayPromptsShowExamples`
   * denies them has the surveys alone.
   */
  chooseWriterMaterial(unit: Unit, tools: readonly Tool[], usesFeedback: boolean): WriterMaterial {
    const { id, round, lineage, drawn } = unit;
    // A variant is written after the last round of its run.
    const before = lineage === null ? round : Number.MAX_SAFE_INTEGER;
    const examples = mayPromptsShowExamples(unit, usesFeedback)
      ? tools.flatMap(({ name }) => this.#listEarlierExamples(name, before))
      : [];
    return { surveys: this.readServerSurveysOfTools(tools), examples: drawExamplesThatFit(examples, id, drawn) };
  }

  #listEarlierExamples(tool: string, beforeRound: number): readonly ToolExample[] {
    if (this.#read.round !== beforeRound) this.#read.examples.clear();
    this.#read.round = beforeRound;
    const known = this.#read.examples.get(tool);
    if (known !== undefined) return known;
    const read = this.#readEarlierExamples(tool, beforeRound);
    this.#read.examples.set(tool, read);
    return read;
  }

  #readEarlierExamples(tool: string, beforeRound: number): ToolExample[] {
    const rows = this.#sql.readUncounted(
      `SELECT json FROM examples WHERE tool = ? AND round < ? AND unit NOT IN (SELECT unit FROM withheld)
       ORDER BY rank LIMIT ?`,
      tool,
      beforeRound,
      keptExamples,
    );
    return parseRows(exampleRow, rows).map(({ json }) => json);
  }

  /** Returns the surveys of the servers of these tools. */
  readServerSurveysOfTools(tools: readonly Tool[]): ServerSurvey[] {
    return [...new Set(tools.map(({ server }) => server))].flatMap((server) => {
      const known = this.#surveys.get(server) ?? this.#readSurveysOfServer(server);
      this.#surveys.set(server, known);
      return known;
    });
  }

  #readSurveysOfServer(server: string): ServerSurvey[] {
    const rows = this.#sql.readUncounted('SELECT json FROM surveys WHERE server = ?', server);
    return parseRows(surveyRow, rows).map(({ json }) => json);
  }
}
