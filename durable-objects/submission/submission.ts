import { DurableObject } from 'cloudflare:workers';
import { z } from 'zod';
import { ok, refuse, type Result } from '#core/errors.ts';
import { retryAfterMs, type ClaimAnswer } from '#core/evaluation/claim.ts';
import { chainsOf, type UnitSource } from '#core/evaluation/gather.ts';
import { evaluationProgress, type EvaluationProgress } from '#core/evaluation/progress-record.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import { isOver } from '#core/runs.ts';
import { finding, type Finding } from '#core/submissions/findings.ts';
import {
  submissionBirth,
  type Moderation,
  type SubmissionBirth,
  type SubmissionRecord,
} from '#core/submissions/record.ts';
import {
  attemptFindings,
  cannotRecover,
  coverageFindings,
  faultFindings,
  headerFindings,
} from '#core/submissions/rules.ts';
import {
  decided,
  isSettled,
  moved,
  stateChange,
  type StateChange,
  type SubmissionState,
  type SubmissionTier,
} from '#core/submissions/state.ts';
import {
  configurationDigest,
  type TraceHeader,
  type TraceLine,
  type WholeUpload,
} from '#core/submissions/trace-file.ts';
import { withoutKey } from '#core/evaluation/config.ts';
import type { Benchmark } from '#durable-objects/benchmark/benchmark.ts';
import type { Directory } from '#durable-objects/directory/directory.ts';
import type { EvaluationRun } from '#durable-objects/evaluation/evaluation-run.ts';
import { Facts } from '#durable-objects/shared/facts.ts';
import type { Leaderboard } from '#durable-objects/leaderboard/leaderboard.ts';
import { newborn, RunLifecycle, runStanding, type Stop } from '#durable-objects/shared/run-lifecycle.ts';
import {
  placeOfLine,
  SubmissionStore,
  type LinePlace,
  type NumberedLine,
  type UploadState,
} from './submission-store.ts';
import { SubmissionUpload } from './submission-upload.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import { submissionSchema } from './schema.ts';

interface Env {
  readonly DIRECTORY: DurableObjectNamespace<Directory>;
  readonly LEADERBOARD: DurableObjectNamespace<Leaderboard>;
  readonly BENCHMARK: DurableObjectNamespace<Benchmark>;
  readonly EVALUATION_RUN: DurableObjectNamespace<EvaluationRun>;
  readonly SUBMISSION: DurableObjectNamespace<Submission>;
  readonly SUBMISSION_WORKFLOW: Workflow<{ run: string; driver: number }>;
}

/** What a submission asks of its leaderboard. */
type PublishingLeaderboard = RpcOf<
  Leaderboard,
  'birth' | 'publish' | 'hide' | 'show' | 'withdraw' | 'admit' | 'noteSubmission'
>;

/** What a submission asks of the evaluation that scores it. */
type ScoringEvaluation = RpcOf<
  EvaluationRun,
  'get' | 'cancel' | 'scored' | 'faults' | 'claim' | 'traceHeader' | 'traceLines'
>;

const standing = runStanding.extend({
  history: z.array(stateChange),
  findings: z.array(finding),
  progress: evaluationProgress.nullable(),
  /** A moderator has decided to publish it whatever was found, and why. */
  approved: z.string().nullable(),
  /** When the attempts were last seen to go on, and how far they had come. */
  seen: z.object({ at: z.string(), made: z.int() }),
});
type Standing = z.infer<typeof standing>;

/** What its driver has to do next. */
export type SubmissionWork =
  | { readonly kind: 'validate'; readonly tier: SubmissionTier }
  | { readonly kind: 'publish' }
  | Stop;

const longestStepMs = 15 * 60_000;
/** Drivers that may be lost before the submission is given up. */
const mostDrivers = 40;
/** An upload that breaks off and is never begun again is forgotten after so long. */
const abandonedMs = 60 * 60_000;
/** A submission through the gateway that nobody works on is given up after so long. */
const idleMs = 7 * 24 * 60 * 60_000;
const mostFindings = 20;
/** The state that each decision of a moderator is about. */
const decidableIn = {
  publish: 'moderation',
  reject: 'moderation',
  hide: 'published',
  show: 'hidden',
} as const satisfies Record<Moderation['action'], SubmissionState>;
/** Lines that are handed on at once, as JSON. */
const charsPerRead = 4 * 1024 * 1024;

/** One submission to a leaderboard: where it stands, why, and what was uploaded. The evaluation that scores it is a run of its own. */
export class Submission extends DurableObject<Env> {
  readonly #storage: DurableObjectStorage;
  readonly #facts: Facts;
  readonly #store: SubmissionStore;
  readonly #upload: SubmissionUpload;
  readonly #life: RunLifecycle<SubmissionBirth, Standing>;
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
    this.#facts = new Facts(state.storage.sql);
    this.#store = new SubmissionStore(state.storage.sql);
    this.#upload = new SubmissionUpload(this.#store, this.#facts);
  }

  // What the API calls.

  /** Makes room for a file of traces. */
  async beginUpload(): Promise<void> {
    if (this.#life.exists) throw new Error('the submission is born already');
    await this.#storage.setAlarm(Date.now() + abandonedMs);
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
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
  }

  override async alarm(): Promise<void> {
    await this.#abandon();
  }

  /** Forgets what was uploaded, where the submission was not born; it may be sent again. */
  async #abandon(): Promise<void> {
    if (this.#life.exists) return;
    this.#upload.clear();
    await this.#storage.deleteAlarm();
  }

  /** What was uploaded, for the submission that it becomes. */
  uploaded(after: LinePlace | null): { state: UploadState; lines: NumberedLine[] } {
    return { state: this.#upload.state, lines: this.#store.linesAfter(after, charsPerRead) };
  }

  /**
   * Gives birth to the submission and starts its first driver; again, it returns it as it stands. `upload` names the object that a file was
   * uploaded to: of two uploads of the same submission, the first one to get here counts.
   */
  async create(birth: SubmissionBirth, upload: string | null): Promise<Result<SubmissionRecord>> {
    if (upload !== null && !this.#life.exists) {
      this.#adopting ??= this.#adopt(upload).finally(() => {
        this.#adopting = null;
      });
      if (!(await this.#adopting)) return refuse('content-mismatch', 'the upload is no longer there; send it again');
    }
    const begun = { state: 'queued', at: birth.at, reason: 'it was received' } as const;
    const first: Standing = {
      ...newborn,
      history: [begun],
      findings: [],
      progress: null,
      approved: null,
      seen: { at: birth.at, made: 0 },
    };
    await this.#storage.deleteAlarm();
    await this.#life.beBorn(birth, first, () =>
      this.#life.tell([{ type: 'submission.changed', state: begun.state, reason: begun.reason }]),
    );
    await this.#note();
    return this.get();
  }

  /** The submission for whoever asks for it again: what a failure cut off of its beginning is made up for. */
  async again(): Promise<Result<SubmissionRecord>> {
    if (this.#life.exists && this.#state === 'queued') {
      await this.#life.begin();
      await this.#note();
    }
    return this.get();
  }

  /** Takes an upload over; false where it was given up meanwhile: what is not whole is nobody's submission. */
  async #adopt(upload: string): Promise<boolean> {
    const from: RpcOf<Submission, 'uploaded'> = this.env.SUBMISSION.getByName(upload);
    this.#upload.clear();
    // A crash before the birth would leave the lines behind.
    await this.#storage.setAlarm(Date.now() + abandonedMs);
    for (let after: LinePlace | null = null; ;) {
      const { state, lines } = await from.uploaded(after);
      this.#upload.adopt(state, lines);
      const last = lines.at(-1);
      if (last === undefined) break;
      after = placeOfLine(last);
    }
    const { isWhole } = this.#upload;
    if (!isWhole) await this.#abandon();
    return isWhole;
  }

  get(): Result<SubmissionRecord> {
    return this.#life.shown(() => this.#record());
  }

  /** Takes the submission back, wherever it stands; what was published of it leaves the leaderboard. */
  async withdraw(reason: string): Promise<Result<SubmissionRecord>> {
    if (!this.#life.exists) return this.get();
    const state = this.#state;
    const at = new Date().toISOString();
    const allowed = moved(this.#life.standing.history, { state: 'withdrawn', at, reason });
    if (!allowed.ok) return allowed;
    // First the entry: the sweep looks after submissions that are on their way, not after those that were settled.
    if (state === 'published' || state === 'hidden') {
      const gone = await this.#leaderboard.withdraw(this.#life.birth.id, reason, at);
      if (!gone.ok) return gone;
    }
    return this.#after(await this.#move('withdrawn', reason));
  }

  /** A moderator's decision; who may decide, the API knows. */
  async moderate({ action, reason }: Moderation): Promise<Result<SubmissionRecord>> {
    if (!this.#life.exists) return this.get();
    const { state, at: since } = this.#present;
    const decidable = decidableIn[action];
    if (state !== decidable)
      return refuse('wrong-state', `the submission is ${state} since ${since}, not ${decidable}`);
    const at = new Date().toISOString();
    const { id } = this.#life.birth;
    switch (action) {
      case 'publish':
        // Before it is approved: a crash in between would leave it where nothing wakes it.
        await this.#life.enter();
        if (this.#state !== decidable) return this.get();
        this.#change((now) => ({ ...now, approved: reason }));
        await this.#life.handOver(this.#life.standing.driver);
        return this.get();
      case 'reject':
        return this.#after(await this.#move('rejected', decided(reason)));
      case 'hide': {
        const hidden = await this.#leaderboard.hide(id, reason, at);
        return hidden.ok ? this.#after(await this.#move('hidden', decided(reason))) : hidden;
      }
      case 'show': {
        const shown = await this.#leaderboard.show(id, reason, at);
        return shown.ok ? this.#after(await this.#move('published', decided(reason))) : shown;
      }
    }
  }

  /** An attempt of a submission through the gateway. */
  async claim(attempt: string, key: string | null): Promise<Result<ClaimAnswer>> {
    if (!this.#life.exists) return refuse('not-found', 'there is no such submission');
    const { tier, agent } = this.#life.birth;
    if (tier !== 'gateway')
      return refuse(
        'wrong-state',
        `the submission is of the tier ${tier}: only those of the tier gateway have attempts to claim`,
      );
    const { state, at: since } = this.#present;
    if (state === 'queued' || state === 'validating')
      return ok({ kind: 'wait', retryAfterMs: retryAfterMs(Date.now() - Date.parse(since)) });
    if (state !== 'scoring') return ok({ kind: 'finished' });
    return this.#evaluation.claim({ agent: agent.name, attempt, key });
  }

  traceHeader(): Promise<Result<TraceHeader>> {
    return this.#evaluation.traceHeader(this.#life.birth.agent.name);
  }

  /** Public traces after one of them, both sides of a case together. */
  traceLines(after: Pick<TraceLine, 'unit' | 'trial'> | null): Promise<Result<TraceLine[]>> {
    return this.#evaluation.traceLines(this.#life.birth.agent.name, after);
  }

  override fetch(request: Request): Response {
    return this.#life.follow(request);
  }

  /** Looks after a submission that does not go on by itself; none stays as it is in silence. */
  async wake(force: boolean): Promise<void> {
    if (!this.#life.exists) return;
    const state = this.#state;
    if (isSettled(state)) return this.#settle();
    if (this.#waitsForModerator()) return this.#life.rest(() => this.#waitsForModerator());
    if (state === 'queued') return this.goOn();
    if (this.#life.standing.driver >= mostDrivers)
      return this.cannot('it could not be brought to an end although it was taken up again and again; submit it anew');
    if (state === 'scoring' && (await this.#looksAfterEvaluation())) return;
    await this.#life.wake(force, longestStepMs);
  }

  #waitsForModerator(): boolean {
    return this.#state === 'moderation' && this.#life.standing.approved === null;
  }

  // What its workflow calls.

  birth(): SubmissionBirth {
    return this.#life.birth;
  }

  async open(driver: number): Promise<SubmissionWork> {
    const stop = this.#life.stopFor(driver);
    if (stop !== null) return stop;
    const hasTurn = this.#state !== 'queued' || (await this.#hasTurn());
    // Another driver may have taken over during each wait.
    const superseded = this.#life.stopFor(driver);
    if (superseded !== null) return superseded;
    if (!hasTurn) return nothingLeft;
    if (this.#state === 'queued') await this.#move('validating', 'its rules are checked');
    const work = await this.#nextWork();
    return this.#life.stopFor(driver) ?? work;
  }

  async #nextWork(): Promise<SubmissionWork> {
    const state = this.#state;
    const validate = { kind: 'validate', tier: this.#life.birth.tier } as const;
    if (state === 'validating') return validate;
    if (state === 'moderation') return this.#life.standing.approved === null ? nothingLeft : { kind: 'publish' };
    if (state !== 'scoring') return nothingLeft;
    // An upload whose lines are still here was not brought to its evaluation whole.
    if (this.#store.count() > 0) return validate;
    const evaluation = await this.#evaluation.get();
    return evaluation.ok && isOver(evaluation.value.status) ? { kind: 'publish' } : nothingLeft;
  }

  /** Holds an uploaded file against the rules; false where it broke one, and the submission is rejected, or where the driver has to stop. */
  async keepsRules(driver: number): Promise<boolean> {
    if (this.#mayCheck(driver)) {
      const found = await this.#brokenRules(driver);
      // While lines were read, another driver may have brought them to the evaluation and cleared them: what was found then counts for nothing.
      if (found.length > 0 && this.#mayCheck(driver)) await this.#reject(found);
    }
    return this.#life.stopFor(driver) === null && !isSettled(this.#state);
  }

  /** Whether this driver holds an upload against the rules now. */
  #mayCheck(driver: number): boolean {
    return (
      this.#life.stopFor(driver) === null && this.#life.birth.tier === 'self-reported' && this.#state === 'validating'
    );
  }

  /** The rules that an upload breaks; checked no further where the driver no longer checks. */
  async #brokenRules(driver: number): Promise<Finding[]> {
    const { header } = this.#upload;
    if (header === null) throw new Error('the submission has lost its file');
    const rules = await this.#rules();
    const configuration = await configurationDigest(header.configuration);
    const found = await headerFindings(header, rules);
    let broken = 0;
    // Line by line: all of them together may be more than the memory holds.
    for (const { number, line } of this.#store.lines()) {
      if (line.trace.fault !== null) broken += 1;
      if (found.length < mostFindings)
        found.push(...(await attemptFindings(line, number, { header, configuration, rules })));
    }
    if (!this.#mayCheck(driver)) return [];
    found.push(...coverageFindings(this.#store.places(), rules));
    found.push(...faultFindings({ attempts: this.#store.count(), notEvaluated: broken }));
    return found;
  }

  /** Says that its evaluation was made: from now on it is scored. False where it was withdrawn meanwhile, and the evaluation with it. */
  async scoring(): Promise<boolean> {
    if (this.#state === 'validating') await this.#move('scoring', 'its attempts are made and judged');
    if (isSettled(this.#state)) await this.#evaluation.cancel();
    else await this.#afterEvaluation();
    return !isSettled(this.#state);
  }

  /** Uploaded attempts by place, after one; none at the end. */
  linesAfter(after: LinePlace | null): NumberedLine[] {
    return this.#store.linesAfter(after, charsPerRead);
  }

  /** Forgets the uploaded lines: the evaluation has them. */
  async brought(): Promise<void> {
    this.#store.clear();
    await this.#afterEvaluation();
  }

  /** Ends a submission that cannot be published, for a reason that its submitter is told. */
  async cannot(reason: string): Promise<void> {
    await this.#move('rejected', reason);
  }

  /** Publishes what the evaluation came to, or says why not. */
  async publish(): Promise<void> {
    if (!this.#mayBePublished) return;
    const scored = await this.#evaluation.scored();
    if (!scored.ok) return this.cannot(scored.problem.detail);
    const { figures } = scored.value;
    const splits = [figures, ...(figures.private === null ? [] : [figures.private])];
    if (splits.some((split) => faultFindings(split).length > 0)) {
      const causes = await this.#evaluation.faults();
      return this.#reject(splits.flatMap((split) => faultFindings(split, causes)));
    }
    const { id, workspace, name, tier, at: submittedAt } = this.#life.birth;
    const { approved } = this.#life.standing;
    const published = await this.#leaderboard.publish({
      submission: id,
      workspace,
      name,
      tier,
      submittedAt,
      scored: scored.value,
      approved,
      at: new Date().toISOString(),
    });
    switch (published.kind) {
      case 'refused':
        return this.cannot(published.reason);
      case 'suspicious':
        await this.#move(
          'moderation',
          published.findings.map(({ message, where }) => `${message} (${where})`).join('; '),
          published.findings,
        );
        return;
      case 'published':
        // It may have been decided otherwise meanwhile: then it is taken off again.
        if (this.#mayBePublished)
          await this.#move('published', approved === null ? 'it kept all rules' : decided(approved));
        else await this.#settle();
    }
  }

  /** Its evaluation is over and nobody has decided otherwise. */
  get #mayBePublished(): boolean {
    const state = this.#state;
    return state === 'scoring' || (state === 'moderation' && this.#life.standing.approved !== null);
  }

  /** Ends a submission that its driver cannot drive. What went wrong is for the operators' log alone. */
  async fail(driver: number, detail: string): Promise<void> {
    if (this.#life.stopFor(driver) !== null) return;
    console.error(JSON.stringify({ submission: this.#life.birth.id, failed: detail }));
    await this.cannot('something went wrong on our side; submit it anew');
  }

  /** Goes on where its turn has come. */
  async goOn(): Promise<void> {
    if (!this.#life.exists || this.#state !== 'queued') return;
    // A driver may have begun meanwhile.
    if ((await this.#hasTurn()) && this.#state === 'queued') await this.#life.handOver(this.#life.standing.driver);
  }

  // What its evaluation calls.

  /** How far it has come. One that can no longer be published ends: what the other attempts would cost were spent in vain. */
  async progressed(progress: EvaluationProgress): Promise<void> {
    if (!this.#life.exists || this.#state !== 'scoring') return;
    this.#life.transaction(() => {
      this.#life.standing = { ...this.#life.standing, progress };
      this.#life.tell([{ type: 'submission.progressed', progress }]);
    });
    if (cannotRecover(progress)) await this.#reject(faultFindings(progress, await this.#evaluation.faults()));
  }

  /** The evaluation is over: a new driver publishes it. */
  async evaluated(): Promise<void> {
    if (!this.#life.exists || this.#state !== 'scoring') return;
    await this.#life.handOver(this.#life.standing.driver);
  }

  /** An evaluation that ended before it was waited for has said so to nobody. */
  async #afterEvaluation(): Promise<void> {
    if (this.#store.count() === 0 && (await this.#evaluationUnderWay()) === null) await this.evaluated();
  }

  /** Whether it may be scored now, or waits until others are done. An agent before the gateway goes at its own pace. */
  async #hasTurn(): Promise<boolean> {
    const { id, tier } = this.#life.birth;
    // A crash may have come before the leaderboard heard of it: only from those that it knows does it call the next one.
    await this.#note();
    return tier === 'gateway' || this.#leaderboard.admit(id);
  }

  /** The rules of its leaderboard. */
  async #rules() {
    const leaderboard = await this.#leaderboard.birth();
    if (!leaderboard.ok) throw new Error('the submission has no leaderboard');
    const { benchmarkObject, catalog, harness, trials } = leaderboard.value;
    const benchmark: UnitSource = this.env.BENCHMARK.getByName(benchmarkObject);
    const tools = new Set((await benchmark.catalogTools()).map(({ name }) => name));
    const units = await chainsOf(benchmark, 'public', tools);
    return { catalog, harness, trials, units, tools, now: Date.now() };
  }

  /** The record of its evaluation, if that is not over; null where there is none. */
  async #evaluationUnderWay(): Promise<EvaluationRecord | null> {
    const evaluation = await this.#evaluation.get();
    return !evaluation.ok || isOver(evaluation.value.status) ? null : evaluation.value;
  }

  /** Whether its evaluation goes on by itself, and looks after it: one that nobody works on is given up. */
  async #looksAfterEvaluation(): Promise<boolean> {
    if (this.#store.count() > 0) return false;
    const evaluation = await this.#evaluationUnderWay();
    if (evaluation === null) return false;
    const { made } = evaluation.progress;
    const { seen } = this.#life.standing;
    if (made !== seen.made) this.#change((now) => ({ ...now, seen: { at: new Date().toISOString(), made } }));
    else if (this.#life.birth.tier === 'gateway' && Date.now() - Date.parse(seen.at) > idleMs) {
      await this.cannot('nobody has worked on its attempts for 7 days');
    }
    return true;
  }

  async #reject(found: readonly Finding[]): Promise<void> {
    const [first] = found;
    const more = found.length > 1 ? ` (and ${found.length - 1} more findings)` : '';
    const reason = first === undefined ? 'it breaks a rule' : `${first.where}: ${first.message}${more}`;
    await this.#move('rejected', reason, found.slice(0, mostFindings));
  }

  /** Comes to a state, with what was found where that is why, tells it, and ends what ends with it. */
  async #move(
    state: SubmissionState,
    reason: string,
    findings: readonly Finding[] = this.#life.standing.findings,
  ): Promise<Result<null>> {
    const history = moved(this.#life.standing.history, { state, at: new Date().toISOString(), reason });
    if (!history.ok) return history;
    this.#life.transaction(() => {
      this.#life.standing = { ...this.#life.standing, history: history.value, findings: [...findings] };
      this.#life.tell([{ type: 'submission.changed', state, reason }]);
    });
    if (isSettled(state)) await this.#settle();
    else await this.#note();
    return ok(null);
  }

  /** Ends the run of a submission that is settled, and all that it has begun elsewhere; again, it changes nothing. */
  async #settle(): Promise<void> {
    await this.#note();
    const { state, reason } = this.#present;
    if (state === 'withdrawn' || state === 'rejected') await this.#undo(reason);
    this.#upload.clear();
    this.#forgetKey();
    if (isOver(this.#life.standing.status)) return this.#life.wake(false, longestStepMs);
    await this.#life.end('completed', `${state}: ${reason}`);
  }

  /** Whatever a crash or a decision in between has left: no evaluation goes on for it, and nothing of it is published. */
  async #undo(reason: string): Promise<void> {
    await this.#evaluation.cancel();
    const gone = await this.#leaderboard.withdraw(this.#life.birth.id, reason, new Date().toISOString());
    if (!gone.ok && gone.problem.code !== 'not-found') throw new Error(gone.problem.detail);
  }

  /** The submitter's key was for this run only. */
  #forgetKey(): void {
    const { birth } = this.#life;
    this.#life.birth = { ...birth, agent: withoutKey(birth.agent) };
  }

  /** Tells the leaderboard's moderators where it stands. */
  async #note(): Promise<void> {
    const { id, workspace, name, tier, at: createdAt } = this.#life.birth;
    await this.#leaderboard.noteSubmission({ id, workspace, name, tier, state: this.#state, createdAt });
  }

  #change(change: (now: Standing) => Standing): void {
    this.#life.transaction(() => {
      this.#life.standing = change(this.#life.standing);
    });
  }

  #after(result: Result<null>): Result<SubmissionRecord> {
    return result.ok ? this.get() : result;
  }

  get #present(): StateChange {
    const last = this.#life.standing.history.at(-1);
    if (last === undefined) throw new Error('a submission has a state');
    return last;
  }

  get #state(): SubmissionState {
    return this.#present.state;
  }

  get #leaderboard(): PublishingLeaderboard {
    return this.env.LEADERBOARD.getByName(this.#life.birth.leaderboard);
  }

  get #evaluation(): ScoringEvaluation {
    return this.env.EVALUATION_RUN.getByName(evaluationOf(this.#life.birth.id));
  }

  #record(): SubmissionRecord {
    const { id, leaderboard, benchmark, name, tier, trials, at } = this.#life.birth;
    const { history, findings, progress } = this.#life.standing;
    const { state, reason } = this.#present;
    return {
      id,
      leaderboard,
      benchmark,
      name,
      tier,
      trials,
      state,
      reason,
      history,
      findings,
      progress,
      createdAt: at,
    };
  }
}

const nothingLeft = { kind: 'stop', why: 'nothing-left' } as const;

/** The evaluation that scores a submission: in no workspace's list, so that nobody reads it. */
export const evaluationOf = (submission: string): string => `evl_${submission.slice(submission.indexOf('_') + 1)}`;
