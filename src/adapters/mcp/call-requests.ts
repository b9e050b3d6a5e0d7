import { ProtocolError, ProtocolErrorCode, type Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Admission, Place } from '#adapters/network/admission.ts';
import { sleepUnlessAborted } from '#adapters/network/retry-after.ts';
import type { InfrastructureFault } from '#core/models/faults.ts';
import { isTooDeep, maxJsonDepth } from '#core/values/json-depth.ts';
import { err, type Result } from '#core/values/result.ts';
import type { ServerReply } from '#core/catalog/server-reply.ts';
import type { ElicitationResult } from '#core/models/simulated-user/user.ts';
import { findLegacyTask, readModernTask, type ServerTask } from '#core/traces/tasks/server-task.ts';
import { tooDeepResultText, tooLargeResultText } from '#core/traces/spoilt-call.ts';
import { toMcpProblemOrRethrowPlatformError, type McpProblem } from './problems.ts';
import type { CallUser, Unanswered } from './call-user.ts';
import type { ForwardOptions } from './server-connections.ts';
import { sendWithinLimitsAndRetryWhenBusy, type ServerGate } from './server-gate.ts';
import { StartedTask } from './transport.ts';

export type CallRequestOptions = Omit<ForwardOptions, 'onProgress' | 'traceparent'> & {
  readonly onProgress?: ForwardOptions['onProgress'];
  /** Who answers what the server asks its user. */
  readonly user: CallUser;
  readonly maxBytes: number;
  readonly admission: Admission;
  /** What lets requests to a server with limits start. */
  readonly gate?: ServerGate | undefined;
  /** Aborted when nothing that still waits for its turn may start. */
  readonly closed?: AbortSignal;
};

interface Request {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

export type CallFault = Extract<McpProblem, { readonly kind: 'fault' }> & {
  /** Set if the server did nothing wrong: the model that plays its user could not be reached. */
  readonly ofUser?: InfrastructureFault;
};

/** What a server answered to a request of a call: a reply, a task that it began, or what it asks its user before it answers. */
export type CallAnswer =
  | { readonly ok: true; readonly kind: 'reply'; readonly reply: ServerReply }
  | { readonly ok: true; readonly kind: 'task'; readonly task: ServerTask }
  | { readonly ok: true; readonly kind: 'asks'; readonly asks: InputRequired }
  | { readonly ok: false; readonly problem: CallFault };

const inputRequired = z.object({
  resultType: z.literal('input_required'),
  inputRequests: z.record(z.string(), z.unknown()).default({}),
  requestState: z.string().optional(),
});
export type InputRequired = z.infer<typeof inputRequired>;

/** Any result of a server; the parts that we read are checked later. */
const anyResult = z.record(z.string(), z.unknown());

/**
 * The requests that one call makes, one after the other, within its time. Each waits for a place within the limits of its server and
 * among the requests under way; none of that counts as the call's time.
 */
export class CallRequests {
  readonly #client: Client;
  readonly #options: CallRequestOptions;
  readonly #waiting: AbortSignal | undefined;
  #queuedMs = 0;
  #spentMs = 0;

  constructor(client: Client, options: CallRequestOptions) {
    this.#client = client;
    this.#options = options;
    const signals = [options.signal, options.closed].filter((each) => each !== undefined);
    this.#waiting = signals.length === 0 ? undefined : AbortSignal.any(signals);
  }

  get isModern(): boolean {
    return this.#client.getProtocolEra() === 'modern';
  }

  /** How long all requests waited for their turns. */
  get queuedMs(): number {
    return this.#queuedMs;
  }

  /** What is left of the call's time. */
  get leftMs(): number {
    return this.#options.timeoutMs - this.#spentMs;
  }

  /** Whether nobody waits for the call any more. */
  get isBrokenOff(): boolean {
    return this.#waiting?.aborted === true;
  }

  /** Waits within the call's time, and returns early if nobody waits for the call any more. */
  async waitWithinCallTime(ms: number): Promise<void> {
    const begun = Date.now();
    await sleepUnlessAborted(ms, this.#waiting);
    this.#spentMs += Date.now() - begun;
  }

  /** Answers a round of questions of the server; the user takes none of the call's time. */
  async askUser(
    questions: Readonly<Record<string, unknown>>,
  ): Promise<Result<Record<string, ElicitationResult>, CallFault>> {
    const { user } = this.#options;
    const before = user.thoughtMs(Date.now());
    const answered = await user.answerRound(questions);
    this.#queuedMs += user.thoughtMs(Date.now()) - before;
    return answered.ok ? answered : err(makeUnansweredFault(answered.problem));
  }

  /** Makes a request in what is left of the call's time. */
  async send(
    request: Request,
    more: Pick<ForwardOptions, 'onProgress'> & { readonly headers?: Readonly<Record<string, string>> | undefined } = {},
  ): Promise<CallAnswer> {
    const { gate, mostWaitMs, admission } = this.#options;
    const { sent, waitedMs } = await sendWithinLimitsAndRetryWhenBusy(
      { gate, requests: 1, signal: this.#waiting, mostWaitMs },
      async () => {
        const { user } = this.#options;
        const [begun, thought] = [Date.now(), user.thoughtMs(Date.now())];
        const timeoutMs = Math.max(1, this.leftMs);
        const sent = await this.#sendWithoutRetry(request, { ...more, timeoutMs, admission });
        const { queuedMs: waitedMs, ...answer } = sent;
        const queuedMs = waitedMs + user.thoughtMs(Date.now()) - thought;
        this.#queuedMs += queuedMs;
        this.#spentMs += Date.now() - begun - queuedMs;
        return answer;
      },
    );
    this.#queuedMs += waitedMs;
    return sent;
  }

  /** Makes a request whose answer nobody waits for, such as a cancellation, within `timeoutMs` in total. */
  async sendIgnoringAnswer(request: Request, timeoutMs: number): Promise<void> {
    const { gate, admission } = this.#options;
    const signal = AbortSignal.timeout(timeoutMs);
    await sendWithinLimitsAndRetryWhenBusy({ gate, requests: 1, signal, mostWaitMs: timeoutMs }, async () => {
      const { queuedMs: _waited, ...answer } = await this.#sendWithoutRetry(request, { timeoutMs, admission, signal });
      return answer;
    });
  }

  async #sendWithoutRetry(
    request: Request,
    options: Pick<CallRequestOptions, 'timeoutMs' | 'admission' | 'onProgress' | 'signal'> & {
      readonly headers?: Readonly<Record<string, string>> | undefined;
    },
  ): Promise<CallAnswer & { readonly queuedMs: number }> {
    const { onProgress, admission, headers = {}, timeoutMs, signal = this.#options.signal } = options;
    // The SDK never stops listening: a signal that outlives the call would cancel a call that was answered long ago.
    const brokenOff = new AbortController();
    const breakOff = (): void => brokenOff.abort();
    const time = new CallTime(timeoutMs, this.#options.user, breakOff);
    if (signal?.aborted === true) breakOff();
    signal?.addEventListener('abort', breakOff);
    let place: Place | undefined;
    try {
      place = await admission.waitForPlace(brokenOff.signal);
      const { queuedMs } = place;
      time.start();
      const result = await this.#client.request(request, anyResult, {
        // Ours ends first; it stands still while the user answers.
        timeout: longestTimeoutMs,
        allowInputRequired: true,
        signal: brokenOff.signal,
        headers,
        ...(onProgress === undefined ? {} : { onprogress: onProgress }),
      });
      return { ...this.#readResult(result), queuedMs };
    } catch (error) {
      const queuedMs = place?.queuedMs ?? 0;
      const answer = this.#readError(error);
      if (answer.ok || !brokenOff.signal.aborted) return { ...answer, queuedMs };
      return { ok: false, problem: time.isOver ? lateProblem : brokenOffProblem, queuedMs };
    } finally {
      time.stop();
      place?.leave();
      signal?.removeEventListener('abort', breakOff);
    }
  }

  #readResult(result: Record<string, unknown>): CallAnswer {
    if (isTooDeep(result)) return makeErrorInPlaceOfReply(tooDeepResultText(maxJsonDepth));
    const asks = this.isModern ? inputRequired.safeParse(result).data : undefined;
    if (asks !== undefined) return { ok: true, kind: 'asks', asks };
    const task = this.isModern ? undefined : findLegacyTask(result);
    return task === undefined
      ? { ok: true, kind: 'reply', reply: { kind: 'result', result } }
      : { ok: true, kind: 'task', task };
  }

  #readError(error: unknown): CallAnswer {
    if (error instanceof ProtocolError && error.data instanceof StartedTask) {
      const task = this.isModern ? readModernTask(error.data.result) : undefined;
      return task === undefined ? { ok: false, problem: strangeTask } : { ok: true, kind: 'task', task };
    }
    const problem = toMcpProblemOrRethrowPlatformError(error);
    if (problem.kind === 'too-large') return makeErrorInPlaceOfReply(tooLargeResultText(this.#options.maxBytes));
    if (problem.kind === 'fault') return { ok: false, problem };
    const { kind: _answer, data, ...said } = problem;
    const answered = data === undefined || isTooDeep(data) ? said : { ...said, data };
    return { ok: true, kind: 'reply', reply: { kind: 'error', error: answered } };
  }
}

/** The time of one request, which stands still while the user of its call answers. */
class CallTime {
  readonly #ms: number;
  readonly #user: CallUser;
  readonly #onEnd: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(ms: number, user: CallUser, onEnd: () => void) {
    this.#ms = ms;
    this.#user = user;
    this.#onEnd = onEnd;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  start(): void {
    const begun = Date.now();
    const thought = this.#user.thoughtMs(begun);
    const endOrWait = (): void => {
      const now = Date.now();
      const leftMs = begun + this.#ms + this.#user.thoughtMs(now) - thought - now;
      if (leftMs > 0) this.#timer = setTimeout(endOrWait, leftMs);
      else {
        this.#isOver = true;
        this.#onEnd();
      }
    };
    this.#timer = setTimeout(endOrWait, this.#ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** The most that setTimeout takes. */
const longestTimeoutMs = 2 ** 31 - 1;

const lateProblem: CallFault = { kind: 'fault', code: 'timeout', detail: 'no answer in time' };

export const makeUnansweredFault = (why: Unanswered): CallFault =>
  why.kind === 'unreachable'
    ? { kind: 'fault', code: why.fault.code, detail: why.fault.detail, ofUser: why.fault }
    : { kind: 'fault', code: 'malformed-protocol', detail: 'the server asks its client for what it has not offered' };

export const brokenOffProblem: CallFault = {
  kind: 'fault',
  code: 'connection-lost',
  detail: 'the caller broke the call off',
};

export const strangeTask: CallFault = {
  kind: 'fault',
  code: 'malformed-protocol',
  detail: 'the task is not of the form that its revision of MCP demands',
};

const makeErrorInPlaceOfReply = (message: string): CallAnswer => ({
  ok: true,
  kind: 'reply',
  reply: { kind: 'error', error: { code: ProtocolErrorCode.InternalError, message } },
});
