import { z } from 'zod';
import { refuse } from '#core/values/errors.ts';
import { ok, type Result } from '#core/values/result.ts';
import type { EventBody } from '#core/reports/events.ts';
import { refusalsAndPauseAfterRequest, refusalsInARow, type Asked } from '#core/models/breaker.ts';
import { awaitedRest, type AwaitedRest } from '#core/models/governor/undone-stage.ts';
import { isOver, runStatus, type RunKind, type RunStatus } from '#core/exploration/runs.ts';
import { EventLog } from './event-log.ts';
import { EventStream } from './event-stream.ts';
import { showsEveryEvent, type EventFilter } from './logged-events.ts';
import { SingletonTable } from './singleton-table.ts';
import type { OpenRuns } from './objects.ts';
import type { ObjectsOf } from './rpc.ts';

/** What every run's standing contains. */
export const runStanding = z.object({
  status: runStatus,
  /** Why it ended, or paused by itself; null before. */
  reason: z.string().nullable(),
  /** The number of the workflow instance that may drive the run; an older one is told to stop. */
  driver: z.number(),
  endedAt: z.string().nullable(),
  /** Absent in runs of earlier versions. */
  refusals: refusalsInARow.default({}),
  /** The last rest of an endpoint for which it waited, perhaps until now; null before, and in runs of earlier versions. */
  awaits: awaitedRest.nullable().default(null),
});
export type RunStanding = z.infer<typeof runStanding>;

/** How a run stands when it is created. */
export const initialStanding: RunStanding = {
  status: 'running',
  reason: null,
  driver: 1,
  endedAt: null,
  refusals: {},
  awaits: null,
};

/** Why a driver has nothing more to do. */
export interface Stop {
  readonly kind: 'stop';
  readonly why: 'over' | 'paused' | 'superseded' | 'nothing-left';
}

/** A run without a sign of life for this long has lost its driver. */
const silentMs = 10 * 60_000;

interface Options<Creation, Standing> {
  readonly kind: RunKind;
  readonly storage: DurableObjectStorage;
  /** Suffix of its table names, if the object holds more than one run. */
  readonly tables?: `_${string}`;
  /** How the run was created; never changes. */
  readonly creation: z.ZodType<Creation>;
  readonly standing: z.ZodType<Standing>;
  readonly directory: ObjectsOf<OpenRuns>;
  /** The workspace that may wake the run. */
  readonly workspace: (creation: Creation) => string;
  /** Starts the workflow instance with this number, which may exist already. */
  readonly start: (id: string, driver: number) => Promise<void>;
  /** Reports that the run is over, to the object that waits for it; repeated until it succeeds. */
  readonly reportEnd?: () => Promise<void>;
  /** What a new driver changes besides the standing, in the same transaction. */
  readonly onNewDriver?: () => void;
}

/**
 * The life cycle of a run of any kind: created, driven by numbered workflow instances, paused, resumed, ended; with its
 * events. Every change is one transaction with its events, and repeating a call changes nothing. The object is the only
 * writer, so what was read once is cached.
 */
export class RunLifecycle<Creation extends { readonly id: string }, Standing extends RunStanding> {
  readonly #options: Options<Creation, Standing>;
  readonly #singletons: SingletonTable;
  readonly #log: EventLog;
  readonly #stream: EventStream;
  #creation: Creation | null = null;
  #standing: Standing | null = null;

  constructor(options: Options<Creation, Standing>) {
    this.#options = options;
    const { sql } = options.storage;
    const suffix = options.tables ?? '';
    this.#singletons = new SingletonTable(sql, `facts${suffix}`);
    this.#log = new EventLog(sql, `events${suffix}`);
    this.#stream = new EventStream({
      events: (after, limit) => this.#log.read(after, limit),
      lastId: () => this.#log.findLastId(),
      isComplete: () => isOver(this.standing.status),
    });
  }

  /** Rows that records and events have taken since this object started. */
  get rowsWritten(): number {
    return this.#singletons.rowsWritten + this.#log.rowsWritten;
  }

  get exists(): boolean {
    this.#creation ??= this.#singletons.read('birth', this.#options.creation);
    return this.#creation !== null;
  }

  get creation(): Creation {
    if (!this.exists || this.#creation === null) throw new Error(`the ${this.#options.kind} has not been created`);
    return this.#creation;
  }

  get standing(): Standing {
    this.#standing ??= this.#singletons.read('standing', this.#options.standing);
    if (this.#standing === null) throw new Error(`the ${this.#options.kind} has not been created`);
    return this.#standing;
  }

  /** Changes how the run was created, where something of it is to be forgotten. */
  set creation(value: Creation) {
    this.#singletons.write('birth', value);
    this.#creation = value;
  }

  /** Call inside a `transaction` that also performs the change that the new standing reports. */
  set standing(value: Standing) {
    this.#singletons.write('standing', value);
    this.#standing = value;
  }

  /** Makes changes atomically; after a failure, what is stored is read again. */
  transaction(change: () => void): void {
    try {
      this.#options.storage.transactionSync(change);
    } catch (error) {
      this.#standing = null;
      throw error;
    }
  }

  /** Creates the run if absent, in one transaction with `write`, and starts its driver. */
  async createIfAbsentAndStartDriver(creation: Creation, standing: Standing, write: () => void): Promise<void> {
    if (!this.exists) {
      // First: after a crash in between, a caller that asks again finds the run created and starts nothing.
      await this.#getDirectory().addRun(creation.id, this.#options.kind, this.#options.workspace(creation));
    }
    if (!this.exists) {
      this.transaction(() => {
        this.#singletons.write('birth', creation);
        this.standing = standing;
        this.emit([{ type: 'run.created' }]);
        write();
      });
    }
    await this.registerAndStartDriverIfRunning();
  }

  /** Returns what a caller learns about a run that may not exist. */
  callReaderIfExists<T>(read: () => T): Result<T> {
    return this.exists ? ok(read()) : refuse('not-found', `there is no such ${this.#options.kind}`);
  }

  pause(): Result<null> {
    if (!this.exists) return this.#unknownRunRefusal();
    const now = this.standing;
    if (now.status === 'paused') return ok(null);
    if (now.status !== 'running') return this.#wrongStateRefusal();
    this.transaction(() => {
      this.standing = { ...now, status: 'paused' };
      this.emit([{ type: 'run.paused' }]);
    });
    return ok(null);
  }

  /**
   * Counts what the endpoint of a model said, and pauses the run if it refuses every question. Returns whether the
   * run rests for that: what was refused is then to be left undone.
   */
  pauseIfEndpointRefuses(asked: Asked): boolean {
    const now = this.standing;
    if (isOver(now.status)) return false;
    const { refusals, pause } = refusalsAndPauseAfterRequest(now.refusals, asked);
    if (refusals !== now.refusals)
      this.transaction(() => {
        const rests = pause !== null && now.status === 'running';
        this.standing = { ...now, refusals, ...(rests ? { status: 'paused', reason: pause } : {}) };
        if (rests) this.emit([{ type: 'run.paused', reason: pause }]);
      });
    return pause !== null;
  }

  /** Notes that work stays undone while an endpoint rests. Says so once, however much work waits for the same rest. */
  recordEndpointRest({ model, untilMs }: AwaitedRest): void {
    const now = this.standing;
    if (isOver(now.status) || untilMs <= (now.awaits?.untilMs ?? 0)) return;
    this.transaction(() => {
      this.standing = { ...now, awaits: { model, untilMs } };
      this.emit([{ type: 'run.waiting', model, until: new Date(untilMs).toISOString() }]);
    });
  }

  async resume(): Promise<Result<null>> {
    if (!this.exists) return this.#unknownRunRefusal();
    // Registered before it runs: a crash in between would leave it where nothing wakes it.
    if (this.standing.status === 'paused') await this.registerInDirectory();
    const now = this.standing;
    if (now.status === 'running') return ok(null);
    if (now.status !== 'paused') return this.#wrongStateRefusal();
    this.transaction(() => {
      this.standing = { ...now, status: 'running', reason: null, refusals: {}, driver: now.driver + 1 };
      this.#options.onNewDriver?.();
      this.emit([{ type: 'run.resumed' }]);
    });
    await this.registerAndStartDriverIfRunning();
    return ok(null);
  }

  async cancel(): Promise<Result<null>> {
    if (!this.exists) return this.#unknownRunRefusal();
    const { status } = this.standing;
    if (status === 'cancelled') return ok(null);
    if (isOver(status)) return this.#wrongStateRefusal();
    await this.end('cancelled', 'cancelled by its owner');
    return ok(null);
  }

  /** Starts a new driver if the run needs one and has been silent too long; `force` skips the check for silence. */
  async restartLostDriverOrReportEnd(force: boolean, longestStageMs: number): Promise<void> {
    if (!this.exists) return;
    const now = this.standing;
    if (isOver(now.status)) return this.#reportEndAndUnregister();
    if (now.status === 'paused') return this.unregisterUnlessResumed(() => this.standing.status === 'paused');
    if (!force && !this.hasLostDriver(longestStageMs)) return;
    this.#supersedeDriver(now);
    await this.registerAndStartDriverIfRunning();
  }

  /**
   * Returns whether there was no event for so long that the driver, whose stages are shorter, must have been lost. While
   * it waits for an endpoint it is as silent as it should be.
   */
  hasLostDriver(longestStageMs: number): boolean {
    const { quietMs } = this;
    const sinceRestMs = Date.now() - (this.standing.awaits?.untilMs ?? 0);
    return quietMs === null || Math.min(quietMs, sinceRestMs) >= Math.max(silentMs, 2 * longestStageMs);
  }

  /** Time since the run's last event; null before the first. */
  get quietMs(): number | null {
    const last = this.#log.findLastEventTime();
    return last === null ? null : Date.now() - Date.parse(last);
  }

  /** Starts the next driver, for a workflow instance that hands over; the same one for a repeated call. */
  async startNextDriver(driver: number): Promise<void> {
    const now = this.standing;
    if (now.status !== 'running' || now.driver > driver + 1) return;
    if (now.driver === driver) this.#supersedeDriver(now);
    await this.registerAndStartDriverIfRunning();
  }

  /** Ends a run that its driver cannot drive. */
  async failUnlessDriverMustStop(driver: number, reason: string): Promise<void> {
    if (this.findReasonToStopDriver(driver) === null) await this.end('failed', reason);
  }

  async end(status: RunStatus, reason: string): Promise<void> {
    const now = this.standing;
    if (isOver(now.status)) return;
    this.transaction(() => {
      this.standing = { ...now, status, reason, endedAt: new Date().toISOString() };
      this.emit([{ type: 'run.ended', status, reason }]);
    });
    await this.#reportEndAndUnregister();
  }

  /** In this order: a run that is over but still registered is woken, and reports again. */
  async #reportEndAndUnregister(): Promise<void> {
    await this.#options.reportEnd?.();
    await this.#getDirectory().removeRun(this.creation.id);
  }

  findReasonToStopDriver(driver: number): Stop | null {
    const now = this.standing;
    if (isOver(now.status)) return { kind: 'stop', why: 'over' };
    if (now.status === 'paused') return { kind: 'stop', why: 'paused' };
    return driver < now.driver ? { kind: 'stop', why: 'superseded' } : null;
  }

  emit(events: readonly EventBody[]): void {
    if (events.length === 0) return;
    this.#log.append(events, new Date().toISOString());
    this.#stream.notifyListeners();
  }

  /**
   * Returns the stream of events; those that `shows` rejects appear only with their numbers. The query's `after` is the
   * client's last event.
   */
  async makeEventStreamResponse(request: Request, shows: EventFilter = showsEveryEvent): Promise<Response> {
    if (!this.exists) return new Response(null, { status: 404 });
    return this.#stream.makeResponse(request, shows);
  }

  /** Registers the run as unended and starts the current driver, which may exist already. */
  async registerAndStartDriverIfRunning(): Promise<void> {
    const { id } = this.creation;
    const { status, driver } = this.standing;
    if (status !== 'running') return;
    await this.registerInDirectory();
    await this.#options.start(id, driver);
  }

  /** Registers the run as unended, so that it can be woken. */
  async registerInDirectory(): Promise<void> {
    await this.#getDirectory().addRun(this.creation.id, this.#options.kind, this.#options.workspace(this.creation));
  }

  /** Unregisters a run that waits for a person; continuing registers it again. */
  async unregisterUnlessResumed(rests: () => boolean): Promise<void> {
    await this.#getDirectory().removeRun(this.creation.id);
    // Somebody may have continued it meanwhile.
    if (!rests()) await this.registerInDirectory();
  }

  /**
   * Supersedes the current driver. The event is a sign of life too, so the new driver gets its time before it is
   * superseded.
   */
  #supersedeDriver(now: Standing): void {
    const driver = now.driver + 1;
    this.transaction(() => {
      this.standing = { ...now, driver };
      this.#options.onNewDriver?.();
      this.emit([{ type: 'run.driven', driver }]);
    });
  }

  #unknownRunRefusal() {
    return refuse('not-found', `there is no such ${this.#options.kind}`);
  }

  #wrongStateRefusal() {
    return refuse('wrong-state', `the ${this.#options.kind} is ${this.standing.status}`);
  }

  #getDirectory() {
    return this.#options.directory.getByName('directory');
  }
}
