import { requestTextOrThrow } from '#core/evaluation/case-requests.ts';
import { caseResultEvents } from '#core/announcements/case-events.ts';
import {
  advanceCase,
  failedStageResult,
  type AttemptResult,
  type CaseResult,
  type EvaluationCase,
} from '#core/evaluation/case.ts';
import { isExternalAgent } from '#core/evaluation/config.ts';
import { endReason, tallyAfter } from '#core/evaluation/tally.ts';
import { workerAfter } from '#core/evaluation/case-worker.ts';
import { addUsage } from '#core/models/usage.ts';
import { makeInternalFault } from '#core/internal-fault.ts';
import { withJudgedClasses, type JudgedFailure } from '#core/traces/classify-trace.ts';
import type { Trace } from '#core/traces/trace.ts';
import type { RequestName } from '#core/evaluation/case-requests.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import type { Submission } from '#durable-objects/submission/submission.ts';
import type { EvaluationFigures } from './evaluation-figures.ts';
import type { EvaluationLife, Standing } from './evaluation-life.ts';
import type { EvaluationRests } from './evaluation-rests.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** The calls of an evaluation to the submission that it scores. */
export type SubmissionOfRun = RpcOf<Submission, 'noteProgress' | 'noteEvaluationEnd' | 'takePrivateUnits'>;

/** What cases need from their evaluation. */
interface Host {
  readonly store: EvaluationStore;
  readonly figures: EvaluationFigures;
  readonly rests: EvaluationRests;
  readonly life: EvaluationLife;
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
  async commit(
    before: EvaluationCase,
    result: CaseResult,
    more: (after: EvaluationCase) => void = () => undefined,
  ): Promise<EvaluationCase> {
    const { unit } = this.#host.store.getUnitOrThrow(before.unit);
    const { config } = this.#host.life.creation;
    const advanced = advanceCase(before, result, {
      chain: unit.chain,
      origins: unit.arguments,
      request: requestTextOrThrow(unit, result.side),
      judges: config.judges,
      scoring: config.scoring,
    });
    const after = this.#host.figures.scored(advanced);
    const waits = workerAfter(after, result.kind, this.#isMadeElsewhere(after.agent));
    let endsUnit = false;
    this.#host.life.transaction(() => {
      more(after);
      this.#host.store.writeCase(after, waits);
      this.#host.figures.addCase(after, unit.chain);
      if (result.kind === 'attempt') this.#noteAttempt(after.id, result);
      else if (result.classes.length > 0) this.#writeClasses(after.id, result.side, result.classes);
      endsUnit = waits === 'nobody' && this.#host.store.countOpenCases(after.unit) === 0;
      this.changeStanding((now) => ({ ...now, ...tallyAfter(now, result, after, endsUnit) }));
      this.#host.life.emit(caseResultEvents(result, after));
      if (endsUnit) this.#emitUnitEvaluated(after.unit);
    });
    await this.endIfDue();
    if (endsUnit) await this.#host.submission()?.noteProgress(this.#host.life.standing.progress);
    return after;
  }

  /**
   * Requests the private units of a submission once all of its public ones are done, and has them tried. Called whenever
   * somebody finds no other work. Idempotent.
   */
  async requestPrivateUnits(): Promise<void> {
    const { store, life } = this.#host;
    const submission = this.#host.submission();
    const countDue = (): number => (life.standing.status === 'running' ? store.countUnitsDue() : 0);
    const units = submission === null ? 0 : countDue();
    if (submission === null || units === 0) return;
    if (!(await submission.takePrivateUnits(units, life.standing.progress)) || countDue() === 0) return;
    const isExternal = life.creation.agents.some(isExternalAgent);
    store.releaseHeld(isExternal ? 'client' : 'lane');
    if (!isExternal) await life.handOver(life.standing.driver);
  }

  /** Ends the open stage of a case for a reason of ours. Returns false if the case is done. */
  async setStageAside(id: string, reason: string): Promise<boolean> {
    const before = this.#host.store.getCaseOrThrow(id);
    const result = failedStageResult(before, reason);
    if (result === null) return false;
    const { kind: stage, side } = result;
    const { detail } = makeInternalFault(stage, reason);
    await this.commit(before, result, () =>
      this.#host.life.emit([{ type: 'case.set-aside', case: id, side, stage, detail }]),
    );
    return true;
  }

  /** Ends the run if all attempts were made or a part of the budget is used up. */
  async endIfDue(): Promise<void> {
    const { progress, usage: spentByAgents, judgeUsage } = this.#host.life.standing;
    const { config, at } = this.#host.life.creation;
    const spent = addUsage(spentByAgents, judgeUsage);
    const reason = endReason(progress, config.budget, {
      tokens: spent.promptTokens + spent.completionTokens,
      costUsd: spent.costUsd,
      wallMs: Date.now() - Date.parse(at),
    });
    if (reason !== null) await this.#host.life.end('completed', reason);
  }

  /** Changes the standing, and adds the rows written since its last change. */
  changeStanding(change: (now: Standing) => Standing): void {
    const written = this.#host.store.rowsWritten + this.#host.figures.rowsWritten + this.#host.life.rowsWritten;
    const now = this.#host.life.standing;
    this.#host.life.standing = { ...change(now), rowsWritten: now.rowsWritten + written - this.#rowsCounted };
    this.#rowsCounted = written;
  }

  /** Returns the trace of a finished attempt. */
  attemptTrace(id: string, side: RequestName): Trace {
    const found = this.#host.store.traces(id)[side];
    if (found === undefined) throw new Error(`case ${id} has no trace of its ${side}`);
    return found;
  }

  #noteAttempt(id: string, { side, trace, elsewhere }: AttemptResult): void {
    this.#host.store.writeTrace(id, side, trace);
    // Only attempts that are made here, on servers, say how the servers are.
    const live = this.#host.life.creation.config.recording !== 'replay';
    if (live && elsewhere === undefined) this.#host.rests.note(trace);
  }

  #writeClasses(id: string, side: RequestName, classes: readonly JudgedFailure[]): void {
    this.#host.store.writeTrace(id, side, withJudgedClasses(this.attemptTrace(id, side), classes));
  }

  #emitUnitEvaluated(unit: string): void {
    const { progress, usage: spent, judgeUsage } = this.#host.life.standing;
    this.#host.life.emit([{ type: 'unit.evaluated', unit, progress, usage: spent, judgeUsage }]);
  }

  #isMadeElsewhere(name: string): boolean {
    return this.#host.life.creation.agents.some((agent) => agent.name === name && isExternalAgent(agent));
  }
}
