import { extensionMs } from '#core/models/governor/governor.ts';
import type { Governor } from '#core/models/governor/port.ts';
import { findWaitMsInMessage, parseToldLimits, parseWaitMs } from '#core/models/governor/rate-limits.ts';
import type { ChatMessage } from '#core/ports.ts';
import type { ModelRole } from '#core/models/model-call.ts';
import { parseRetryAfterMs } from '#core/values/retry-after.ts';
import type { Broken } from './send-request.ts';

/**
 * The endpoint of a model rests for so long that the work ends here: it stays undone, and is started again then. This says
 * nothing about the work, so no layer turns it into a fault.
 */
export class EndpointRests extends Error {
  readonly role: ModelRole;
  readonly model: string;
  readonly untilMs: number;

  constructor(role: ModelRole, model: string, untilMs: number) {
    super(`the endpoint of ${model} takes no requests until ${new Date(untilMs).toISOString()}`);
    this.name = 'EndpointRests';
    this.role = role;
    this.model = model;
    this.untilMs = untilMs;
  }
}

/** How long work waits in place for an endpoint that rests, in milliseconds. */
export const patience = {
  /** Longer than the governor keeps a call waiting; nothing is lost by starting again. */
  ofQuestionsMs: 20_000,
  /** A conversation and its servers' sessions would be lost, with what they cost. */
  ofConversationsMs: 5 * 60_000,
};

/** Returns how long a request waits in place: a conversation that has begun longer than its first request. */
export const queuePatienceMs = (messages: readonly ChatMessage[]): number =>
  messages.some(({ role }) => role === 'assistant') ? patience.ofConversationsMs : patience.ofQuestionsMs;

/** What requests of a model need to be governed. */
export interface Governed {
  readonly governor: Governor;
  readonly role: ModelRole;
  readonly model: string;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** A request as its governor sees it. */
interface GovernedRequest {
  /** What it takes at most, by an estimate. */
  readonly tokens: number;
  readonly patienceMs: number;
}

/**
 * Makes a request with leave of the governor of its endpoint, and again as often as the endpoint is too busy for it. Throws
 * EndpointRests if that would take longer than the request has patience.
 */
export async function sendWhenGovernorAllowsUntilNotBusy<
  Made extends { readonly ok: true; readonly headers?: Headers | undefined } | Broken,
>(
  governed: Governed,
  request: GovernedRequest,
  send: () => Promise<Made>,
): Promise<{ readonly made: Made; readonly refusals: number }> {
  const sinceMs = governed.now();
  for (let refusals = 0; ; refusals += 1) {
    const lease = await waitForLease(governed, { ...request, sinceMs });
    const made = await sendExtendingLease(governed.governor, lease, send);
    const { isBusy, isBusyForGood } = await reportEndOfLease(governed, lease, made);
    if (!isBusy || isBusyForGood) return { made, refusals };
  }
}

/** Waits until the governor lets a request start, and returns its lease. Throws EndpointRests if that takes longer than its patience. */
export async function waitForLease(
  { governor, role, model, now, sleep }: Governed,
  { tokens, patienceMs, sinceMs }: GovernedRequest & { readonly sinceMs: number },
): Promise<string> {
  const lease = crypto.randomUUID();
  for (;;) {
    const leave = await governor.askForLeave({ lease, tokens, sinceMs });
    if (leave.kind === 'start') return lease;
    const waitMs = leave.untilMs - now();
    if (waitMs > patienceMs) throw new EndpointRests(role, model, leave.untilMs);
    await sleep(Math.max(0, waitMs));
  }
}

/** Tells the governor what became of a request. */
export async function reportEndOfLease(
  { governor, now }: Pick<Governed, 'governor' | 'now'>,
  lease: string,
  made: { readonly ok: true; readonly headers?: Headers | undefined } | Broken,
): Promise<{ readonly isBusy: boolean; readonly isBusyForGood: boolean }> {
  const askedMs = made.ok ? undefined : findAskedWaitMs(made, now());
  const isBusy = !made.ok && isTooBusy(made, askedMs);
  const told = parseToldLimits((name) => made.headers?.get(name) ?? null, isBusy ? askedMs : undefined, now());
  const outcome = made.ok ? 'answered' : isBusy ? 'busy' : 'other';
  const { isBusyForGood } = await governor.reportRequestEnd({ lease, outcome, told });
  return { isBusy, isBusyForGood };
}

/** Sends a request while its lease is extended. An error of the platform leaves the lease to end by itself. */
async function sendExtendingLease<Made>(governor: Governor, lease: string, send: () => Promise<Made>): Promise<Made> {
  const stopExtending = keepExtendingLease(governor, lease);
  try {
    return await send();
  } finally {
    stopExtending();
  }
}

/** Says again and again that a request is under way, until the returned function is called. */
export function keepExtendingLease(governor: Governor, lease: string): () => void {
  // A lease that could not be extended ends too early, which lets one request more start.
  const extend = (): void => void governor.extendLease(lease).catch(() => undefined);
  const extending = setInterval(extend, extensionMs);
  return () => clearInterval(extending);
}

/** An endpoint that gives no time with status 503 may be down, and is asked again as after any other failure. */
const isTooBusy = ({ code, status }: Broken, askedMs: number | undefined): boolean =>
  code === 'rate-limited' || status === 529 || (status === 503 && askedMs !== undefined);

/** Returns how long a refusal asks to wait: in its headers, in Gemini's RetryInfo, or in words. */
const findAskedWaitMs = ({ headers, said }: Broken, nowMs: number): number | undefined =>
  parseRetryAfterMs(headers, nowMs) ?? parseWaitMs(said?.retryDelay, nowMs) ?? findWaitMsInMessage(said?.message ?? '');
