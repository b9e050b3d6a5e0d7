import {
  decideWhichWaitingStart,
  describeGovernor,
  stateAfterRequestEnd,
  stateAfterLeaseExtension,
  isBusyForGood,
  type EndedRequest,
  type GovernorStanding,
  type GovernorState,
  type WaitingRequest,
} from '#core/models/governor/governor.ts';
import type { Governor, Leave } from '#core/models/governor/port.ts';

/** The longest that a call waits for leave. A caller that has to wait until now asks again, and keeps its turn. */
const longestCallMs = 20_000;

interface WaitingCall {
  readonly request: WaitingRequest;
  readonly resolve: (leave: Leave) => void;
  readonly endsMs: number;
}

/** The calls that wait for leave of one governor, and its state, which is stored with every change. */
export class WaitingCalls implements Governor {
  readonly #store: (state: GovernorState) => void;
  #state: GovernorState;
  #calls: readonly WaitingCall[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(state: GovernorState, store: (state: GovernorState) => void) {
    this.#state = state;
    this.#store = store;
  }

  askForLeave(request: WaitingRequest): Promise<Leave> {
    return new Promise((resolve) => {
      this.#calls = [...this.#calls, { request, resolve, endsMs: Date.now() + longestCallMs }];
      this.#admitWaitingCalls();
    });
  }

  async extendLease(lease: string): Promise<void> {
    this.#setAndStoreState(stateAfterLeaseExtension(this.#state, lease, Date.now()));
  }

  async reportRequestEnd(request: EndedRequest): Promise<{ readonly isBusyForGood: boolean }> {
    const nowMs = Date.now();
    this.#setAndStoreState(stateAfterRequestEnd(this.#state, request, nowMs));
    this.#admitWaitingCalls();
    return { isBusyForGood: isBusyForGood(this.#state, nowMs) };
  }

  async describeGovernorStanding(): Promise<GovernorStanding> {
    return describeGovernor(this.#state, Date.now());
  }

  #admitWaitingCalls(): void {
    clearTimeout(this.#timer);
    const nowMs = Date.now();
    const waiting = this.#calls.map(({ request }) => request);
    const { state, started, nextMs, restsUntilMs, isBroken } = decideWhichWaitingStart(this.#state, waiting, nowMs);
    if (started.length > 0) this.#setAndStoreState(state);
    const isLong = restsUntilMs - nowMs > longestCallMs;
    const leaveOf = ({ request, endsMs }: WaitingCall): Leave | null => {
      if (started.includes(request.lease)) return { kind: 'start' };
      if (!isBroken && !isLong && endsMs > nowMs) return null;
      return { kind: 'rest', untilMs: Math.max(nowMs, restsUntilMs), isBroken };
    };
    this.#calls = this.#calls.filter((call) => {
      const leave = leaveOf(call);
      if (leave !== null) call.resolve(leave);
      return leave === null;
    });
    if (this.#calls.length === 0) return;
    const wakeMs = Math.min(nextMs ?? Number.POSITIVE_INFINITY, ...this.#calls.map(({ endsMs }) => endsMs));
    this.#timer = setTimeout(() => this.#admitWaitingCalls(), Math.max(1, wakeMs - nowMs));
  }

  #setAndStoreState(state: GovernorState): void {
    this.#state = state;
    this.#store(state);
  }
}
