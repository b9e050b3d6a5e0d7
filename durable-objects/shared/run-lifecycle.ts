import { z } from 'zod';
import { refuse } from '#core/errors.ts';
import { ok, type Result } from '#core/result.ts';
import type { EventBody } from '#core/events.ts';
import { isOver, runStatus, type RunKind, type RunStatus } from '#core/runs.ts';
import type { Directory } from '#durable-objects/directory/directory.ts';
import { EventLog } from './event-log.ts';
import { EventStream, type LoggedEvent } from './event-stream.ts';
import { Facts } from './facts.ts';
import type { RpcOf } from './rpc.ts';

/** What every run's standing holds. */
export const runStanding = z.object({
  status: runStatus,
  /** Why it ended; null until then. */
  reason: z.string().nullable(),
  /** The number of the workflow instance that may drive the run; an older one is told to stop. */
  driver: z.number(),
  endedAt: z.string().nullable(),
});
export type RunStanding = z.infer<typeof runStanding>;

/** How a run stands when it is born. */
export const newborn: RunStanding = { status: 'running', reason: null, driver: 1, endedAt: null };

/** Why a driver has nothing more to do. */
export interface Stop {
  readonly kind: 'stop';
  readonly why: 'over' | 'paused' | 'superseded' | 'nothing-left';
}

/** A run that shows no sign of life for so long has lost its driver. */
const silentMs = 10 * 60_000;

/** Where runs that have not ended are kept, to be woken. */
type OpenRuns = RpcOf<Directory, 'runStarted' | 'runEnded'>;

interface Options<Birth, Standing> {
  readonly kind: RunKind;
  readonly storage: DurableObjectStorage;
  /** Ends the names of its tables where the object holds more than one run. */
  readonly tables?: `_${string}`;
  /** How the run was born; never changes. */
  readonly birth: z.ZodType<Birth>;
  readonly standing: z.ZodType<Standing>;
  readonly directory: { getByName(name: string): OpenRuns };
  /** The workspace that may wake the run. */
  readonly workspace: (birth: Birth) => string;
  /** Starts the workflow instance with this number, which may be there already. */
  readonly start: (id: string, driver: number) => Promise<void>;
  /** Tells whoever waits for the run that it is over; comes again until it succeeded. */
  readonly ended?: () => Promise<void>;
  /** What a new driver changes beside the standing, in the same transaction. */
  readonly driven?: () => void;
}

/**
 * The life of a run, whatever its kind: born, driven by numbered workflow instances, paused, resumed, ended; with its events. Every
 * change and its events are one transaction, and repeating a call changes nothing. The object that holds it is the only
 * writer, so what was read once is kept.
 */
export class RunLifecycle<Birth extends { readonly id: string }, Standing extends RunStanding> {
  readonly #options: Options<Birth, Standing>;
  readonly #facts: Facts;
  readonly #log: EventLog;
  readonly #stream: EventStream;
  #birth: Birth | null = null;
  #standing: Standing | null = null;

  constructor(options: Options<Birth, Standing>) {
    this.#options = options;
    const { sql } = options.storage;
    const suffix = options.tables ?? '';
    this.#facts = new Facts(sql, `facts${suffix}`);
    this.#log = new EventLog(sql, `events${suffix}`);
    this.#stream = new EventStream({
      events: (after, limit) => this.#log.read(after, limit),
      isComplete: () => isOver(this.standing.status),
    });
  }

  /** Rows that records and events have taken since this object was made. */
  get rowsWritten(): number {
    return this.#facts.rowsWritten + this.#log.rowsWritten;
  }

  get exists(): boolean {
    this.#birth ??= this.#facts.read('birth', this.#options.birth);
    return this.#birth !== null;
  }

  get birth(): Birth {
    if (!this.exists || this.#birth === null) throw new Error(`the ${this.#options.kind} has not been created`);
    return this.#birth;
  }

  get standing(): Standing {
    this.#standing ??= this.#facts.read('standing', this.#options.standing);
    if (this.#standing === null) throw new Error(`the ${this.#options.kind} has not been created`);
    return this.#standing;
  }

  /** Changes how the run was born, where something of it is to be forgotten. */
  set birth(value: Birth) {
    this.#facts.write('birth', value);
    this.#birth = value;
  }

  /** Inside a `transaction` that also does whatever the new standing says. */
  set standing(value: Standing) {
    this.#facts.write('standing', value);
    this.#standing = value;
  }

  /** Makes changes together or not at all; after a failure, what is stored is read again. */
  transaction(change: () => void): void {
    try {
      this.#options.storage.transactionSync(change);
    } catch (error) {
      this.#standing = null;
      throw error;
    }
  }

  /** Gives birth to the run unless it exists, with whatever else `write` stores, and starts its driver. */
  async beBorn(birth: Birth, standing: Standing, write: () => void): Promise<void> {
    if (!this.exists) {
      // Before the birth: whoever asks again after a crash in between finds the run born and starts nothing, and nothing else would.
      await this.#directory().runStarted(birth.id, this.#options.kind, this.#options.workspace(birth));
    }
    if (!this.exists) {
      this.transaction(() => {
        this.#facts.write('birth', birth);
        this.standing = standing;
        this.tell([{ type: 'run.created' }]);
        write();
      });
    }
    await this.begin();
  }

  /** What a caller learns of a run that may not exist. */
  shown<T>(read: () => T): Result<T> {
    return this.exists ? ok(read()) : refuse('not-found', `there is no such ${this.#options.kind}`);
  }

  pause(): Result<null> {
    if (!this.exists) return this.#unborn();
    const now = this.standing;
    if (now.status === 'paused') return ok(null);
    if (now.status !== 'running') return this.#wrongState();
    this.transaction(() => {
      this.standing = { ...now, status: 'paused' };
      this.tell([{ type: 'run.paused' }]);
    });
    return ok(null);
  }

  async resume(): Promise<Result<null>> {
    if (!this.exists) return this.#unborn();
    // Before it runs: a crash in between would leave it where nothing wakes it.
    if (this.standing.status === 'paused') await this.enter();
    const now = this.standing;
    if (now.status === 'running') return ok(null);
    if (now.status !== 'paused') return this.#wrongState();
    this.transaction(() => {
      this.standing = { ...now, status: 'running', driver: now.driver + 1 };
      this.#options.driven?.();
      this.tell([{ type: 'run.resumed' }]);
    });
    await this.begin();
    return ok(null);
  }

  async cancel(): Promise<Result<null>> {
    if (!this.exists) return this.#unborn();
    const { status } = this.standing;
    if (status === 'cancelled') return ok(null);
    if (isOver(status)) return this.#wrongState();
    await this.end('cancelled', 'cancelled by its owner');
    return ok(null);
  }

  /** Gives the run a new driver if it should be driven and has been silent, or whatever it has been where `force` says so. */
  async wake(force: boolean, longestStageMs: number): Promise<void> {
    if (!this.exists) return;
    const now = this.standing;
    if (isOver(now.status)) return this.#leave();
    if (now.status === 'paused') return this.rest(() => this.standing.status === 'paused');
    if (!force && !this.isSilentFor(longestStageMs)) return;
    this.#driveAnew(now);
    await this.begin();
  }

  /** Whether nothing was told for so long that a driver, whose stages take so long at most, must have been lost. */
  isSilentFor(longestStageMs: number): boolean {
    const { quietMs } = this;
    return quietMs === null || quietMs >= Math.max(silentMs, 2 * longestStageMs);
  }

  /** How long ago the run last told anything; null before it did. */
  get quietMs(): number | null {
    const last = this.#log.lastAt();
    return last === null ? null : Date.now() - Date.parse(last);
  }

  /** The next driver, for a workflow instance that hands over; the same one when asked again. */
  async handOver(driver: number): Promise<void> {
    const now = this.standing;
    if (now.status !== 'running' || now.driver > driver + 1) return;
    if (now.driver === driver) this.#driveAnew(now);
    await this.begin();
  }

  /** Ends a run that its driver cannot drive. */
  async fail(driver: number, reason: string): Promise<void> {
    if (this.stopFor(driver) === null) await this.end('failed', reason);
  }

  async end(status: RunStatus, reason: string): Promise<void> {
    const now = this.standing;
    if (isOver(now.status)) return;
    this.transaction(() => {
      this.standing = { ...now, status, reason, endedAt: new Date().toISOString() };
      this.tell([{ type: 'run.ended', status, reason }]);
    });
    await this.#leave();
  }

  /** In this order: a run that is over but still in the directory is woken, and tells again. */
  async #leave(): Promise<void> {
    await this.#options.ended?.();
    await this.#directory().runEnded(this.birth.id);
  }

  stopFor(driver: number): Stop | null {
    const now = this.standing;
    if (isOver(now.status)) return { kind: 'stop', why: 'over' };
    if (now.status === 'paused') return { kind: 'stop', why: 'paused' };
    return driver < now.driver ? { kind: 'stop', why: 'superseded' } : null;
  }

  tell(events: readonly EventBody[]): void {
    if (events.length === 0) return;
    this.#log.append(events, new Date().toISOString());
    this.#stream.wake();
  }

  /** The stream of those events that `shows` lets pass; the query's `after` is the last event that the client has. */
  follow(request: Request, shows: (event: LoggedEvent) => boolean = () => true): Response {
    if (!this.exists) return new Response(null, { status: 404 });
    const after = Number(new URL(request.url).searchParams.get('after') ?? '0');
    return this.#stream.response(after, request.signal, shows);
  }

  /** Enters the run where unended runs are kept and starts the present driver, which may be there already. */
  async begin(): Promise<void> {
    const { id } = this.birth;
    const { status, driver } = this.standing;
    if (status !== 'running') return;
    await this.enter();
    await this.#options.start(id, driver);
  }

  /** Enters the run where unended runs are kept, to be woken. */
  async enter(): Promise<void> {
    await this.#directory().runStarted(this.birth.id, this.#options.kind, this.#options.workspace(this.birth));
  }

  /** Takes a run that waits for a person out of those that are woken; whoever goes on with it enters it again. */
  async rest(rests: () => boolean): Promise<void> {
    await this.#directory().runEnded(this.birth.id);
    // Somebody may have gone on with it meanwhile.
    if (!rests()) await this.enter();
  }

  /** Supersedes the present driver. The event is a sign of life too: the new one gets its time before it is superseded in turn. */
  #driveAnew(now: Standing): void {
    const driver = now.driver + 1;
    this.transaction(() => {
      this.standing = { ...now, driver };
      this.#options.driven?.();
      this.tell([{ type: 'run.driven', driver }]);
    });
  }

  #unborn() {
    return refuse('not-found', `there is no such ${this.#options.kind}`);
  }

  #wrongState() {
    return refuse('wrong-state', `the ${this.#options.kind} is ${this.standing.status}`);
  }

  #directory() {
    return this.#options.directory.getByName('directory');
  }
}
