import { DurableObject } from 'cloudflare:workers';
import { refuse } from '#core/errors.ts';
import { mapErr, ok, type Result } from '#core/result.ts';
import type { ClaimAnswer } from '#core/evaluation/claim.ts';
import type { EvaluationProgress } from '#core/evaluation/progress-record.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import { isOver } from '#core/runs.ts';
import { publicationOf, recordOf } from '#core/submissions/present.ts';
import { submissionProblem } from '#core/submissions/problems.ts';
import {
  careFor,
  claimBeforeScoring,
  decisionOn,
  effectOf,
  evaluationCare,
  firstStanding,
  isToCheck,
  mayBePublished,
  moveTo,
  nextWork,
  presentOf,
  suspicionReason,
  waitsForModerator,
} from '#core/submissions/progress.ts';
import {
  submissionBirth,
  type Moderation,
  type SubmissionBirth,
  type SubmissionRecord,
} from '#core/submissions/record.ts';
import { faultFindings, figuresFindings } from '#core/submissions/rules.ts';
import { decided, isSettled, type SubmissionTier } from '#core/submissions/state.ts';
import { tierRules } from '#core/submissions/tiers.ts';
import type { TraceHeader, TraceLine, WholeUpload } from '#core/submissions/trace-file.ts';
import type { TraceReading } from '#core/submissions/trace-reader.ts';
import type { Benchmark } from '#durable-objects/benchmark/benchmark.ts';
import type { Directory } from '#durable-objects/directory/directory.ts';
import type { EvaluationRun } from '#durable-objects/evaluation/evaluation-run.ts';
import type { Leaderboard } from '#durable-objects/leaderboard/leaderboard.ts';
import { Facts } from '#durable-objects/shared/facts.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import { newborn, RunLifecycle, type Stop } from '#durable-objects/shared/run-lifecycle.ts';
import { submissionSchema } from './schema.ts';
import {
  longestStepMs,
  standing,
  SubmissionMoves,
  type PublishingLeaderboard,
  type ScoringEvaluation,
  type Standing,
} from './submission-moves.ts';
import { SubmissionStore, type LinePlace, type NumberedLine } from './submission-store.ts';
import { SubmissionUpload } from './submission-upload.ts';
import { rulesOf, uploadFindings } from './upload-check.ts';

interface Env {
  readonly DIRECTORY: DurableObjectNamespace<Directory>;
  readonly LEADERBOARD: DurableObjectNamespace<Leaderboard>;
  readonly BENCHMARK: DurableObjectNamespace<Benchmark>;
  readonly EVALUATION_RUN: DurableObjectNamespace<EvaluationRun>;
  readonly SUBMISSION: DurableObjectNamespace<Submission>;
  readonly SUBMISSION_WORKFLOW: Workflow<{ run: string; driver: number }>;
}

/** What its driver has to do next. */
export type SubmissionWork =
  | { readonly kind: 'validate'; readonly tier: SubmissionTier }
  | { readonly kind: 'publish' }
  | Stop;

/** One submission to a leaderboard: where it stands, why, and what was uploaded. The evaluation that scores it is a run of its own. */
export class Submission extends DurableObject<Env> {
  readonly #storage: DurableObjectStorage;
  readonly #store: SubmissionStore;
  readonly #upload: SubmissionUpload;
  readonly #life: RunLifecycle<SubmissionBirth, Standing>;
  readonly #moves: SubmissionMoves;
  /** The copying of an upload that is under way. */
  #adopting: Promise<boolean> | null = null;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    migrate(state.storage, submissionSchema);
    this.#storage = state.storage;
    this.#life = new RunLifecycle({
      kind: 'submission',
      storage: state.storage,
      birth: submissionBirth,
      standing,
      directory: env.DIRECTORY,
      workspace: ({ workspace }) => workspace,
      start: async (run, driver) =>
        void (await env.SUBMISSION_WORKFLOW.createBatch([{ id: `${run}-${driver}`, params: { run, driver } }])),
    });
    this.#store = new SubmissionStore(state.storage.sql);
    this.#upload = new SubmissionUpload(state.storage, this.#store, new Facts(state.storage.sql));
    this.#moves = new SubmissionMoves({
      life: this.#life,
      upload: this.#upload,
      leaderboard: () => this.#leaderboard,
      evaluation: () => this.#evaluation,
    });
  }

  // What the API calls.

  /** Makes room for a file of traces. */
  async beginUpload(): Promise<void> {
    if (this.#life.exists) throw new Error('the submission is born already');
    await this.#upload.begin();
  }

  uploadLines(lines: readonly { readonly number: number; readonly text: string }[]): Promise<Result<null>> {
    return this.#upload.add(lines);
  }

  finishUpload(): Result<WholeUpload> {
    return this.#upload.finish();
  }

  /** Forgets an upload: the object is gone with it, and cannot be used again. */
  async discard(): Promise<void> {
    if (this.#life.exists) throw new Error('the submission is born already');
    await this.#upload.discard();
  }

  /** Forgets what was uploaded where no submission came of it; it may be sent again. */
  override async alarm(): Promise<void> {
    if (!this.#life.exists) await this.#upload.abandon();
  }

  /** What was uploaded, for the submission that it becomes. */
  uploaded(after: LinePlace | null): { state: TraceReading; lines: NumberedLine[] } {
    return { state: this.#upload.state, lines: this.#upload.linesAfter(after) };
  }

  /**
   * Gives birth to the submission and starts its first driver; again, it returns it as it stands. `upload` names the object that a file was
   * uploaded to: of two uploads of the same submission, the first one to get here counts.
   */
  async create(birth: SubmissionBirth, upload: string | null): Promise<Result<SubmissionRecord>> {
    if (upload !== null && !this.#life.exists) {
      this.#adopting ??= this.#upload
        .adoptFrom(this.env.SUBMISSION.getByName(upload), () => !this.#life.exists)
        .finally(() => {
          this.#adopting = null;
        });
      if (!(await this.#adopting)) return refuse('content-mismatch', 'the upload is no longer there; send it again');
    }
    const first = firstStanding(birth.at);
    const { state, reason } = presentOf(first);
    await this.#storage.deleteAlarm();
    await this.#life.beBorn(birth, { ...newborn, ...first }, () =>
      this.#life.tell([{ type: 'submission.changed', state, reason }]),
    );
    await this.#moves.note();
    return this.get();
  }

  /** The submission for whoever asks for it again: what a failure cut off of its beginning is made up for. */
  async again(): Promise<Result<SubmissionRecord>> {
    if (this.#life.exists && this.#moves.state === 'queued') {
      await this.#life.begin();
      await this.#moves.note();
    }
    return this.get();
  }

  get(): Result<SubmissionRecord> {
    return this.#life.shown(() => recordOf(this.#life.birth, this.#life.standing));
  }

  /** Takes the submission back, wherever it stands; what was published of it leaves the leaderboard. */
  async withdraw(reason: string): Promise<Result<SubmissionRecord>> {
    if (!this.#life.exists) return this.get();
    const state = this.#moves.state;
    const at = new Date().toISOString();
    const allowed = mapErr(moveTo(this.#life.standing, { state: 'withdrawn', at, reason }), submissionProblem);
    if (!allowed.ok) return allowed;
    // First the entry: the sweep looks after submissions that are on their way, not after those that were settled.
    if (state === 'published' || state === 'hidden') {
      const gone = await this.#leaderboard.withdraw(this.#life.birth.id, reason, at);
      if (!gone.ok) return gone;
    }
    return this.#after(await this.#moves.enter('withdrawn', reason));
  }

  /** A moderator's decision; who may decide, the API knows. */
  async moderate({ action, reason }: Moderation): Promise<Result<SubmissionRecord>> {
    if (!this.#life.exists) return this.get();
    const decision = mapErr(decisionOn(this.#life.standing, action), submissionProblem);
    if (!decision.ok) return decision;
    const { value: step } = decision;
    switch (step.kind) {
      case 'approve':
        // Before it is approved: a crash in between would leave it where nothing wakes it.
        await this.#life.enter();
        if (!decisionOn(this.#life.standing, action).ok) return this.get();
        this.#change((now) => ({ ...now, approved: reason }));
        await this.#life.handOver(this.#life.standing.driver);
        return this.get();
      case 'move':
        return this.#after(await this.#moves.enter(step.to, decided(reason)));
      case 'move-entry': {
        const moved = await this.#leaderboard[step.call](this.#life.birth.id, reason, new Date().toISOString());
        return moved.ok ? this.#after(await this.#moves.enter(step.to, decided(reason))) : moved;
      }
    }
  }

  /** An attempt of a submission through the gateway. */
  async claim(attempt: string, key: string | null): Promise<Result<ClaimAnswer>> {
    if (!this.#life.exists) return refuse('not-found', 'there is no such submission');
    const { tier, agent } = this.#life.birth;
    const answer = mapErr(claimBeforeScoring(this.#life.standing, tier, Date.now()), submissionProblem);
    if (!answer.ok) return answer;
    if (answer.value !== null) return ok(answer.value);
    return this.#evaluation.claim({ agent: agent.name, attempt, key }, 'everything');
  }

  traceHeader(): Promise<Result<TraceHeader>> {
    return this.#evaluation.traceHeader(this.#life.birth.agent.name, 'everything');
  }

  /** Public traces after one of them, both sides of a case together. */
  traceLines(after: Pick<TraceLine, 'unit' | 'trial'> | null): Promise<Result<TraceLine[]>> {
    return this.#evaluation.traceLines(this.#life.birth.agent.name, after, 'everything');
  }

  override fetch(request: Request): Response {
    return this.#life.follow(request);
  }

  /** Looks after a submission that does not go on by itself; none stays as it is in silence. */
  async wake(force: boolean): Promise<void> {
    if (!this.#life.exists) return;
    const { driver } = this.#life.standing;
    switch (careFor(this.#life.standing, { driver, hasLines: this.#hasLines })) {
      case 'settle':
        return this.#moves.settle();
      case 'rest':
        return this.#life.rest(() => waitsForModerator(this.#life.standing));
      case 'advance':
        return this.goOn();
      case 'give-up':
        return this.cannot(
          'it could not be brought to an end although it was taken up again and again; submit it anew',
        );
      case 'ask-evaluation':
        if (await this.#looksAfterEvaluation()) return;
        break;
      case 'drive':
    }
    await this.#life.wake(force, longestStepMs);
  }

  // What its workflow calls.

  birth(): SubmissionBirth {
    return this.#life.birth;
  }

  async open(driver: number): Promise<SubmissionWork> {
    const stop = this.#life.stopFor(driver);
    if (stop !== null) return stop;
    if (nextWork(this.#life.standing, this.#hasLines) === 'take-turn') {
      const hasTurn = await this.#hasTurn();
      // Another driver may have taken over meanwhile.
      const superseded = this.#life.stopFor(driver);
      if (superseded !== null) return superseded;
      if (!hasTurn) return nothingLeft;
      if (this.#moves.state === 'queued') await this.#moves.enter('validating', 'its rules are checked');
    }
    const work = await this.#nextWork();
    return this.#life.stopFor(driver) ?? work;
  }

  async #nextWork(): Promise<SubmissionWork> {
    const work = nextWork(this.#life.standing, this.#hasLines);
    switch (work) {
      case 'validate':
        return { kind: 'validate', tier: this.#life.birth.tier };
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

  /** Checks an uploaded file against the rules. False where it breaks one, and the submission is rejected, or where the driver has to stop. */
  async keepsRules(driver: number): Promise<boolean> {
    const mayCheck = (): boolean => {
      const { standing: now, birth } = this.#life;
      return this.#life.stopFor(driver) === null && isToCheck(now, birth.tier);
    };
    if (mayCheck()) {
      const { header } = this.#upload;
      if (header === null) throw new Error('the submission has lost its file');
      const rules = await rulesOf(this.#leaderboard, (object) => this.env.BENCHMARK.getByName(object));
      const found = await uploadFindings(this.#store, header, rules, mayCheck);
      // While lines were read, another driver may have brought them to the evaluation and cleared them: what was found then counts for nothing.
      if (found.length > 0 && mayCheck()) await this.#moves.rejectFor(found);
    }
    return this.#life.stopFor(driver) === null && !isSettled(this.#moves.state);
  }

  /** Says that its evaluation was made: from now on it is scored. False where it was withdrawn meanwhile, and the evaluation with it. */
  async scoring(): Promise<boolean> {
    if (this.#moves.state === 'validating') await this.#moves.enter('scoring', 'its attempts are made and judged');
    if (isSettled(this.#moves.state)) await this.#evaluation.cancel();
    else await this.#afterEvaluation();
    return !isSettled(this.#moves.state);
  }

  /** Uploaded attempts by place, after one; none at the end. */
  linesAfter(after: LinePlace | null): NumberedLine[] {
    return this.#upload.linesAfter(after);
  }

  /** Forgets the uploaded lines: the evaluation has them. */
  async brought(): Promise<void> {
    this.#store.clear();
    await this.#afterEvaluation();
  }

  /** Ends a submission that cannot be published, for a reason that its submitter is told. */
  async cannot(reason: string): Promise<void> {
    await this.#moves.enter('rejected', reason);
  }

  /** Publishes what the evaluation came to, or says why not. */
  async publish(): Promise<void> {
    if (!mayBePublished(this.#life.standing)) return;
    const scored = await this.#evaluation.scored();
    if (!scored.ok) return this.cannot(scored.problem.detail);
    const { figures } = scored.value;
    if (figuresFindings(figures, []).length > 0)
      return this.#moves.rejectFor(figuresFindings(figures, await this.#evaluation.faults()));
    const { approved } = this.#life.standing;
    const at = new Date().toISOString();
    const published = await this.#leaderboard.publish(publicationOf(this.#life.birth, scored.value, approved, at));
    switch (published.kind) {
      case 'refused':
        return this.cannot(published.reason);
      case 'suspicious':
        await this.#moves.enter('moderation', suspicionReason(published.findings), published.findings);
        return;
      case 'published':
        // It may have been decided otherwise meanwhile: then it is taken off again.
        if (mayBePublished(this.#life.standing))
          await this.#moves.enter('published', approved === null ? 'it kept all rules' : decided(approved));
        else await this.#moves.settle();
    }
  }

  /** Ends a submission that its driver cannot drive. What went wrong is for the operators' log alone. */
  async fail(driver: number, detail: string): Promise<void> {
    if (this.#life.stopFor(driver) !== null) return;
    console.error(JSON.stringify({ submission: this.#life.birth.id, failed: detail }));
    await this.cannot('something went wrong on our side; submit it anew');
  }

  /** Goes on where its turn has come. */
  async goOn(): Promise<void> {
    if (!this.#life.exists || this.#moves.state !== 'queued') return;
    // A driver may have begun meanwhile.
    if ((await this.#hasTurn()) && this.#moves.state === 'queued')
      await this.#life.handOver(this.#life.standing.driver);
  }

  // What its evaluation calls.

  /** How far it has come. One that can no longer be published ends: what the other attempts would cost were spent in vain. */
  async progressed(progress: EvaluationProgress): Promise<void> {
    const effect = this.#life.exists ? effectOf(this.#moves.state, progress) : 'ignore';
    if (effect === 'ignore') return;
    this.#life.transaction(() => {
      this.#life.standing = { ...this.#life.standing, progress };
      this.#life.tell([{ type: 'submission.progressed', progress }]);
    });
    if (effect === 'reject') await this.#moves.rejectFor(faultFindings(progress, await this.#evaluation.faults()));
  }

  /** The evaluation is over: a new driver publishes it. */
  async evaluated(): Promise<void> {
    if (!this.#life.exists || this.#moves.state !== 'scoring') return;
    await this.#life.handOver(this.#life.standing.driver);
  }

  /** An evaluation that ended before it was waited for has said so to nobody. */
  async #afterEvaluation(): Promise<void> {
    if (!this.#hasLines && (await this.#evaluationUnderWay()) === null) await this.evaluated();
  }

  /** Whether it may be scored now, or waits until others are done. An agent before the gateway goes at its own pace. */
  async #hasTurn(): Promise<boolean> {
    const { id, tier } = this.#life.birth;
    // A crash may have come before the leaderboard heard of it: only from those that it knows does it call the next one.
    await this.#moves.note();
    return !tierRules[tier].queues || this.#leaderboard.admit(id);
  }

  /** The record of its evaluation, if that is not over; null where there is none. */
  async #evaluationUnderWay(): Promise<EvaluationRecord | null> {
    const evaluation = await this.#evaluation.get();
    return !evaluation.ok || isOver(evaluation.value.status) ? null : evaluation.value;
  }

  /** Whether its evaluation goes on by itself, and looks after it: one that nobody works on is given up. */
  async #looksAfterEvaluation(): Promise<boolean> {
    const evaluation = await this.#evaluationUnderWay();
    if (evaluation === null) return false;
    const { made } = evaluation.progress;
    const care = evaluationCare(this.#life.standing, this.#life.birth.tier, made, Date.now());
    if (care === 'note') this.#change((now) => ({ ...now, seen: { at: new Date().toISOString(), made } }));
    if (care === 'give-up') await this.cannot('nobody has worked on its attempts for 7 days');
    return true;
  }

  #change(change: (now: Standing) => Standing): void {
    this.#life.transaction(() => {
      this.#life.standing = change(this.#life.standing);
    });
  }

  #after(result: Result<null>): Result<SubmissionRecord> {
    return result.ok ? this.get() : result;
  }

  /** Whether uploaded lines are left that its evaluation may not have. */
  get #hasLines(): boolean {
    return this.#store.count() > 0;
  }

  get #leaderboard(): PublishingLeaderboard {
    return this.env.LEADERBOARD.getByName(this.#life.birth.leaderboard);
  }

  get #evaluation(): ScoringEvaluation {
    return this.env.EVALUATION_RUN.getByName(evaluationOf(this.#life.birth.id));
  }
}

const nothingLeft = { kind: 'stop', why: 'nothing-left' } as const;

/** The evaluation that scores a submission: in no workspace's list, so that nobody reads it. */
export const evaluationOf = (submission: string): string => `evl_${submission.slice(submission.indexOf('_') + 1)}`;
