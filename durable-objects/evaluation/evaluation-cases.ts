import { scorerKeysOfProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { argumentOriginsOfUnit, isNegativeBenchmarkUnit, unitTruthIfTask } from '#core/benchmarks/benchmark.ts';
import { requestTextOrThrow } from '#core/benchmarks/protocols/case-requests.ts';
import { listEventOfCommittedCaseResult } from '#core/reports/announcements/case-events.ts';
import {
  caseWithCallsOfUndoneStage,
  sumUsageOfAgentsAndJudges,
  caseAfterStageResult,
  makeResultOfFailedStage,
  type AttemptResult,
  type CaseResult,
  type EvaluationCase,
} from '#core/evaluation/case.ts';
import { isExternalOrUploadedAgent } from '#core/evaluation/config.ts';
import { tokensAndCostOfUsage } from '#core/exploration/reservation.ts';
import type { RunEnd } from '#core/exploration/runs.ts';
import { evaluationEndReasonOrNull, evaluationEndStatusAndReason, tallyAfterResult } from '#core/evaluation/tally.ts';
import { changedWorkerAfterResult } from '#core/evaluation/case-worker.ts';
import type { UndoneStage } from '#core/models/governor/undone-stage.ts';
import { addUsage } from '#core/models/usage.ts';
import { makeInternalFault } from '#core/models/internal-fault.ts';
import { traceWithJudgedFailures, type JudgedFailure } from '#core/traces/classify-trace.ts';
import type { Trace } from '#core/traces/trace.ts';
import type { RequestName } from '#core/benchmarks/protocols/case-requests.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import type { Submission } from '#durable-objects/submission/submission.ts';
import type { EvaluationFigures } from './evaluation-figures.ts';
import type { EvaluationLife, Standing } from './evaluation-life.ts';
import type { EvaluationRests } from './evaluation-rests.ts';
import { listWritingCalls } from '#core/traces/writes.ts';
import type { WritesTable } from '#durable-objects/shared/writes-table.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** The calls of an evaluation to the submission that it scores. */
export type SubmissionOfRun = RpcOf<
  Submission,
  'recordProgressOrReject' | 'continueAfterEvaluation' | 'takePrivateUnitsOrReject'
>;

/** What cases need from their evaluation. */
interface Host {
  readonly store: EvaluationStore;
  readonly figures: EvaluationFigures;
  readonly rests: EvaluationRests;
  readonly life: EvaluationLife;
  readonly writes: WritesTable;
  /** The submission that the evaluation scores, or null. */
  readonly submission: () => SubmissionOfRun | null;
}

/** The cases of an evaluation: commits the results of their stages, from any driver. */
export class EvaluationCases {
  readonly #host: Host;
  /** How many of the rows written by store, figures and lifecycle are already counted in the standing. */
  #rowsCounted = 0;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Commits a result with everything that belongs to it, and ends what ends with it: the case, its unit, the run. */
  async commitResultAndEndWhatIsDone(
    before: EvaluationCase,
    result: CaseResult,
    more: (after: EvaluationCase) => void = () => undefined,
  ): Promise<EvaluationCase> {
    const { unit } = this.#host.store.getUnitAndSubIntentPlanOrThrow(before.unit);
    const { config, protocol } = this.#host.life.creation;
    const advanced = caseAfterStageResult(before, result, {
      isNegative: isNegativeBenchmarkUnit(unit),
      chain: unit.chain,
      origins: argumentOriginsOfUnit(unit),
      truth: unitTruthIfTask(unit),
      request: requestTextOrThrow(unit, result.side),
      judges: config.judges,
      asked: scorerKeysOfProtocol(protocol),
      scoring: config.scoring,
    });
    const after = this.#host.figures.withCaseScoresIfDone(advanced);
    const waits = changedWorkerAfterResult(after, result.kind, this.#isAgentExternalOrUploaded(after.agent));
    let endsUnit = false;
    this.#host.life.transaction(() => {
      more(after);
      this.#host.store.updateCase(after, waits);
      this.#host.figures.addFinishedCaseOnce(after, unit.chain);
      if (result.kind === 'attempt') this.#storeTraceNotingServersAndWrites(after.id, result);
      else if (result.classes.length > 0) this.#addFailureClassesToStoredTrace(after.id, result.side, result.classes);
      endsUnit = waits === 'nobody' && this.#host.store.countUnfinishedCasesOfUnit(after.unit) === 0;
      this.changeStandingAndCountWrittenRows((now) => ({ ...now, ...tallyAfterResult(now, result, after, endsUnit) }));
      this.#host.life.emit(listEventOfCommittedCaseResult(result, after));
      if (endsUnit) this.#emitUnitEvaluated(after.unit);
    });
    await this.endRunIfFinishedOrSpent();
    if (endsUnit) await this.#host.submission()?.recordProgressOrReject(this.#host.life.standing.progress);
    return after;
  }

  /** Notes that a stage stays undone while an endpoint rests, and what it took. The budget counts that with the next result. */
  recordUndoneStage(before: EvaluationCase, { calls, ...rest }: UndoneStage): EvaluationCase {
    this.#host.life.recordEndpointRest(rest);
    if (calls.length === 0) return before;
    const after = caseWithCallsOfUndoneStage(before, calls);
    const { agents, judges } = sumUsageOfAgentsAndJudges(calls);
    this.#host.life.transaction(() => {
      this.#host.store.updateCase(after, null);
      this.changeStandingAndCountWrittenRows((now) => ({
        ...now,
        usage: addUsage(now.usage, agents),
        judgeUsage: addUsage(now.judgeUsage, judges),
      }));
    });
    return after;
  }

  /**
   * Requests the private units of a submission once all of its public ones are done, and has them tried. Called whenever
   * somebody finds no other work. Idempotent.
   */
  async startPrivateUnitsIfPublicDone(): Promise<void> {
    const { store, life } = this.#host;
    const submission = this.#host.submission();
    const listDue = (): string[] => (life.standing.status === 'running' ? store.listPrivateUnitIdsIfPublicDone() : []);
    const units = submission === null ? [] : listDue();
    if (submission === null || units.length === 0) return;
    if (!(await submission.takePrivateUnitsOrReject(units, life.standing.progress)) || listDue().length === 0) return;
    const isExternal = life.creation.agents.some(isExternalOrUploadedAgent);
    store.giveHeldPrivateCasesToWorker(isExternal ? 'client' : 'lane');
    if (!isExternal) await life.startNextDriver(life.standing.driver);
  }

  /** Ends the open stage of a case for a reason of ours. Returns false if the case is done. */
  async failOpenStage(id: string, reason: string): Promise<boolean> {
    const before = this.#host.store.getCaseOrThrow(id);
    const result = makeResultOfFailedStage(before, reason);
    if (result === null) return false;
    const { kind: stage, side } = result;
    const { detail } = makeInternalFault(stage, reason);
    await this.commitResultAndEndWhatIsDone(before, result, () =>
      this.#host.life.emit([{ type: 'case.set-aside', case: id, side, stage, detail }]),
    );
    return true;
  }

  /** Ends the run if all attempts were made or a part of the budget is used up. */
  async endRunIfFinishedOrSpent(): Promise<void> {
    const { progress, usage: spentByAgents, judgeUsage } = this.#host.life.standing;
    const { config, at, submission } = this.#host.life.creation;
    const spent = addUsage(spentByAgents, judgeUsage);
    const reason = evaluationEndReasonOrNull(progress, config.budget, {
      ...tokensAndCostOfUsage(spent),
      wallMs: Date.now() - Date.parse(at),
      writes: config.budget.writes === undefined ? 0 : this.#host.writes.countWritingCalls(),
    });
    if (reason === null) return;
    // A submission has its own rule for attempts that break.
    const end: RunEnd =
      submission === null ? evaluationEndStatusAndReason(progress, reason) : { status: 'completed', reason };
    await this.#host.life.end(end.status, end.reason);
  }

  /** Changes the standing, and adds the rows written since its last change. */
  changeStandingAndCountWrittenRows(change: (now: Standing) => Standing): void {
    const { store, figures, life, writes } = this.#host;
    const written = [store, figures, life, writes].reduce((sum, { rowsWritten }) => sum + rowsWritten, 0);
    const now = this.#host.life.standing;
    this.#host.life.standing = { ...change(now), rowsWritten: now.rowsWritten + written - this.#rowsCounted };
    this.#rowsCounted = written;
  }

  /** Returns the trace of a finished attempt. */
  getTraceOrThrow(id: string, side: RequestName): Trace {
    const found = this.#host.store.readTracesOfCase(id)[side];
    if (found === undefined) throw new Error(`case ${id} has no trace of its ${side}`);
    return found;
  }

  #storeTraceNotingServersAndWrites(id: string, { side, trace, elsewhere }: AttemptResult): void {
    this.#host.store.writeTrace(id, side, trace);
    // Only attempts that are made here, on servers, say how the servers are.
    const live = this.#host.life.creation.config.recording !== 'replay';
    if (!live || elsewhere !== undefined) return;
    this.#host.rests.recordWhichServersAnswered(trace);
    this.#host.writes.add(listWritingCalls(trace, { of: id, request: side }));
  }

  #addFailureClassesToStoredTrace(id: string, side: RequestName, classes: readonly JudgedFailure[]): void {
    this.#host.store.writeTrace(id, side, traceWithJudgedFailures(this.getTraceOrThrow(id, side), classes));
  }

  #emitUnitEvaluated(unit: string): void {
    const { progress, usage: spent, judgeUsage } = this.#host.life.standing;
    this.#host.life.emit([{ type: 'unit.evaluated', unit, progress, usage: spent, judgeUsage }]);
  }

  #isAgentExternalOrUploaded(name: string): boolean {
    return this.#host.life.creation.agents.some((agent) => agent.name === name && isExternalOrUploadedAgent(agent));
  }
}
