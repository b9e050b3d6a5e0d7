import { RpcTarget } from 'cloudflare:workers';
import type { Sight } from '#core/access/access.ts';
import type { ExportFormat } from '#core/evaluation/breakdown-record.ts';
import type { CaseFilter, PageOfCases } from '#core/evaluation/case-filter.ts';
import { makeEvaluationRecord } from '#core/evaluation/client-view.ts';
import { chooseReportedAgents } from '#core/evaluation/rule-agents.ts';
import type { ExplainedCase } from '#core/evaluation/explained-case.ts';
import type { CaseDetail } from '#core/evaluation/record.ts';
import { isOver } from '#core/exploration/runs.ts';
import type { ToolReport } from '#core/reports/tool-report/record.ts';
import type { WordingMaterial } from '#core/reports/wording-proposal/question.ts';
import type { NewProposal } from '#core/reports/wording-proposal/record.ts';
import type { NumberedWrite } from '#core/traces/writes.ts';
import { refuse } from '#core/values/errors.ts';
import { ok, type Result } from '#core/values/result.ts';
import { makeToolReportFromTraces, tracesOfCases } from '#durable-objects/shared/tool-report.ts';
import type { WritesTable } from '#durable-objects/shared/writes-table.ts';
import { makeExportStream } from './evaluation-export.ts';
import { readIfAllowed, refuseUnlessCreated, refuseUnlessSeesUnits, type EvaluationLife } from './evaluation-life.ts';
import type { EvaluationMountings } from './evaluation-mountings.ts';
import type { EvaluationReader } from './evaluation-reader.ts';
import type { EvaluationStore } from './evaluation-store.ts';
import { makeInspectLogStream } from './inspect-log-stream.ts';
import { collectWordingMaterial } from './wording-material.ts';

/** The cases of an evaluation with their attempts, for those who may see them: single ones, as files, and what they say about the tools. */
export class SeenCases extends RpcTarget {
  readonly #store: EvaluationStore;
  readonly #life: EvaluationLife;
  readonly #openReader: () => EvaluationReader;
  readonly #mountings: EvaluationMountings;
  readonly #writes: WritesTable;
  readonly #sql: SqlStorage;

  constructor(of: {
    readonly store: EvaluationStore;
    readonly life: EvaluationLife;
    readonly openReader: () => EvaluationReader;
    readonly mountings: EvaluationMountings;
    readonly writes: WritesTable;
    readonly sql: SqlStorage;
  }) {
    super();
    this.#store = of.store;
    this.#life = of.life;
    this.#openReader = of.openReader;
    this.#mountings = of.mountings;
    this.#writes = of.writes;
    this.#sql = of.sql;
  }

  /** Returns at most `limit` cases after a cursor that a filter wants; a page can be short and have a next one. */
  async list(filter: CaseFilter, after: string, limit: number, sight: Sight): Promise<Result<PageOfCases>> {
    const allowed = refuseUnlessSeesUnits(this.#life, sight);
    return allowed.ok ? this.#openReader().listCases(filter, after, limit) : allowed;
  }

  get(id: string, sight: Sight): Result<CaseDetail> {
    const allowed = refuseUnlessSeesUnits(this.#life, sight);
    return allowed.ok ? this.#openReader().getCaseDetail(id) : allowed;
  }

  /** Returns finished cases of public units after a cursor, with the reasons of their scores. */
  listFinishedPublic(after: string, limit: number): Promise<Result<ExplainedCase[]>> {
    return readIfAllowed(refuseUnlessCreated(this.#life), () =>
      this.#openReader().explainFinishedPublicCases(after, limit),
    );
  }

  listWrites(after: number, limit: number, sight: Sight): Promise<Result<NumberedWrite[]>> {
    return readIfAllowed(refuseUnlessSeesUnits(this.#life, sight), () => this.#writes.list(after, limit));
  }

  /** Returns what the attempts of an agent, or of all agents that ask models if it is null, say about the tools. */
  async reportOnTools(agent: string | null, sight: Sight): Promise<Result<ToolReport>> {
    const allowed = refuseUnlessSeesUnits(this.#life, sight);
    if (!allowed.ok) return allowed;
    const { creation, standing } = this.#life;
    const reported = creation.agents.filter(({ name }) => agent === null || name === agent);
    if (reported.length === 0) return refuse('not-found', `there is no agent ${agent} in this evaluation`);
    const { names, offline } = chooseReportedAgents(reported, creation.offline);
    const run = { offline, final: isOver(standing.status) };
    const only = JSON.stringify(names);
    return ok(await makeToolReportFromTraces(this.#sql, { tools: 'tools', traces: tracesOfCases, only, run }));
  }

  /** Returns what a model is to write a new wording from. */
  async collectWordingMaterial(asked: NewProposal, sight: Sight): Promise<Result<WordingMaterial>> {
    const allowed = refuseUnlessSeesUnits(this.#life, sight);
    if (!allowed.ok) return allowed;
    const { agents, config } = this.#life.creation;
    return collectWordingMaterial({ benchmark: config.benchmark, sql: this.#sql, store: this.#store, agents }, asked);
  }

  /** The attempts made so far, as a file. */
  exportAttempts(format: ExportFormat, sight: Sight): Result<ReadableStream<Uint8Array>> {
    const allowed = refuseUnlessSeesUnits(this.#life, sight);
    if (!allowed.ok) return allowed;
    return ok(
      makeExportStream({ format, protocol: this.#life.creation.protocol }, this.#store, (agent, unit) =>
        this.#mountings.countMountedToolsAndSchemaTokens(agent, unit),
      ),
    );
  }

  /** Returns the attempts of an agent so far as a log of Inspect AI. */
  async exportInspectLog(name: string, sight: Sight): Promise<Result<ReadableStream<Uint8Array>>> {
    const allowed = refuseUnlessSeesUnits(this.#life, sight);
    if (!allowed.ok) return allowed;
    const reader = this.#openReader();
    const run = makeEvaluationRecord(this.#life.creation, this.#life.standing);
    const { agents } = await reader.computeResults();
    const [agent, result] = [run.agents.find((each) => each.name === name), agents.find((each) => each.name === name)];
    if (agent === undefined || result === undefined) {
      const names = run.agents.map((each) => each.name).join(', ');
      return refuse('not-found', `there is no agent ${name} in it; it has ${names}`);
    }
    return ok(await makeInspectLogStream({ run, agent, result }, this.#store, reader));
  }
}
