import { DurableObject } from 'cloudflare:workers';
import { refuse } from '#core/values/errors.ts';
import { mapErr, ok, type Result } from '#core/values/result.ts';
import type { ClaimAnswer } from '#core/evaluation/claim.ts';
import type { EvaluationProgress } from '#core/evaluation/progress-record.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import { isOver } from '#core/exploration/runs.ts';
import { makeSubmissionRecord } from '#core/leaderboards/submissions/client-view.ts';
import { evaluationIdOfSubmission } from '#core/leaderboards/submissions/evaluation-id.ts';
import { makeSubmissionRefusalProblem } from '#core/leaderboards/submissions/problems.ts';
import {
  chooseSweepAction,
  claimAnswerByStateOrRefusal,
  moderationStepOrRefusal,
  decideProgressEffect,
  chooseEvaluationSweepAction,
  makeStandingOfNewSubmission,
  hasUncheckedUpload,
  standingAfterChangeOrRefusal,
  decideNextWork,
  currentStateChangeOrThrow,
  isWaitingForModerator,
} from '#core/leaderboards/submissions/progress.ts';
import {
  submissionCreation,
  type Moderation,
  type SubmissionCreation,
  type SubmissionRecord,
} from '#core/leaderboards/submissions/record.ts';
import { findingsOfTooManyFaults } from '#core/leaderboards/submissions/rule-findings.ts';
import { moderatorReasonText, needsNoFurtherWork, type SubmissionTier } from '#core/leaderboards/submissions/state.ts';
import { tierRules } from '#core/leaderboards/submissions/tiers.ts';
import type { TraceHeader, TraceLine, WholeUpload } from '#core/leaderboards/submissions/trace-file.ts';
import type { TraceReadingState } from '#core/leaderboards/submissions/trace-line-reader.ts';
import type { Benchmark } from '#durable-objects/benchmark/benchmark.ts';
import type { Directory } from '#durable-objects/directory/directory.ts';
import { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import type {
  EvaluatedSubmission,
  PublishingLeaderboard,
  QueuedSubmission,
  ScoringEvaluation,
} from '#durable-objects/shared/objects.ts';
import type { Answers, ObjectsOf } from '#durable-objects/shared/rpc.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import { initialStanding, RunLifecycle, type Stop } from '#durable-objects/shared/run-lifecycle.ts';
import type { Workspace } from '#durable-objects/workspace/workspace.ts';
import { submissionSchema } from './schema.ts';
import { longestStepMs, standing, SubmissionMoves, type Standing } from './submission-moves.ts';
import { SubmissionStore, type LinePlace, type NumberedLine, type StoredLine } from './submission-store.ts';
import { SubmissionUpload, type UploadSource } from './submission-upload.ts';
import { gatherUploadRules, findBrokenRules } from './upload-check.ts';

interface Env {
  readonly DIRECTORY: DurableObjectNamespace<Directory>;
  readonly WORKSPACE: DurableObjectNamespace<Workspace>;
  readonly LEADERBOARD: ObjectsOf<PublishingLeaderboard>;
  readonly BENCHMARK: DurableObjectNamespace<Benchmark>;
  readonly EVALUATION_RUN: ObjectsOf<ScoringEvaluation>;
  readonly SUBMISSION: ObjectsOf<UploadSource>;
  readonly SUBMISSION_WORKFLOW: Workflow<{ run: string; driver: number }>;
}

/** What the driver of a submission has to do next. */
export type SubmissionWork =
  | { readonly kind: 'validate'; readonly tier: SubmissionTier }
  | { readonly kind: 'publish' }
  | Stop;

/** One submission to a leaderboard: its state, the reasons, and the uploaded lines. The evaluation that scores it is a separate run. */
export class Submission
  extends DurableObject<Env>
  implements Answers<EvaluatedSubmission>, Answers<QueuedSubmission>, Answers<UploadSource>
{
  readonly #storage: DurableObjectStorage;
  readonly #store: SubmissionStore;
  readonly #upload: SubmissionUpload;
  readonly #life: RunLifecycle<SubmissionCreation, Standing>;
  readonly #moves: SubmissionMoves;
  /** The copying of an upload that is in progress. */
  #adopting: Promise<boolean> | null = null;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    migrate(state.storage, submissionSchema);
    this.#storage = state.storage;
    this.#life = new RunLifecycle({
      kind: 'submission',
      storage: state.storage,
      creation: submissionCreation,
      standing,
      directory: env.DIRECTORY,
      workspace: ({ workspace }) => workspace,
      start: async (run, driver) =>
        void (await env.SUBMISSION_WORKFLOW.createBatch([{ id: `${run}-${driver}`, params: { run, driver } }])),
    });
    this.#store = new SubmissionStore(state.storage.sql);
    this.#upload = new SubmissionUpload(state.storage, this.#store, new SingletonTable(state.storage.sql));
    this.#moves = new SubmissionMoves({
      life: this.#life,
      upload: this.#upload,
      workspace: () => this.env.WORKSPACE.getByName(this.#life.creation.workspace),
      leaderboard: () => this.#leaderboard,
      evaluation: () => this.#evaluation,
    });
  }

  // What the API calls.

  /** Prepares for a trace file. */
  async beginUpload(): Promise<void> {
    // An upload that failed before has left no tables.
    migrate(this.#storage, submissionSchema);
    if (this.#life.exists) throw new Error('the submission exists already');
    await this.#upload.deleteEverything();
    migrate(this.#storage, submissionSchema);
    await this.#upload.scheduleDeletionOfAbandonedUpload();
  }

  uploadLines(lines: readonly { readonly number: number; readonly text: string }[]): Promise<Result<null>> {
    return this.#upload.verifyAndAddLines(lines);
  }

  describeUploadIfComplete(): Result<WholeUpload> {
    return this.#upload.describeUploadIfComplete();
  }

  /** Deletes an upload; only `beginUpload` makes the object usable again. */
  async discardUpload(): Promise<void> {
    if (this.#life.exists) throw new Error('the submission exists already');
    await this.#upload.deleteEverything();
  }

  /** Deletes an upload that did not become a submission; it may be sent again. */
  override async alarm(): Promise<void> {
    if (!this.#life.exists) await this.#upload.deleteLinesAndAlarm();
  }

  /** Returns how far the upload is read and a page of its lines, for the submission that it becomes. */
  readUploadPage(after: LinePlace | null): { state: TraceReadingState; lines: StoredLine[] } {
    return { state: this.#upload.state, lines: this.#upload.listSomeStoredLines(after) };
  }

  /**
   * Creates the submission and starts its first driver; again, it returns it as it stands. `upload` names the object that a file was
   * uploaded to: of two uploads of the same submission, the first one to get here counts.
   */
  async create(creation: SubmissionCreation, upload: string | null): Promise<Result<SubmissionRecord>> {
    if (upload !== null && !this.#life.exists) {
      this.#adopting ??= this.#upload
        .copyWholeOrAbandon(this.env.SUBMISSION.getByName(upload), () => !this.#life.exists)
        .finally(() => {
          this.#adopting = null;
        });
      if (!(await this.#adopting)) return refuse('content-mismatch', 'the upload is no longer there; send it again');
    }
    const first = makeStandingOfNewSubmission(creation.at);
    const { state, reason } = currentStateChangeOrThrow(first);
    await this.#storage.deleteAlarm();
    await this.#life.createIfAbsentAndStartDriver(creation, { ...initialStanding, ...first }, () =>
      this.#life.emit([{ type: 'submission.changed', state, reason }]),
    );
    await this.#moves.reportStateToLeaderboard();
    return this.get();
  }

  /** Returns the submission on a repeated request, first finishing a creation that crashed halfway. */
  async resumeCreation(): Promise<Result<SubmissionRecord>> {
    if (this.#life.exists && this.#moves.state === 'queued') {
      await this.#life.registerAndStartDriverIfRunning();
      await this.#moves.reportStateToLeaderboard();
    }
    return this.get();
  }

  get(): Result<SubmissionRecord> {
    return this.#life.callReaderIfExists(() => makeSubmissionRecord(this.#life.creation, this.#life.standing));
  }

  /** Withdraws the submission in any state; its entry is removed from the leaderboard. */
  async withdraw(reason: string): Promise<Result<SubmissionRecord>> {
    if (!this.#life.exists) return this.get();
    const state = this.#moves.state;
    const at = new Date().toISOString();
    const change = { state: 'withdrawn', at, reason } as const;
    const allowed = mapErr(standingAfterChangeOrRefusal(this.#life.standing, change), makeSubmissionRefusalProblem);
    if (!allowed.ok) return allowed;
    // The entry comes first, because the sweep looks after unsettled submissions only.
    if (state === 'published' || state === 'hidden') {
      const gone = await this.#leaderboard.withdrawEntry(this.#life.creation.id, reason, at);
      if (!gone.ok) return gone;
    }
    return this.#mapOkToRecord(await this.#moves.changeState('withdrawn', reason));
  }

  /** Carries out a moderator's decision; the API checks who may decide. */
  async moderate({ action, reason }: Moderation): Promise<Result<SubmissionRecord>> {
    if (!this.#life.exists) return this.get();
    const decision = mapErr(moderationStepOrRefusal(this.#life.standing, action), makeSubmissionRefusalProblem);
    if (!decision.ok) return decision;
    const { value: step } = decision;
    switch (step.kind) {
      case 'approve':
        // Registered before it is approved: a crash in between would leave it where nothing wakes it.
        await this.#life.registerInDirectory();
        if (!moderationStepOrRefusal(this.#life.standing, action).ok) return this.get();
        this.#changeStandingInTransaction((now) => ({ ...now, approved: reason }));
        await this.#life.startNextDriver(this.#life.standing.driver);
        return this.get();
      case 'move':
        return this.#mapOkToRecord(await this.#moves.changeState(step.to, moderatorReasonText(reason)));
      case 'move-entry': {
        const moved = await this.#leaderboard[step.call](this.#life.creation.id, reason, new Date().toISOString());
        return moved.ok
          ? this.#mapOkToRecord(await this.#moves.changeState(step.to, moderatorReasonText(reason)))
          : moved;
      }
    }
  }

  /** Claims an attempt of a submission through the gateway. */
  async claimAttempt(attempt: string, key: string | null): Promise<Result<ClaimAnswer>> {
    if (!this.#life.exists) return refuse('not-found', 'there is no such submission');
    const { tier, agent } = this.#life.creation;
    const answer = mapErr(
      claimAnswerByStateOrRefusal(this.#life.standing, tier, Date.now()),
      makeSubmissionRefusalProblem,
    );
    if (!answer.ok) return answer;
    if (answer.value !== null) return ok(answer.value);
    return this.#evaluation.claims.claimAttempt({ agent: agent.name, attempt, key }, 'everything');
  }

  traceHeader(): Promise<Result<TraceHeader>> {
    return this.#evaluation.scoring.traceHeader(this.#life.creation.agent.name, 'everything');
  }

  /** Public traces after one of them, both attempts of a case together. */
  listPublicTraceLines(after: Pick<TraceLine, 'unit' | 'trial'> | null): Promise<Result<TraceLine[]>> {
    return this.#evaluation.scoring.listPublicLines(this.#life.creation.agent.name, after, 'everything');
  }

  override async fetch(request: Request): Promise<Response> {
    return this.#life.makeEventStreamResponse(request);
  }

  /** Looks after a submission that does not progress by itself, so that none gets stuck silently. */
  async wake(force: boolean): Promise<void> {
    if (!this.#life.exists) return;
    const { driver } = this.#life.standing;
    switch (chooseSweepAction(this.#life.standing, { driver, hasLines: this.#hasLines })) {
      case 'settle':
        return this.#moves.endSettledAndCleanUp();
      case 'rest':
        return this.#life.unregisterUnlessResumed(() => isWaitingForModerator(this.#life.standing));
      case 'advance':
        return this.startIfAdmitted();
      case 'give-up':
        return this.reject('it did not end although it was taken up several times; submit it again');
      case 'ask-evaluation':
        if (await this.#isEvaluationRunningRejectIfIdle()) return;
        break;
      case 'drive':
    }
    await this.#life.restartLostDriverOrReportEnd(force, longestStepMs);
  }

  // What its workflow calls.

  creation(): SubmissionCreation {
    return this.#life.creation;
  }

  async takeTurnAndFindWork(driver: number): Promise<SubmissionWork> {
    const stop = this.#life.findReasonToStopDriver(driver);
    if (stop !== null) return stop;
    if (decideNextWork(this.#life.standing, this.#hasLines) === 'take-turn') {
      const hasTurn = await this.#requestScoringTurn();
      // Another driver may have taken over meanwhile.
      const superseded = this.#life.findReasonToStopDriver(driver);
      if (superseded !== null) return superseded;
      if (!hasTurn) return nothingLeft;
      if (this.#moves.state === 'queued') await this.#moves.changeState('validating', 'its rules are checked');
    }
    const work = await this.#makeNextWorkOrStop();
    return this.#life.findReasonToStopDriver(driver) ?? work;
  }

  async #makeNextWorkOrStop(): Promise<SubmissionWork> {
    const work = decideNextWork(this.#life.standing, this.#hasLines);
    switch (work) {
      case 'validate':
        return { kind: 'validate', tier: this.#life.creation.tier };
      case 'publish':
        return { kind: 'publish' };
      case 'ask-evaluation': {
        const evaluation = await this.#evaluation.get();
        return evaluation.ok && isOver(evaluation.value.status) ? { kind: 'publish' } : nothingLeft;
      }
      case 'take-turn':
      case 'nothing':
        return nothingLeft;
    }
  }

  /**
   * Checks an uploaded file against the rules. Returns false if it breaks one (the submission is then rejected), or if
   * the driver must stop.
   */
  async validateUpload(driver: number): Promise<boolean> {
    const mayCheck = (): boolean => {
      const { standing: now, creation } = this.#life;
      return this.#life.findReasonToStopDriver(driver) === null && hasUncheckedUpload(now, creation.tier);
    };
    if (mayCheck()) {
      const { header } = this.#upload;
      if (header === null) throw new Error('the submission has lost its file');
      const rules = await gatherUploadRules(this.#leaderboard, (object) => this.env.BENCHMARK.getByName(object));
      const found = await findBrokenRules(this.#store, header, rules, mayCheck);
      // While lines were read, another driver may have passed them to the evaluation and deleted them; then the
      // findings do not count.
      if (found.length > 0 && mayCheck()) await this.#moves.rejectWithFindings(found);
    }
    return this.#life.findReasonToStopDriver(driver) === null && !needsNoFurtherWork(this.#moves.state);
  }

  /**
   * Records that its evaluation was created: it is now being scored. Returns false if it was withdrawn meanwhile, and
   * ends the evaluation too.
   */
  async markScoringOrCancelEvaluation(): Promise<boolean> {
    if (this.#moves.state === 'validating')
      await this.#moves.changeState('scoring', 'its attempts are made and judged');
    if (needsNoFurtherWork(this.#moves.state)) await this.#evaluation.cancel();
    else await this.#startNextDriverIfEvaluated();
    return !needsNoFurtherWork(this.#moves.state);
  }

  /** Uploaded attempts by position, after one; none at the end. */
  linesAfter(after: LinePlace | null): NumberedLine[] {
    return this.#upload.listSomeLines(after);
  }

  /** Deletes the uploaded lines, because the evaluation has them. */
  async deleteImportedLinesAndContinue(): Promise<void> {
    this.#store.deleteLines();
    await this.#startNextDriverIfEvaluated();
  }

  /** Rejects a submission that cannot be published, for a reason that its submitter is told. */
  async reject(reason: string): Promise<void> {
    await this.#moves.reject(reason);
  }

  /** Publishes the result of the evaluation, or rejects the submission with the reason. */
  publishOrReject(): Promise<void> {
    return this.#moves.publishOrReject();
  }

  /** Ends a submission that its driver cannot drive. The error is only for the operators' log. */
  async fail(driver: number, detail: string): Promise<void> {
    if (this.#life.findReasonToStopDriver(driver) !== null) return;
    console.error(JSON.stringify({ submission: this.#life.creation.id, failed: detail }));
    await this.reject('something went wrong on our side; submit it again');
  }

  /** Continues when its turn has come. */
  async startIfAdmitted(): Promise<void> {
    if (!this.#life.exists || this.#moves.state !== 'queued') return;
    // A driver may have started meanwhile.
    if ((await this.#requestScoringTurn()) && this.#moves.state === 'queued')
      await this.#life.startNextDriver(this.#life.standing.driver);
  }

  // What its evaluation calls.

  /**
   * Reports the progress. Ends a submission that can no longer be published, so that the remaining attempts cost
   * nothing.
   */
  async recordProgressOrReject(progress: EvaluationProgress): Promise<void> {
    const effect = this.#life.exists ? decideProgressEffect(this.#moves.state, progress) : 'ignore';
    if (effect === 'ignore') return;
    this.#life.transaction(() => {
      this.#life.standing = { ...this.#life.standing, progress };
      this.#life.emit([{ type: 'submission.progressed', progress }]);
    });
    if (effect === 'reject')
      await this.#moves.rejectWithFindings(
        findingsOfTooManyFaults(progress, await this.#evaluation.scoring.listCommonFaultTexts()),
      );
  }

  /** Returns whether the private units may be tried now. */
  takePrivateUnitsOrReject(units: readonly string[], progress: EvaluationProgress): Promise<boolean> {
    return this.#moves.claimPrivateUnitsOrReject(units, progress);
  }

  /** The evaluation is over: a new driver publishes it. */
  async continueAfterEvaluation(): Promise<void> {
    if (!this.#life.exists || this.#moves.state !== 'scoring') return;
    await this.#life.startNextDriver(this.#life.standing.driver);
  }

  /** An evaluation that ended before it was waited for has notified nobody. */
  async #startNextDriverIfEvaluated(): Promise<void> {
    if (!this.#hasLines && (await this.#findRunningEvaluationRecord()) === null) await this.continueAfterEvaluation();
  }

  /** Returns whether it may be scored now, or must wait. A `gateway` agent goes at its own pace and never waits. */
  async #requestScoringTurn(): Promise<boolean> {
    const { id, tier } = this.#life.creation;
    // The leaderboard may not know the submission after a crash, and calls only those that it knows.
    await this.#moves.reportStateToLeaderboard();
    return !tierRules[tier].queues || this.#leaderboard.admitIfFree(id);
  }

  /** Returns the record of its evaluation while that is running; null if there is none or it is over. */
  async #findRunningEvaluationRecord(): Promise<EvaluationRecord | null> {
    const evaluation = await this.#evaluation.get();
    return !evaluation.ok || isOver(evaluation.value.status) ? null : evaluation.value;
  }

  /** Returns whether its evaluation is still running; rejects the submission if nobody has worked on its attempts for 7 days. */
  async #isEvaluationRunningRejectIfIdle(): Promise<boolean> {
    const evaluation = await this.#findRunningEvaluationRecord();
    if (evaluation === null) return false;
    const { made } = evaluation.progress;
    const care = chooseEvaluationSweepAction(this.#life.standing, this.#life.creation.tier, made, Date.now());
    if (care === 'note')
      this.#changeStandingInTransaction((now) => ({ ...now, seen: { at: new Date().toISOString(), made } }));
    if (care === 'give-up') await this.reject('nobody has worked on its attempts for 7 days');
    return true;
  }

  #changeStandingInTransaction(change: (now: Standing) => Standing): void {
    this.#life.transaction(() => {
      this.#life.standing = change(this.#life.standing);
    });
  }

  #mapOkToRecord(result: Result<null>): Result<SubmissionRecord> {
    return result.ok ? this.get() : result;
  }

  /** Whether there are uploaded lines that its evaluation may not have. */
  get #hasLines(): boolean {
    return this.#store.count() > 0;
  }

  get #leaderboard(): PublishingLeaderboard {
    return this.env.LEADERBOARD.getByName(this.#life.creation.leaderboard);
  }

  get #evaluation(): ScoringEvaluation {
    return this.env.EVALUATION_RUN.getByName(evaluationIdOfSubmission(this.#life.creation.id));
  }
}

const nothingLeft = { kind: 'stop', why: 'nothing-left' } as const;
