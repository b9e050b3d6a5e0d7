import { DurableObject } from 'cloudflare:workers';
import {
  governorState,
  isWorthStoringAtOnce,
  newGovernor,
  type EndedRequest,
  type GovernorStanding,
  type GovernorState,
  type WaitingRequest,
} from '#core/models/governor/governor.ts';
import type { Governor, Leave } from '#core/models/governor/port.ts';
import { WaitingCalls } from './waiting-calls.ts';

/** What an endpoint said of its limits no longer matters after this. */
const forgottenAfterMs = 24 * 3_600_000;

/**
 * The other changes are stored together after this. The platform evicts an object that nobody calls for ten seconds, and answers take
 * longer, so it must be less.
 */
const storedAfterMs = 1_000;

/**
 * Governs the requests to one endpoint: all that share its limits ask here before each request and report after it. Waiting
 * calls are only in memory: their callers ask again if the object is reset. What an endpoint said is stored at once; starts
 * and ends of requests within a second, so that a reset may let as many start again as had started in it.
 */
export class EndpointGovernor extends DurableObject implements Governor {
  // One value under one key: nothing of it is ever asked for by itself.
  readonly #storage: DurableObjectStorage;
  #calls: WaitingCalls;
  #lastStartMs: number;
  #latest: GovernorState;
  /** Runs while changes are not stored. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#storage = state.storage;
    // What another release stored in another form is learnt again.
    const stored = governorState.safeParse(state.storage.kv.get('state')).data ?? newGovernor;
    this.#lastStartMs = stored.lastStartMs;
    this.#latest = stored;
    this.#calls = new WaitingCalls(stored, (changed) => this.#storeSoon(changed));
  }

  askForLeave(request: WaitingRequest): Promise<Leave> {
    return this.#calls.askForLeave(request);
  }

  extendLease(lease: string): Promise<void> {
    return this.#calls.extendLease(lease);
  }

  reportRequestEnd(request: EndedRequest): Promise<{ readonly isBusyForGood: boolean }> {
    return this.#calls.reportRequestEnd(request);
  }

  describe(): Promise<GovernorStanding> {
    return this.#calls.describeGovernorStanding();
  }

  /** Forgets an endpoint that nobody has asked for a day. */
  override async alarm(): Promise<void> {
    const forgottenMs = this.#lastStartMs + forgottenAfterMs;
    if (Date.now() < forgottenMs) return this.#storage.setAlarm(forgottenMs);
    this.#lastStartMs = 0;
    this.#latest = newGovernor;
    this.#calls = new WaitingCalls(newGovernor, (changed) => this.#storeSoon(changed));
    await this.#storage.deleteAll();
  }

  #storeSoon(state: GovernorState): void {
    // The first request after it was forgotten; from then on the alarm keeps itself.
    if (this.#lastStartMs === 0) void this.#storage.setAlarm(Date.now() + forgottenAfterMs);
    this.#lastStartMs = state.lastStartMs;
    const isUrgent = isWorthStoringAtOnce(this.#latest, state);
    this.#latest = state;
    if (isUrgent) this.#store();
    else this.#timer ??= setTimeout(() => this.#store(), storedAfterMs);
  }

  #store(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#storage.kv.put('state', this.#latest);
  }
}
