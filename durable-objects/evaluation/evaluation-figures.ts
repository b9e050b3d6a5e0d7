import { z } from 'zod';
import { collectAgentFigures } from '#core/evaluation/agent-figures.ts';
import { transitionKey, type UnitsByTransition } from '#core/evaluation/agent-transitions.ts';
import type { AgentBasis, ToolCalls } from '#core/evaluation/results-basis.ts';
import type { EvaluationCase } from '#core/evaluation/case.ts';
import {
  listMadeAttemptsOfCase,
  countEvaluatedCallsByTool,
  makeFiguresOfFinishedCaseOrNull,
  computeCaseScoresOrNone,
  listCalledToolsInOrder,
  listExecutedTransitionsOfCase,
  type CaseFigures,
} from '#core/evaluation/case-figures.ts';
import type { ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import type { ScoringParameters } from '#core/scoring/parameters.ts';
import type { ToolTraits } from '#core/scoring/failure-patterns.ts';
import { packFigures, packedLayout, unpackFigures } from '#core/evaluation/packed-figures.ts';
import { CountedSql } from '#durable-objects/shared/counted-sql.ts';
import type { EvaluationStore } from './evaluation-store.ts';
import { parseRows } from '#durable-objects/shared/rows.ts';
import { yieldToOtherCalls } from '#durable-objects/shared/yield-thread.ts';

const figuresRow = z.object({ unit: z.string(), trial: z.int(), numbers: z.string(), broken: z.string().nullable() });
const callsRow = z.object({ tool: z.string(), calls: z.int(), failed: z.int(), spoilt: z.int(), reported: z.int() });
const transitionRow = z.object({ source: z.string(), target: z.string(), units: z.int() });
const answerRow = z.object({ json: z.string() });
const dueRow = z.object({ after: z.string() });
const layoutRow = z.object({ layout: z.string() });

/** Cases without figures that are processed in one transaction. */
const casesPerPage = 100;

/** How cases become figures. */
interface FigureRules {
  readonly protocol: ProtocolKey;
  readonly scoring: ScoringParameters;
}

/**
 * The basis of results, in rows of constant size that are written when a case commits, and the cached answers:
 * docs/storage.md. Reading it loads no case into memory.
 */
export class EvaluationFigures {
  readonly #storage: DurableObjectStorage;
  readonly #sqlStorage: CountedSql;
  readonly #store: EvaluationStore;
  readonly #rules: () => FigureRules;
  readonly #traits = new Map<string, ReturnType<EvaluationStore['listToolTraitsForResults']>[number]>();
  /** Answers that are being computed. */
  readonly #asked = new Map<string, Promise<string>>();
  #catchingUp: Promise<void> | null = null;
  #revision = 0;

  constructor(storage: DurableObjectStorage, store: EvaluationStore, rules: () => FigureRules) {
    this.#rules = rules;
    this.#storage = storage;
    this.#sqlStorage = new CountedSql(storage.sql);
    this.#store = store;
    this.#deleteOutdatedFigures();
  }

  /** Rows written since this object started, which the platform bills. */
  get rowsWritten(): number {
    return this.#sqlStorage.rowsWritten;
  }

  /** Changes with every finished case. */
  get revision(): number {
    return this.#revision;
  }

  /** Returns the case with the scores that it has as a whole, if it is done. */
  withCaseScoresIfDone(each: EvaluationCase): EvaluationCase {
    if (each.stage.kind !== 'done') return each;
    return {
      ...each,
      scores: computeCaseScoresOrNone(each, this.#readToolTraitsOfCase(each, []), this.#rules().scoring),
    };
  }

  /** Adds a finished case, in the transaction that commits it. Ignores other cases and those already added. */
  addFinishedCaseOnce(each: EvaluationCase, chain: readonly string[]): void {
    const figures = makeFiguresOfFinishedCaseOrNull(
      each,
      chain,
      this.#readToolTraitsOfCase(each, chain),
      this.#rules(),
    );
    if (figures === null || this.#hasFiguresOfCase(figures)) return;
    const { agent, unit, trial } = figures;
    const { numbers, broken } = packFigures(figures);
    this.#sqlStorage.write(
      'INSERT INTO case_figures (agent, unit, trial, numbers, broken) VALUES (?, ?, ?, ?, ?)',
      agent,
      unit,
      trial,
      numbers,
      broken,
    );
    for (const [tool, { calls, failed, spoilt, reported }] of countEvaluatedCallsByTool(each)) {
      // Names that an agent made up belong to no server, and there may be any number of them.
      if (!this.#traits.has(tool)) continue;
      this.#sqlStorage.write(
        `INSERT INTO agent_calls (agent, tool, calls, failed, spoilt, reported) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, failed = failed + excluded.failed,
           spoilt = spoilt + excluded.spoilt, reported = reported + excluded.reported`,
        agent,
        tool,
        calls,
        failed,
        spoilt,
        reported,
      );
    }
    for (const [source, target] of listExecutedTransitionsOfCase(each))
      this.#sqlStorage.write(
        'INSERT OR IGNORE INTO agent_transitions (agent, source, target, unit) VALUES (?, ?, ?, ?)',
        agent,
        source,
        target,
        unit,
      );
    this.#sqlStorage.write('DELETE FROM kept_answers');
    this.#revision += 1;
  }

  /** Returns an agent's finished cases by unit and trial, from a unit on. Consume it before awaiting anything else. */
  *iterateFiguresOfAgent(agent: string, from = ''): Generator<CaseFigures> {
    const rows = this.#sqlStorage.readUncounted(
      'SELECT unit, trial, numbers, broken FROM case_figures WHERE agent = ? AND unit >= ? ORDER BY unit, trial',
      agent,
      from,
    );
    for (const row of rows) {
      const { unit, trial, ...stored } = figuresRow.parse(row);
      yield unpackFigures({ unit, agent, trial }, stored);
    }
  }

  collectAgentBasis(agent: string): AgentBasis {
    return { figures: collectAgentFigures(this.iterateFiguresOfAgent(agent)), calls: this.countCallsByTool(agent) };
  }

  /** Counts the calls of an agent's evaluated attempts by tool, failed and spoilt ones included. */
  countCallsByTool(agent: string): ToolCalls[] {
    const sql = 'SELECT tool, calls, failed, spoilt, reported FROM agent_calls WHERE agent = ?';
    return parseRows(callsRow, this.#sqlStorage.readUncounted(sql, agent));
  }

  /** Counts the units in which an agent executed each transition. */
  countUnitsByExecutedTransition(agent: string): UnitsByTransition {
    const rows = this.#sqlStorage.readUncounted(
      'SELECT source, target, COUNT(*) AS units FROM agent_transitions WHERE agent = ? GROUP BY source, target',
      agent,
    );
    return new Map(
      parseRows(transitionRow, rows).map(({ source, target, units }) => [transitionKey(source, target), units]),
    );
  }

  /**
   * Returns the answer to a question about the current figures, as JSON of the form `schema`: computed once, even for
   * simultaneous readers, and cached until the next case is done.
   */
  async getCachedOrComputeAnswer<T>(question: string, schema: z.ZodType<T>, make: () => Promise<T>): Promise<T> {
    const [kept] = parseRows(
      answerRow,
      this.#sqlStorage.readUncounted('SELECT json FROM kept_answers WHERE question = ?', question),
    );
    const json = kept?.json ?? (await this.#computeAndCacheAnswerOnce(question, make));
    return schema.parse(JSON.parse(json));
  }

  /**
   * Adds the cases that have no figures in the current layout, page by page, once. After a crash the next reader
   * continues.
   */
  async ensureAllCasesAdded(): Promise<void> {
    this.#catchingUp ??= this.#addMissingCases().finally(() => {
      this.#catchingUp = null;
    });
    await this.#catchingUp;
  }

  /** Figures in an older layout are deleted and rebuilt from their cases. */
  #deleteOutdatedFigures(): void {
    const [kept] = parseRows(layoutRow, this.#sqlStorage.readUncounted('SELECT layout FROM figures_layout'));
    if (kept?.layout === packedLayout) return;
    this.#storage.transactionSync(() => {
      for (const table of ['case_figures', 'agent_calls', 'agent_transitions', 'kept_answers', 'figures_due'])
        this.#sqlStorage.write(`DELETE FROM ${table}`);
      this.#sqlStorage.write(
        "INSERT INTO figures_due SELECT '' WHERE EXISTS (SELECT 1 FROM cases WHERE waits = 'nobody')",
      );
      this.#sqlStorage.write('DELETE FROM figures_layout');
      this.#sqlStorage.write('INSERT INTO figures_layout (layout) VALUES (?)', packedLayout);
    });
  }

  async #addMissingCases(): Promise<void> {
    for (;;) {
      const [due] = parseRows(dueRow, this.#sqlStorage.readUncounted('SELECT after FROM figures_due'));
      if (due === undefined) return;
      this.#storage.transactionSync(() => {
        const cases = this.#store.listFinishedCases(due.after, casesPerPage);
        for (const each of cases)
          this.addFinishedCaseOnce(each, this.#store.getUnitAndSubIntentPlanOrThrow(each.unit).unit.chain);
        this.#sqlStorage.write('DELETE FROM figures_due');
        const last = cases.at(-1);
        if (last !== undefined) this.#sqlStorage.write('INSERT INTO figures_due (after) VALUES (?)', last.id);
      });
      await yieldToOtherCalls();
    }
  }

  #computeAndCacheAnswerOnce(question: string, make: () => Promise<unknown>): Promise<string> {
    const asked = this.#asked.get(question);
    if (asked !== undefined) return asked;
    const revision = this.#revision;
    const making = make()
      .then((made) => {
        const json = JSON.stringify(made);
        if (revision === this.#revision)
          this.#sqlStorage.write('INSERT OR REPLACE INTO kept_answers (question, json) VALUES (?, ?)', question, json);
        return json;
      })
      .finally(() => this.#asked.delete(question));
    this.#asked.set(question, making);
    return making;
  }

  #hasFiguresOfCase({ agent, unit, trial }: CaseFigures): boolean {
    const rows = this.#sqlStorage.readUncounted(
      'SELECT 1 FROM case_figures WHERE agent = ? AND unit = ? AND trial = ?',
      agent,
      unit,
      trial,
    );
    return rows.toArray().length > 0;
  }

  #readToolTraitsOfCase(each: EvaluationCase, chain: readonly string[]): ToolTraits {
    const tools = new Set([...chain, ...listMadeAttemptsOfCase(each).flatMap(listCalledToolsInOrder)]);
    return new Map([...tools].flatMap((name) => this.#findTraitsOfToolAsEntries(name)));
  }

  #findTraitsOfToolAsEntries(
    name: string,
  ): (readonly [string, ReturnType<EvaluationStore['listToolTraitsForResults']>[number]])[] {
    const known = this.#traits.get(name) ?? this.#store.listToolTraitsForResults(name)[0];
    if (known === undefined) return [];
    this.#traits.set(name, known);
    return [[name, known]];
  }
}
