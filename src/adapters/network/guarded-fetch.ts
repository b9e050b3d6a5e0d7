import type { Admission } from '#adapters/network/admission.ts';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import { checkAddress } from './address-guard.ts';

export interface GuardedInit extends RequestInit {
  /** Set if the calling operation already holds a place; the request then takes none. */
  readonly hasPlace?: boolean;
  /** Set for requests to an authorization server, of which no proof can be asked: it knows the client. */
  readonly isUncounted?: boolean;
}

export type FetchLike = (url: string | URL, init?: GuardedInit) => Promise<Response>;

/**
 * `unreachable` and `connection-lost` are the network's failures, before and after the headers; the others are
 * refusals.
 */
export type FetchGuardCode =
  | 'address-forbidden'
  | 'not-proven'
  | 'too-many-redirects'
  | 'body-too-large'
  | 'timeout'
  | 'unreachable'
  | 'connection-lost';

/** Why a guarded request failed. Runtimes differ in the errors of their fetch, so only the code counts. */
export class FetchGuardError extends Error {
  readonly code: FetchGuardCode;

  constructor(code: FetchGuardCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FetchGuardError';
    this.code = code;
  }
}

/** Returns the guard's error in another error's chain of causes, if there is one. */
export function findGuardError(error: unknown): FetchGuardError | undefined {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    if (current instanceof FetchGuardError) return current;
    current = current.cause;
  }
  return undefined;
}

export interface GuardedFetchOptions {
  readonly admission: Admission;
  readonly allowLocal: boolean;
  /** Maximum size of a response's body, in bytes. */
  readonly maxBytes: number;
  /** The same for an event stream, of which nobody keeps the whole; default `maxBytes`. */
  readonly maxStreamBytes?: number;
  /** Called before each request, redirects among them; rejects if its host gets no more. */
  readonly admit?: ((url: URL) => Promise<void>) | undefined;
  /** Time limit from admission to the complete response, including redirects; for an event stream, until it begins. */
  readonly timeoutMs?: number;
  /** The underlying fetch, for tests. */
  readonly fetch?: FetchLike;
}

const maxRedirects = 3;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
/** Headers that may follow a redirect to another origin: none that could carry a secret. */
const harmlessHeaders = new Set(['accept', 'accept-language', 'content-type', 'mcp-protocol-version', 'user-agent']);

/**
 * Returns a fetch that asks the address guard before every hop, follows at most 3 redirects (none if `redirect` is `manual`), drops
 * secret headers when a redirect changes the origin, and cuts off a body that is longer than allowed. A request holds a place of the
 * admission until its headers arrive. Rejects with a FetchGuardError, with a PlatformError if the platform stopped the
 * request, or with the reason of its own signal.
 */
export function makeGuardedFetch(options: GuardedFetchOptions): FetchLike {
  const send = options.fetch ?? ((url, init) => fetch(url, init));
  // The guard looks only at scheme, host and port, and one fetch uses few of them repeatedly.
  const origins = new Set<string>();
  const permitted = (input: string | URL): URL => {
    const known = URL.parse(input);
    if (known !== null && origins.has(known.origin) && known.username === '' && known.password === '') return known;
    const check = checkAddress(input, options);
    if (!check.ok) throw new FetchGuardError('address-forbidden', check.problem.detail);
    origins.add(check.value.origin);
    return check.value;
  };
  return async (input, { hasPlace = false, isUncounted = false, ...init } = {}) => {
    let url = permitted(input);
    const place = hasPlace ? undefined : await options.admission.waitForPlace(init.signal);
    const deadline = options.timeoutMs === undefined ? undefined : new AbortController();
    const timer = deadline && setTimeout(() => deadline.abort(), options.timeoutMs);
    const signals = [init.signal, deadline?.signal].filter((signal) => signal !== undefined && signal !== null);
    // `AbortSignal.any` is expensive and there is usually one signal.
    const signal = signals.length > 1 ? AbortSignal.any(signals) : (signals[0] ?? null);
    let request: RequestInit = { ...init, redirect: 'manual', signal };
    try {
      for (let hops = 0; ; hops += 1) {
        if (!isUncounted) await options.admit?.(url);
        options.admission.addToRequestCount();
        const response = await send(url, request);
        const target = init.redirect === 'manual' ? undefined : redirectTarget(response, url);
        if (target === undefined) {
          place?.leave();
          return await responseWithBoundedBody(response, options, request.signal);
        }
        await response.body?.cancel();
        if (hops === maxRedirects) {
          throw new FetchGuardError('too-many-redirects', `more than ${maxRedirects} redirects`);
        }
        const next = permitted(target);
        request = makeRedirectedRequest(request, response.status, next.origin !== url.origin);
        url = next;
      }
    } catch (error) {
      if (error instanceof FetchGuardError) throw error;
      const stopped = findPlatformError(error);
      if (stopped !== undefined) throw stopped;
      if (init.signal?.aborted === true) throw error;
      if (deadline?.signal.aborted === true) {
        throw new FetchGuardError('timeout', `no response within ${options.timeoutMs} ms`, { cause: error });
      }
      throw new FetchGuardError('unreachable', 'no connection', { cause: error });
    } finally {
      clearTimeout(timer);
      place?.leave();
    }
  };
}

function redirectTarget(response: Response, from: URL): URL | undefined {
  if (!redirectStatuses.has(response.status)) return undefined;
  const location = response.headers.get('location');
  if (location === null) return undefined;
  return URL.parse(location, from) ?? undefined;
}

function makeRedirectedRequest(request: RequestInit, status: number, otherOrigin: boolean): RequestInit {
  const headers = new Headers(request.headers);
  if (otherOrigin) {
    const names = Array.from(headers.keys());
    for (const name of names) if (!harmlessHeaders.has(name)) headers.delete(name);
  }
  const method = (request.method ?? 'GET').toUpperCase();
  const becomesGet = (status === 303 && method !== 'HEAD') || (status < 303 && method === 'POST');
  if (!becomesGet) return { ...request, headers };
  headers.delete('content-type');
  const { body: _left, ...rest } = request;
  return { ...rest, method: 'GET', headers };
}

async function responseWithBoundedBody(
  response: Response,
  options: Pick<GuardedFetchOptions, 'maxBytes' | 'maxStreamBytes'>,
  signal: RequestInit['signal'],
): Promise<Response> {
  // Only an event stream must be streamed; anything else is cheaper to read at once than to pipe.
  const streamed = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  const maxBytes = (streamed ? options.maxStreamBytes : undefined) ?? options.maxBytes;
  const announced = Number(response.headers.get('content-length') ?? '0');
  if (announced > maxBytes) {
    await response.body?.cancel();
    throw tooLargeError(maxBytes);
  }
  if (response.body === null) return response;
  const encoded = response.headers.has('content-encoding');
  const body = streamed
    ? makeBoundedStream(response.body, maxBytes)
    : announced > 0 && !encoded
      ? await readAnnouncedBody(response)
      : await readBoundedBody(response.body, maxBytes, signal);
  if (!encoded) return new Response(body, response);
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  // The body is already decoded; these two headers describe the encoded one.
  headers.delete('content-encoding');
  headers.delete('content-length');
  return new Response(body, { status, statusText, headers });
}

/** A body with an announced length cannot be longer; the runtime reads it fastest. */
const readAnnouncedBody = (response: Response): Promise<ArrayBuffer> =>
  response.arrayBuffer().catch((error: unknown) => {
    throw convertBodyError(error);
  });

async function readBoundedBody(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  signal: RequestInit['signal'],
): Promise<Uint8Array<ArrayBuffer> | Blob> {
  const reader = body.getReader();
  signal?.addEventListener('abort', () => void reader.cancel(signal.reason).catch(() => undefined), { once: true });
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let seen = 0; ;) {
    const { done, value } = await readNextChunk(reader);
    signal?.throwIfAborted();
    if (done) return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : new Blob(chunks);
    seen += value.byteLength;
    if (seen > maxBytes) {
      await reader.cancel().catch(() => undefined);
      throw tooLargeError(maxBytes);
    }
    chunks.push(new Uint8Array(value));
  }
}

const readNextChunk = (reader: ReadableStreamDefaultReader<Uint8Array>) =>
  reader.read().catch((error: unknown) => {
    throw convertBodyError(error);
  });

const convertBodyError = (error: unknown): Error =>
  findPlatformError(error) ??
  (error instanceof Error && error.name === 'AbortError'
    ? error
    : new FetchGuardError('connection-lost', 'the connection broke', { cause: error }));

function makeBoundedStream(body: ReadableStream<Uint8Array>, maxBytes: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let seen = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await readNextChunk(reader);
      if (done) return controller.close();
      seen += value.byteLength;
      if (seen <= maxBytes) return controller.enqueue(value);
      controller.error(tooLargeError(maxBytes));
      await reader.cancel().catch(() => undefined);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

const tooLargeError = (maxBytes: number): FetchGuardError =>
  new FetchGuardError('body-too-large', `response larger than ${maxBytes} bytes`);
