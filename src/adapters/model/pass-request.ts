import { z } from 'zod';
import { answerHeadersToPass, type GatewayWire } from '#core/models/gateway/wire.ts';
import { makeSecretFilter } from '#core/values/withheld-bytes.ts';
import { convertGuardErrorToBrokenRequest } from '#adapters/network/guard-faults.ts';
import { findGuardError, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import { keepExtendingLease, reportEndOfLease, waitForLease, type Governed } from './governed-requests.ts';
import { PassingAnswer } from './passing-answer.ts';
import { makeBrokenRequestByRefusal, type Broken } from './send-request.ts';

/** A request of an external agent to its model, as its endpoint gets it. */
export interface PassedRequest {
  readonly wire: GatewayWire;
  readonly url: string;
  /** With the key. */
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Taken out of the answer, in case that an endpoint repeats it. */
  readonly apiKey: string;
}

export interface PassOptions {
  /** Guards the address and bounds the answer in bytes. */
  readonly fetch: FetchLike;
  /** Null if nobody shares the endpoint's limits. */
  readonly governed: Governed | null;
  /** What the request takes at most, by an estimate. */
  readonly tokens: number;
  readonly patienceMs: number;
  /** How long the endpoint may take to begin an answer, and be silent within one. */
  readonly silenceMs: number;
  /** How long the client may take for a piece of the answer. */
  readonly slowReaderMs: number;
  /** Ends it: the attempt is over, or the client has gone. */
  readonly signal: AbortSignal;
}

/** A request that was passed on. */
export type Passed =
  | {
      readonly ok: true;
      /** The endpoint's answer or refusal, to be passed on as it is. */
      readonly response: Response;
      /** What has passed of the answer. */
      readonly answer: PassingAnswer;
      /** Why the endpoint refused; absent if it answered. */
      readonly refused?: Broken;
      /** Resolves when the last byte has passed, or the answer was cut off. */
      readonly ended: Promise<void>;
    }
  /** There is no answer that could be passed on. */
  | { readonly ok: false; readonly broken: Broken };

/** The result of one sending. */
type Sent =
  | { readonly response: Response; readonly broken?: undefined }
  | { readonly response: Response; readonly broken: Broken }
  | { readonly response?: undefined; readonly broken: Broken };

/**
 * Passes a request to its endpoint with leave of its governor, again as long as the endpoint is too busy, and returns its answer as it comes.
 * Throws EndpointRests if the endpoint rests for longer than the request has patience, and PlatformErrors.
 */
export async function passModelRequest(request: PassedRequest, options: PassOptions): Promise<Passed> {
  const { governed } = options;
  if (governed === null) return makePassed(await sendOnce(request, options), request, options, async () => undefined);
  const sinceMs = governed.now();
  for (;;) {
    const lease = await waitForLease(governed, { ...options, sinceMs });
    const stopExtending = keepExtendingLease(governed.governor, lease);
    const report = async (made: { ok: true; headers: Headers } | Broken) => {
      stopExtending();
      return reportEndOfLease(governed, lease, made);
    };
    const sent = await sendOnce(request, options).catch((error: unknown) => {
      stopExtending();
      throw error;
    });
    if (sent.broken === undefined) {
      const { headers } = sent.response;
      return makePassed(sent, request, options, async () => void (await report({ ok: true, headers })));
    }
    const { isBusy, isBusyForGood } = await report(sent.broken);
    if (!isBusy || isBusyForGood || options.signal.aborted)
      return makePassed(sent, request, options, async () => undefined);
  }
}

async function sendOnce(
  { url, headers, body }: PassedRequest,
  { fetch, silenceMs, signal }: PassOptions,
): Promise<Sent> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), silenceMs);
  try {
    // A redirect could lead to another host, which must not get the key.
    const init = {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, late.signal]),
    } as const;
    const response = await fetch(url, init);
    if (response.ok) return { response };
    const refusal = new Uint8Array(await response.arrayBuffer());
    const error = new TextDecoder().decode(refusal);
    const { status } = response;
    const broken = makeBrokenRequestByRefusal({ status, headers: response.headers, error: parseJsonOrText(error) });
    return isRedirect(status) ? { broken } : { broken, response: new Response(refusal, response) };
  } catch (error) {
    const stopped = findPlatformError(error);
    if (stopped !== undefined) throw stopped;
    const guarded = findGuardError(error);
    if (guarded !== undefined) return { broken: { ok: false, ...convertGuardErrorToBrokenRequest(guarded) } };
    const [code, detail] = late.signal.aborted
      ? (['timeout', 'no answer in time'] as const)
      : (['connection-lost', 'the connection broke'] as const);
    return { broken: { ok: false, code, detail, transient: true } };
  } finally {
    clearTimeout(timer);
  }
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

const anyJson = z.string().transform((text): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
});
const parseJsonOrText = (text: string): unknown => anyJson.parse(text);

/** Returns an answer as it passes, without the key, in case that its endpoint repeats it; `report` is called once, when it has ended. */
async function makePassed(
  { response, broken }: Sent,
  { wire, apiKey }: PassedRequest,
  options: PassOptions,
  report: () => Promise<void>,
): Promise<Passed> {
  if (response === undefined) return { ok: false, broken };
  const isStream = broken === undefined && /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  const answer = new PassingAnswer(wire, isStream);
  const head = { status: response.status, headers: answerHeadersToPass(response.headers) };
  const refused = broken === undefined ? {} : { refused: broken };
  if (isStream && response.body !== null) {
    const { body, ended } = passStream(response.body, { ...options, answer, apiKey, report });
    return { ok: true, response: new Response(body, head), answer, ended };
  }
  const filter = makeSecretFilter(apiKey);
  const passed = [filter.pass(new Uint8Array(await response.arrayBuffer())), filter.end()];
  const whole = await new Blob(passed.map((piece) => new Uint8Array(piece))).arrayBuffer();
  answer.setBody(new TextDecoder().decode(whole));
  answer.end();
  return { ok: true, response: new Response(whole, head), answer, ...refused, ended: report() };
}

interface StreamOptions extends Pick<PassOptions, 'silenceMs' | 'slowReaderMs' | 'signal'> {
  readonly answer: PassingAnswer;
  readonly apiKey: string;
  readonly report: () => Promise<void>;
}

function passStream(
  from: ReadableStream<Uint8Array>,
  options: StreamOptions,
): { readonly body: ReadableStream<Uint8Array>; readonly ended: Promise<void> } {
  const passing = new PassingStream(from, options);
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => passing.start(controller),
      pull: (controller) => passing.passNextPiece(controller),
      cancel: () => passing.leave(),
    },
    { highWaterMark: 0 },
  );
  return { body, ended: passing.ended };
}

/**
 * Passes a stream on piece by piece, no faster than its reader takes it, so that nothing heaps up. It is cut off if the endpoint is silent or the
 * reader slow for too long, or by the signal.
 */
class PassingStream {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #options: StreamOptions;
  readonly #filter: ReturnType<typeof makeSecretFilter>;
  readonly #ended = Promise.withResolvers<void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  #cutOff = (): void => undefined;

  constructor(from: ReadableStream<Uint8Array>, options: StreamOptions) {
    this.#reader = from.getReader();
    this.#options = options;
    this.#filter = makeSecretFilter(options.apiKey);
  }

  /** Resolves when nothing more will pass. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const { signal } = this.#options;
    this.#cutOff = () => {
      if (this.#isOver) return;
      this.#finish();
      controller.error(new Error('the answer was cut off'));
      void this.#reader.cancel().catch(() => undefined);
    };
    signal.addEventListener('abort', this.#cutOff, { once: true });
    if (signal.aborted) this.#cutOff();
    else this.#waitForReader();
  }

  async passNextPiece(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    while (!(await this.#passBytes(controller)));
    if (!this.#isOver) this.#waitForReader();
  }

  leave(): Promise<void> {
    this.#finish();
    return this.#reader.cancel();
  }

  /** Passes what the endpoint sends next; returns false if all of it may be the beginning of the key, and is held back. */
  async #passBytes(controller: ReadableStreamDefaultController<Uint8Array>): Promise<boolean> {
    const { answer, silenceMs } = this.#options;
    this.#actAfter(silenceMs, () => this.#breakOff());
    const next = await this.#reader.read().catch(() => null);
    if (this.#isOver) return true;
    if (next === null) {
      this.#breakOff();
      return true;
    }
    const piece = next.done ? this.#filter.end() : this.#filter.pass(next.value);
    answer.addBytes(piece);
    if (piece.length > 0) controller.enqueue(piece);
    if (!next.done) return piece.length > 0;
    answer.end();
    this.#finish();
    controller.close();
    return true;
  }

  #breakOff(): void {
    if (!this.#isOver) this.#options.answer.breakOff();
    this.#cutOff();
  }

  #waitForReader(): void {
    this.#actAfter(this.#options.slowReaderMs, () => this.#cutOff());
  }

  #actAfter(ms: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, ms);
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#options.signal.removeEventListener('abort', this.#cutOff);
    this.#options.report().then(this.#ended.resolve, this.#ended.reject);
  }
}
