import { scorerKeysOfProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { argumentOriginsOfUnit, isNegativeBenchmarkUnit, unitTruthIfTask } from '#core/benchmarks/benchmark.ts';
import { requestTextOrThrow } from '#core/benchmarks/protocols/case-requests.ts';
import { listEventOfCommittedCaseResult } from '#core/reports/announcements/case-events.ts';
import {
  caseWithUsageOfUndoneStage,
  sumUsageOfAgentsAndJudges,
  caseAfterStageResult,
  makeResultOfFailedStage,
  type AttemptResult,
  type CaseResult,
  type EvaluationCase,
} from '#core/evaluation/case.ts';
import { countCountedFaults, isEndpointFault, resultWithCountedFault } from '#core/evaluation/endpoint-faults.ts';
import { decisionSentence } from '#core/evaluation/decision-text.ts';
import type { EvaluationProgress } from '#core/evaluation/progress-record.ts';
import { isExternalOrUploadedAgent } from '#core/evaluation/config.ts';
import { tokensAndCostOfUsage } from '#core/exploration/reservation.ts';
import type { RunEnd } from '#core/exploration/runs.ts';
import { evaluationEndReasonOrNull, evaluationEndStatusAndReason, tallyAfterResult } from '#core/evaluation/tally.ts';
import { changedWorkerAfterResult } from '#core/evaluation/case-worker.ts';
import type { UndoneStage } from '#core/models/governor/undone-stage.ts';
import { unitsOfBatch } from '#core/evaluation/unit-order.ts';
import { addUsage, noUsage, sumUsageOfCalls, type Usage } from '#core/models/usage.ts';
import { makeInternalFault } from '#core/models/internal-fault.ts';
import { traceWithJudgedFailures, type JudgedFailure } from '#core/traces/classify-trace.ts';
import type { Trace } from '#core/traces/trace.ts';
import type { RequestName } from '#core/benchmarks/protocols/case-requests.ts';
import type { EvaluatedSubmission } from '#durable-objects/shared/objects.ts';
import type { EvaluationFigures } from './evaluation-figures.ts';
import type { EvaluationLife, Standing } from './evaluation-life.ts';
import type { EvaluationDraws } from './evaluation-draws.ts';
import type { EvaluationRests } from './evaluation-rests.ts';
import { listWritingCalls } from '#core/traces/writes.ts';
import type { WritesTable } from '#durable-objects/shared/writes-table.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** The cases of an evaluation: commits the results of their stages, from any driver. */
export class EvaluationCases {
  readonly #store: EvaluationStore;
  readonly #figures: EvaluationFigures;
  readonly #rests: EvaluationRests;
  readonly #life: EvaluationLife;
  readonly #writes: WritesTable;
  readonly #draws: EvaluationDraws;
  readonly #submission: () => EvaluatedSubmission | null;
  /** How many of the rows written by store, figures and lifecycle are already counted in the standing. */
  #rowsCounted = 0;

  constructor({
    store,
    figures,
    rests,
    life,
    writes,
    draws,
    submission,
  }: {
    readonly store: EvaluationStore;
    readonly figures: EvaluationFigures;
    readonly rests: EvaluationRests;
    readonly life: EvaluationLife;
    readonly writes: WritesTable;
    readonly draws: EvaluationDraws;
    readonly submission: () => EvaluatedSubmission | null;
  }) {
    this.#store = store;
    this.#figures = figures;
    this.#rests = rests;
    this.#life = life;
    this.#writes = writes;
    this.#draws = draws;
    this.#submission = submission;
  }

  /** Commits a result with everything that belongs to it, and ends what ends with it: the case, its unit, the run. */
  async commitResultAndEndWhatIsDone(
    before: EvaluationCase,
    given: CaseResult,
    more: (after: EvaluationCase) => void = () => undefined,
  ): Promise<EvaluationCase> {
    const { unit } = this.#store.getUnitAndSubIntentPlanOrThrow(before.unit);
    const { config, protocol, submission } = this.#life.creation;
    const { endpointFaults } = this.#life.standing;
    const result = submission === null ? given : resultWithCountedFault(given, endpointFaults);
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
    const after = this.#figures.withCaseScoresIfDone(advanced);
    const waits = changedWorkerAfterResult(after, result.kind, this.#isAgentExternalOrUploaded(after.agent));
    let endsUnit = false;
    this.#life.transaction(() => {
      more(after);
      this.#store.updateCase(after, waits);
      this.#figures.addFinishedCaseOnce(after, unit.chain);
      if (result.kind === 'attempt') this.#storeTraceNotingServersAndWrites(after.id, result);
      else if (result.classes.length > 0) this.#addFailureClassesToStoredTrace(after.id, result.side, result.classes);
      endsUnit = waits === 'nobody' && this.#store.countUnfinishedCasesOfUnit(after.unit) === 0;
      this.changeStandingAndCountWrittenRows((now) => ({
        ...now,
        ...tallyAfterResult(now, result, after, endsUnit),
        endpointFaults: now.endpointFaults + (isEndpointFault(result) ? 1 : 0),
      }));
      this.#life.emit(listEventOfCommittedCaseResult(result, after));
      if (endsUnit) this.#emitUnitEvaluated(after.unit);
    });
    await this.endRunIfFinishedOrSpent();
    if (endsUnit) await this.#submission()?.recordProgressOrReject(this.#progressWithCountedFaults());
    return after;
  }

  /** The progress as a submission sees it: faults that count as failures are broken attempts too, of which there may be few. */
  #progressWithCountedFaults(): EvaluationProgress {
    const { progress, endpointFaults } = this.#life.standing;
    return { ...progress, notEvaluated: progress.notEvaluated + countCountedFaults(endpointFaults) };
  }

  /** Notes that a stage stays undone while an endpoint rests, and what it took. The budget counts that with the next result. */
  recordUndoneStage(before: EvaluationCase, { calls, ...rest }: UndoneStage): EvaluationCase {
    this.#life.recordEndpointRest(rest);
    return calls.length === 0 ? before : this.#recordUsage(before, sumUsageOfAgentsAndJudges(calls));
  }

  /** Counts what an attempt took of its agent's models whose result is not committed, at least not now. */
  recordCallsOfUncommittedAttempt(id: string, { calls }: Pick<AttemptResult, 'calls'>): void {
    if (calls.length > 0)
      this.#recordUsage(this.#store.getCaseOrThrow(id), { agents: sumUsageOfCalls(calls), judges: noUsage });
  }

  #recordUsage(before: EvaluationCase, used: { readonly agents: Usage; readonly judges: Usage }): EvaluationCase {
    const after = caseWithUsageOfUndoneStage(before, used);
    const { agents, judges } = used;
    this.#life.transaction(() => {
      this.#store.updateCase(after, null);
      this.changeStandingAndCountWrittenRows((now) => ({
        ...now,
        usage: addUsage(now.usage, agents),
        judgeUsage: addUsage(now.judgeUsage, judges),
      }));
    });
    return after;
  }

  /**
   * Has the next units of a submission, or the next ones that are drawn, tried once those before are done, which needs a new driver for its lanes. Called whenever somebody
   * finds no other work. Idempotent.
   */
  async startNextUnitsIfRestDone(): Promise<void> {
    if ((await this.releaseNextUnitsIfRestDone()) === 'lane')
      await this.#life.startNextDriver(this.#life.standing.driver);
  }

  /**
   * Releases the next units of a submission once those before are done. Its leaderboard must have agreed that it is given the private
   * ones among all of them. Returns who works on them; null if none are due. Idempotent.
   */
  async releaseNextUnitsIfRestDone(): Promise<'lane' | 'client' | null> {
    if (this.#life.creation.config.stop !== undefined) return this.#drawNextUnitsOrEnd();
    const submission = this.#submission();
    const listDue = (): string[] =>
      this.#life.standing.status === 'running' ? this.#store.listHeldUnitIdsIfRestDone() : [];
    if (submission === null || listDue().length === 0) return null;
    const closed = [...this.#store.unitIdsOfSplit('private')];
    const progress = this.#progressWithCountedFaults();
    if (closed.length > 0 && !(await submission.takePrivateUnitsOrReject(closed, progress))) return null;
    // Somebody else may have released them meanwhile.
    const due = listDue();
    if (due.length === 0) return null;
    const batch = closed.length === 0 ? due : due.slice(0, unitsOfBatch(progress.units));
    const worker = this.#life.creation.agents.some(isExternalOrUploadedAgent) ? 'client' : 'lane';
    this.#store.giveHeldCasesToWorker(batch, worker);
    return worker;
  }

  /** Draws the next units once those before are done, or ends the run if they told enough. Idempotent. */
  async #drawNextUnitsOrEnd(): Promise<'lane' | 'client' | null> {
    if (this.#life.standing.status !== 'running') return null;
    const next = this.#draws.drawNextUnitsIfRestDone();
    this.changeStandingAndCountWrittenRows((now) => now);
    if (next === null || next.kind === 'drawn') return next?.worker ?? null;
    const end = evaluationEndStatusAndReason(this.#life.standing.progress, decisionSentence(next.decision));
    await this.#life.end(end.status, end.reason);
    return null;
  }

  /** Ends the open stage of a case for a reason of ours. Returns false if the case is done. */
  async failOpenStage(id: string, reason: string): Promise<boolean> {
    const before = this.#store.getCaseOrThrow(id);
    const result = makeResultOfFailedStage(before, reason);
    if (result === null) return false;
    const { kind: stage, side } = result;
    const { detail } = makeInternalFault(stage, reason);
    await this.commitResultAndEndWhatIsDone(before, result, () =>
      this.#life.emit([{ type: 'case.set-aside', case: id, side, stage, detail }]),
    );
    return true;
  }

  /** Ends the run if all attempts were made or a part of the budget is used up. */
  async endRunIfFinishedOrSpent(): Promise<void> {
    const { progress, usage: spentByAgents, judgeUsage } = this.#life.standing;
    const { config, at, submission } = this.#life.creation;
    const spent = addUsage(spentByAgents, judgeUsage);
    const reason = evaluationEndReasonOrNull(progress, config.budget, {
      ...tokensAndCostOfUsage(spent),
      wallMs: Date.now() - Date.parse(at),
      writes: config.budget.writes === undefined ? 0 : this.#writes.countWritingCalls(),
    });
    if (reason === null) return;
    if (config.stop !== undefined && progress.unitsDone === progress.units)
      return void (await this.#drawNextUnitsOrEnd());
    if (config.stop !== undefined) this.#draws.recordDecision();
    // A submission has its own rule for attempts that break.
    const end: RunEnd =
      submission === null ? evaluationEndStatusAndReason(progress, reason) : { status: 'completed', reason };
    await this.#life.end(end.status, end.reason);
  }

  /** Changes the standing, and adds the rows written since its last change. */
  changeStandingAndCountWrittenRows(change: (now: Standing) => Standing): void {
    const written = [this.#store, this.#figures, this.#life, this.#writes].reduce(
      (sum, { rowsWritten }) => sum + rowsWritten,
      0,
    );
    const now = this.#life.standing;
    this.#life.standing = { ...change(now), rowsWritten: now.rowsWritten + written - this.#rowsCounted };
    this.#rowsCounted = written;
  }

  /** Returns the trace of a finished attempt. */
  getTraceOrThrow(id: string, side: RequestName): Trace {
    const found = this.#store.readTracesOfCase(id)[side];
    if (found === undefined) throw new Error(`case ${id} has no trace of its ${side}`);
    return found;
  }

  #storeTraceNotingServersAndWrites(id: string, { side, trace, elsewhere }: AttemptResult): void {
    this.#store.writeTrace(id, side, trace);
    // Only attempts that are made here, on servers, say how the servers are.
    const live = this.#life.creation.config.recording !== 'replay';
    if (!live || elsewhere !== undefined) return;
    this.#rests.recordWhichServersAnswered(trace);
    this.#writes.add(listWritingCalls(trace, { of: id, request: side }));
  }

  #addFailureClassesToStoredTrace(id: string, side: RequestName, classes: readonly JudgedFailure[]): void {
    this.#store.writeTrace(id, side, traceWithJudgedFailures(this.getTraceOrThrow(id, side), classes));
  }

  #emitUnitEvaluated(unit: string): void {
    const { progress, usage: spent, judgeUsage } = this.#life.standing;
    this.#life.emit([{ type: 'unit.evaluated', unit, progress, usage: spent, judgeUsage }]);
  }

  #isAgentExternalOrUploaded(name: string): boolean {
    return this.#life.creation.agents.some((agent) => agent.name === name && isExternalOrUploadedAgent(agent));
  }
}
