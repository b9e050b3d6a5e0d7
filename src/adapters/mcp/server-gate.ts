import { extensionMs } from '#core/models/governor/governor.ts';
import type { Governor, Leave } from '#core/models/governor/port.ts';
import type { StatedLimits } from '#core/catalog/stated-limits.ts';
import { sleepUnlessAborted, waitBeforeRetryMsOrNull } from '#adapters/network/retry-after.ts';
import type { McpProblem } from './problems.ts';

/** What lets requests to a server with limits start. All that call the server share its governor. */
export interface ServerGate {
  readonly governor: Governor;
  readonly limits: StatedLimits;
}

/** Returns the gate of a server with limits. */
export const makeServerGate = (
  governors: (name: string) => Governor,
  { governor, ...limits }: StatedLimits & { readonly governor: string },
): ServerGate => ({ governor: governors(governor), limits });

/** How long one operation waits at most for a place within the limits, and as long as a busy server asks, in milliseconds. */
export const [longestPlaceWaitMs, longestAskedWaitMs] = [5 * 60_000, 2 * 60_000];

export interface Waiting {
  /** Without one the server has no limits. */
  readonly gate: ServerGate | undefined;
  /** How many HTTP requests the operation makes. */
  readonly requests: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
  /** The most that is waited in total, if that is less than the usual bounds. */
  readonly mostWaitMs?: number | undefined;
}

type Sent = { readonly ok: true } | { readonly ok: false; readonly problem: McpProblem };
interface Unsent {
  readonly ok: false;
  readonly problem: Extract<McpProblem, { readonly kind: 'fault' }>;
}

/**
 * Makes an operation within the limits of its server, and again where the server refused it with 429 or 503 and a time: such a
 * refusal is the answer to the request itself, so nothing was executed. `waitedMs` is what it waited for both, which is nobody's fault.
 */
export async function sendWithinLimitsAndRetryWhenBusy<T extends Sent>(
  waiting: Waiting,
  send: () => Promise<T>,
): Promise<{ readonly sent: T | Unsent; readonly waitedMs: number }> {
  const { gate, signal, mostWaitMs = Number.POSITIVE_INFINITY } = waiting;
  let [placeMs, askedMs] = [0, 0];
  for (let repeat = 1; ; repeat += 1) {
    const asked = Date.now();
    const lease = gate === undefined ? undefined : await waitForLeaseOrProblem(gate, waiting, placeMs + askedMs);
    placeMs += Date.now() - asked;
    if (typeof lease === 'object') return { sent: lease, waitedMs: placeMs + askedMs };
    const sent =
      gate === undefined || lease === undefined
        ? await send()
        : await sendExtendingAndReportingLease(gate, lease, send);
    const leftMs = Math.min(longestAskedWaitMs - askedMs, mostWaitMs - placeMs - askedMs);
    const waitMs = waitBeforeRetryMsOrNull(findRetryAfterMs(sent), repeat, leftMs);
    if (waitMs === null || isAborted(signal)) return { sent, waitedMs: placeMs + askedMs };
    const slept = Date.now();
    await sleepUnlessAborted(waitMs, signal);
    askedMs += Date.now() - slept;
    if (isAborted(signal)) return { sent: brokenOff, waitedMs: placeMs + askedMs };
  }
}

const brokenOff: Unsent = {
  ok: false,
  problem: { kind: 'fault', code: 'connection-lost', detail: 'the caller broke the call off' },
};

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true;

const findRetryAfterMs = (sent: Sent): number | undefined =>
  sent.ok || sent.problem.kind !== 'fault' ? undefined : sent.problem.retryAfterMs;

/** Returns a lease of the governor, or why there is none. */
async function waitForLeaseOrProblem(
  { governor, limits }: ServerGate,
  { requests, signal, mostWaitMs = longestPlaceWaitMs }: Waiting,
  waitedMs: number,
): Promise<string | Unsent> {
  const lease = crypto.randomUUID();
  const sinceMs = Date.now();
  const untilMs = sinceMs + Math.min(longestPlaceWaitMs, mostWaitMs - waitedMs);
  for (;;) {
    const asked = governor.askForLeave({ lease, tokens: 0, requests, limits, sinceMs });
    const leave = await awaitOrNullIfLateOrAborted(asked, untilMs, signal);
    if (leave === null) {
      returnLeaseThatComesLate(governor, lease, asked);
      return isAborted(signal) ? brokenOff : makeNoPlaceProblem(limits, Date.now() - sinceMs);
    }
    if (leave.kind === 'start') return lease;
    if (leave.isBroken) return makeRestingProblem(leave.untilMs);
    if (leave.untilMs > untilMs) return makeNoPlaceProblem(limits, Date.now() - sinceMs);
    await sleepUnlessAborted(leave.untilMs - Date.now(), signal);
    if (isAborted(signal)) return brokenOff;
  }
}

/** A place that nobody waits for any more is given back; if that fails, its lease ends by itself. */
function returnLeaseThatComesLate(governor: Governor, lease: string, asked: Promise<Leave>): void {
  void asked
    .then((leave) =>
      leave.kind === 'start'
        ? governor.reportRequestEnd({ lease, outcome: 'other', told: {} })
        : { isBusyForGood: false },
    )
    .catch(() => undefined);
}

/** Resolves with null if the time comes or the signal aborts first. */
async function awaitOrNullIfLateOrAborted<T>(
  work: Promise<T>,
  untilMs: number,
  signal: AbortSignal | undefined,
): Promise<T | null> {
  const ended = new AbortController();
  const signals = signal === undefined ? [ended.signal] : [ended.signal, signal];
  const late = sleepUnlessAborted(Math.max(0, untilMs - Date.now()), AbortSignal.any(signals)).then(() => null);
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
  }
}

function makeNoPlaceProblem({ concurrency, perMinute }: StatedLimits, waitedMs: number): Unsent {
  const parts = [
    ...(concurrency === undefined ? [] : [`${concurrency} at once`]),
    ...(perMinute === undefined ? [] : [`${perMinute} a minute`]),
  ];
  const detail = `no place within the limits of the server (${parts.join(', ')}) after ${Math.round(waitedMs / 1_000)} seconds`;
  return { ok: false, problem: { kind: 'fault', code: 'rate-limited', detail } };
}

function makeRestingProblem(untilMs: number): Unsent {
  const then =
    untilMs > Date.now() ? `left alone until ${new Date(untilMs).toISOString()}` : 'tried by another request just now';
  const detail = `the server answered nothing several times in a row and is ${then}`;
  return { ok: false, problem: { kind: 'fault', code: 'unreachable', detail } };
}

/** Sends while the lease is extended, and tells the governor how it ended. An error of the platform leaves the lease to end by itself. */
async function sendExtendingAndReportingLease<T extends Sent>(
  { governor }: ServerGate,
  lease: string,
  send: () => Promise<T>,
): Promise<T> {
  const extend = (): void => void governor.extendLease(lease).catch(() => undefined);
  const extending = setInterval(extend, extensionMs);
  try {
    const sent = await send();
    const pauseMs = findRetryAfterMs(sent);
    await governor.reportRequestEnd({
      lease,
      outcome: outcomeForGovernor(sent),
      told: pauseMs === undefined ? {} : { pauseMs },
    });
    return sent;
  } finally {
    clearInterval(extending);
  }
}

function outcomeForGovernor(sent: Sent): 'answered' | 'busy' | 'lost' | 'other' {
  if (sent.ok || sent.problem.kind !== 'fault') return 'answered';
  const { code, retryAfterMs, status } = sent.problem;
  if (code === 'rate-limited' || retryAfterMs !== undefined) return 'busy';
  if (code === 'unreachable' || code === 'timeout') return 'lost';
  return status === undefined ? 'other' : 'answered';
}
