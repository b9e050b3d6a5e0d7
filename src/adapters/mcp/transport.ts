import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  ProtocolErrorCode,
  StreamableHTTPClientTransport,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { CancelledNotificationSchema } from '@modelcontextprotocol/core';
import { z, ZodError } from 'zod';
import { findPlatformError, type PlatformError } from '#adapters/network/platform-errors.ts';
import { findGuardError, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import { parseRetryAfterMs } from '#core/values/retry-after.ts';
import { parseChallengeOrNull, type Challenge } from './oauth/challenge.ts';
import { userAgent } from '#adapters/network/implementation.ts';
import { messageWithRequestIdsShiftedBack, messageWithShiftedRequestIds } from './request-ids.ts';

/** Keeps an error answer of the server as it is, in the `data` of the SDK's ProtocolError, which would drop what it does not know. */
export class ServerAnswer {
  readonly error: JSONRPCErrorResponse['error'];

  constructor(error: JSONRPCErrorResponse['error']) {
    this.error = error;
  }
}

/** Marks an error that this transport created because the connection broke, in the `data` of the SDK's ProtocolError. */
export class BrokenConnection {
  readonly code: 'connection-lost' | 'malformed-protocol' | 'body-too-large';

  constructor(code: BrokenConnection['code']) {
    this.code = code;
  }
}

/** Keeps the result of a call that began a task, in the `data` of the SDK's ProtocolError, because the SDK knows no results of this kind. */
export class StartedTask {
  readonly result: Readonly<Record<string, unknown>>;

  constructor(result: Readonly<Record<string, unknown>>) {
    this.result = result;
  }
}

/** A refusal for now (429 or 503) that says when to try again. */
export class BusyServer extends Error {
  readonly status: number;
  readonly retryAfterMs: number;

  constructor(status: number, retryAfterMs: number) {
    super('the server is busy');
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A refusal of a server that wants OAuth (RFC 9728: its challenge names its metadata). */
export class OAuthServer extends Error {
  readonly challenge: Challenge;

  constructor(challenge: Challenge) {
    super('the server wants OAuth');
    this.challenge = challenge;
  }
}

/** Returns the challenge of a server that wants OAuth; null if it wants something else, or nothing. */
function findOAuthChallenge(response: Response): Challenge | null {
  const challenge = response.status === 401 ? parseChallengeOrNull(response) : null;
  return challenge?.metadata === null ? null : challenge;
}

const busyStatuses: readonly number[] = [429, 503];

/** Identifies a session on a server. The id is a secret. */
export interface SessionHandle {
  readonly sessionId: string;
  readonly protocolVersion: string;
}

/** Returns headers with our user agent, unless the server's owner chose another. */
const headersWithUserAgent = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'user-agent')
    ? { ...headers }
    : { ...headers, 'user-agent': userAgent };

interface PendingRequest {
  readonly abort: AbortController;
  /** Whether the answer comes in an event stream, and so maybe later. */
  streamed: boolean;
  /** Where its stream can be resumed; null if it cannot. */
  resumption: string | null;
  malformed: boolean;
}

/** An id that no counter reaches; its successors also fit into 31 bits, the most that some servers read. */
const randomIdShift = (): number => 1_000_000 + ((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % 2_000_000_000);

/** How long a stream's last events may take to pass the SDK's parsers after its end. */
const drainMs = 100;

/**
 * The SDK's Streamable HTTP transport with two additions:
 *
 * - A request whose response ends without an answer fails at once instead of at its time-out.
 * - A GET stream that no request waits for is answered locally with 405 (which the protocol allows a server to say),
 *   because it would use one of a Worker's few connections for messages that no attempt reads.
 *
 * Connect, call and terminate each hold one place of the admission for all of their HTTP requests. A cancellation is
 * sent when its call has already given back its place, so it takes one itself.
 */
export class WatchedTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  /** In the era without sessions a call is cancelled by ending its stream. */
  readonly hasPerRequestStream = true;
  readonly #inner: StreamableHTTPClientTransport;
  readonly #fetch: FetchLike;
  /** By the ids on the wire. */
  readonly #pending = new Map<RequestId, PendingRequest>();
  /** The shift of the SDK's ids. */
  readonly #idShift: number;
  #initializedVersion: string | undefined;

  /** With `resume` it continues a session that another transport opened; the SDK's client then does not initialize. */
  constructor(options: {
    readonly url: URL;
    readonly headers: Readonly<Record<string, string>>;
    readonly fetch: FetchLike;
    readonly resume?: SessionHandle | undefined;
  }) {
    const { headers, resume } = options;
    this.#fetch = options.fetch;
    this.#idShift = resume === undefined ? 0 : randomIdShift();
    this.#inner = new StreamableHTTPClientTransport(options.url, {
      requestInit: { headers: headersWithUserAgent(headers) },
      fetch: (target, init) => this.#fetchForSdk(target, init),
      redirectPolicy: 'follow',
      ...(resume === undefined ? {} : { sessionId: resume.sessionId }),
    });
    if (resume !== undefined) this.#inner.setProtocolVersion(resume.protocolVersion);
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.#noteMalformedAndForwardError(error);
    this.#inner.onmessage = (message) => this.#deliverMessageAndSettle(message);
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  /** What is needed to resume this session elsewhere; null before initialization and if the server keeps none. */
  get sessionHandle(): SessionHandle | null {
    const { sessionId, protocolVersion } = this.#inner;
    return sessionId === undefined || protocolVersion === undefined ? null : { sessionId, protocolVersion };
  }

  /** The version that the server has answered to `initialize`, known to the SDK or not. */
  get initializedVersion(): string | undefined {
    return this.#initializedVersion;
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  close(): Promise<void> {
    this.#pending.clear();
    return this.#inner.close();
  }

  /** Ends the server's session (DELETE). Rejects if the server cannot be reached or refuses. */
  endServerSession(): Promise<void> {
    return this.#inner.terminateSession();
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  async send(asked: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    const message = messageWithShiftedRequestIds(asked, this.#idShift);
    if (isCancelledNotification(message)) this.#abortRequest(message.params.requestId);
    const { resumptionToken, requestSignal, headers } = options;
    const sending = {
      ...(resumptionToken === undefined ? {} : { resumptionToken }),
      ...(requestSignal === undefined ? {} : { requestSignal }),
      ...(headers === undefined ? {} : { headers }),
    };
    if (!isJSONRPCRequest(message)) return this.#inner.send(message, sending);
    const abort = new AbortController();
    const pending: PendingRequest = { abort, streamed: false, resumption: null, malformed: false };
    this.#pending.set(message.id, pending);
    requestSignal?.addEventListener('abort', () => this.#abortRequest(message.id), { once: true });
    const onresumptiontoken = (token: string): void => {
      pending.resumption = token;
      options.onresumptiontoken?.(token);
    };
    try {
      await this.#inner.send(message, { ...sending, onresumptiontoken });
    } catch (error) {
      this.#pending.delete(message.id);
      throw error;
    }
    // The response was no event stream and did not answer this request (a 202, or another id), so no answer will come.
    if (!pending.streamed && resumptionToken === undefined)
      this.#answerPendingRequestWithError(message.id, 'malformed-protocol');
  }

  /** The SDK cancels what timed out; its connection is released, because a Worker has only a few. */
  #abortRequest(id: RequestId | undefined): void {
    if (id === undefined) return;
    this.#pending.get(id)?.abort.abort();
    this.#pending.delete(id);
  }

  async #fetchForSdk(target: string | URL, init: RequestInit = {}): Promise<Response> {
    if (init.method === 'GET') return this.#resumeOnlyAwaitedStream(target, init);
    const { id, method } = parseIdAndMethodOfSentBody(init.body);
    const pending = id === undefined || method === undefined ? undefined : this.#pending.get(id);
    if (id === undefined || pending === undefined) {
      return this.#fetch(target, { ...init, hasPlace: method !== cancelled });
    }
    const signals = [init.signal, pending.abort.signal].filter((signal) => signal !== undefined && signal !== null);
    const response = await this.#fetch(target, { ...init, signal: AbortSignal.any(signals), hasPlace: true });
    const retryAfterMs = busyStatuses.includes(response.status)
      ? parseRetryAfterMs(response.headers, Date.now())
      : undefined;
    const challenge = findOAuthChallenge(response);
    if (challenge !== null) {
      await response.body?.cancel();
      throw new OAuthServer(challenge);
    }
    if (retryAfterMs !== undefined) {
      await response.body?.cancel();
      throw new BusyServer(response.status, retryAfterMs);
    }
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    // Anything but an event stream has arrived completely.
    if (response.body === null || !isStream) return response;
    pending.streamed = true;
    const { status, statusText } = response;
    const body = forwardBodyAndReportEnd(response.body, (error) => this.#failUnansweredRequestAfterBody(id, error));
    return new Response(body, { status, statusText, headers: response.headers });
  }

  /** Continues to read the stream of a request that still waits for its answer. */
  async #resumeOnlyAwaitedStream(target: string | URL, init: RequestInit): Promise<Response> {
    const from = new Headers(init.headers).get('last-event-id');
    const [id] = this.#pending.entries().find(([, { resumption }]) => resumption === from) ?? [];
    if (from === null || id === undefined) return new Response(null, { status: 405 });
    try {
      return await this.#fetch(target, { ...init, hasPlace: true });
    } catch (error) {
      const stopped = findPlatformError(error);
      if (stopped !== undefined) this.#answerPendingRequestWithError(id, stopped);
      throw error;
    }
  }

  #failUnansweredRequestAfterBody(id: RequestId, error: unknown): void {
    const stopped = findPlatformError(error);
    if (stopped !== undefined) return this.#answerPendingRequestWithError(id, stopped);
    if (findGuardError(error)?.code === 'body-too-large')
      return this.#answerPendingRequestWithError(id, 'body-too-large');
    setTimeout(() => {
      const pending = this.#pending.get(id);
      // The SDK resumes a stream whose events have ids; then the request's own time-out decides.
      if (pending === undefined || pending.resumption !== null) return;
      this.#answerPendingRequestWithError(id, pending.malformed ? 'malformed-protocol' : 'connection-lost');
    }, drainMs);
  }

  #answerPendingRequestWithError(id: RequestId, why: BrokenConnection['code'] | PlatformError): void {
    if (!this.#pending.delete(id)) return;
    this.#deliverOwnErrorAnswer(id, typeof why === 'string' ? new BrokenConnection(why) : why);
  }

  #deliverOwnErrorAnswer(id: RequestId, data: BrokenConnection | StartedTask | PlatformError): void {
    const error = { code: ProtocolErrorCode.InternalError, message: 'not from the server', data };
    this.#deliverMessage({ jsonrpc: '2.0', id, error });
  }

  #deliverMessageAndSettle(message: JSONRPCMessage): void {
    this.#initializedVersion ??= initialized.safeParse(message).data?.result.protocolVersion;
    if (isJSONRPCResultResponse(message)) {
      this.#pending.delete(message.id);
      if (message.result['resultType'] !== 'task') return this.#deliverMessage(message);
      return this.#deliverOwnErrorAnswer(message.id, new StartedTask(message.result));
    }
    if (!isJSONRPCErrorResponse(message)) return this.#deliverMessage(message);
    if (message.id !== undefined) this.#pending.delete(message.id);
    // The SDK reads the versions in the answer to its own question.
    if (typeof message.id === 'string') return this.#deliverMessage(message);
    this.#deliverMessage({ ...message, error: { ...message.error, data: new ServerAnswer(message.error) } });
  }

  #deliverMessage(message: JSONRPCMessage): void {
    this.onmessage?.(messageWithRequestIdsShiftedBack(message, this.#idShift));
  }

  #noteMalformedAndForwardError(error: Error): void {
    if (error instanceof SyntaxError || error instanceof ZodError) {
      for (const pending of this.#pending.values()) pending.malformed = true;
    }
    this.onerror?.(error);
  }
}

const initialized = z.object({ result: z.looseObject({ protocolVersion: z.string(), capabilities: z.unknown() }) });

const cancellation = CancelledNotificationSchema.extend({ jsonrpc: z.literal('2.0') });

function isCancelledNotification(message: JSONRPCMessage): message is z.infer<typeof cancellation> {
  return 'method' in message && message.method === cancelled && cancellation.safeParse(message).success;
}

const cancelled = CancelledNotificationSchema.shape.method.value;

const sentMessage = z.object({ id: z.union([z.string(), z.number()]).optional(), method: z.string().optional() });

/**
 * Parses the message in a body that the SDK wrote: a request has a method and an id, a notification no id, a response
 * no method.
 */
const parseIdAndMethodOfSentBody = (body: RequestInit['body']): z.infer<typeof sentMessage> =>
  typeof body === 'string' ? sentMessage.parse(JSON.parse(body)) : {};

/** Forwards a body and calls `onEnd` once when it is over, with the error if there was one. */
function forwardBodyAndReportEnd(
  body: ReadableStream<Uint8Array>,
  onEnd: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
        onEnd(undefined);
      } catch (error) {
        controller.error(error);
        onEnd(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
