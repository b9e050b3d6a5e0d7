import { z } from 'zod';
import { type Backoff, backoffMs } from '#core/values/backoff.ts';
import { abortReason, waitOrThrowIfAborted } from './pause.ts';
import { AnswerError, ApiError, toApiError, ConnectionError } from './errors.ts';

/** A part of HTTP's fetch that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** One call of the API. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Built with `path`, so that ids cannot change the path. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged; the headers name its type. */
  readonly upload?: Blob;
  /** Whether the call may be repeated if it is unknown whether it arrived. */
  readonly repeatable: boolean;
  /** How long its answer may take, if that is longer than the client waits for others. */
  readonly longestMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether it is made even if the client's own signal is aborted, because it ends what the client had begun. */
  readonly isLast?: boolean;
}

export interface TransportOptions {
  readonly url: string;
  readonly key: string;
  readonly fetch: Fetch;
  /** How often a call is repeated. */
  readonly retries: number;
  /** Time limit for an answer; streams are exempt. */
  readonly timeoutMs: number;
  readonly backoff: Backoff;
  /** Aborts every call, also one that waits for its next attempt. */
  readonly signal: AbortSignal | undefined;
}

/** Sends calls to the API: adds the key, repeats, and raises typed errors. */
export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** Returns the answer, parsed with its schema. */
  async requestJson<S extends z.ZodType>(schema: S, call: Call): Promise<z.output<S>> {
    return parseJsonAnswer(schema, await this.requestText(call), call.path);
  }

  /** Returns the answer as text. */
  requestText(call: Call): Promise<string> {
    return this.#withRetries(call, async () => {
      const response = await this.#fetchResponse(call, this.#timeoutSignalOf(call));
      return awaitOrConnectionError(this.#options.url, response.text(), this.#signalOf(call));
    });
  }

  /** For calls whose answer has no body. */
  async requestNoContent(call: Call): Promise<void> {
    await this.#withRetries(call, async () => {
      await this.#fetchResponse(call, this.#timeoutSignalOf(call));
    });
  }

  /** Returns the answer as it arrives; only the wait for its first byte is repeated. */
  requestResponseWithRetries(call: Call): Promise<Response> {
    return this.#withRetries(call, () => this.#fetchResponse(call));
  }

  /** Makes one attempt, for callers that repeat calls themselves. */
  requestResponseOnce(call: Call): Promise<Response> {
    return this.#fetchResponse(call);
  }

  /** Returns a signal that aborts when the call's own or the client's does. */
  joinCallAndClientSignals(signal: AbortSignal | undefined): AbortSignal | undefined {
    return joinSignals(signal, this.#options.signal);
  }

  #signalOf({ signal, isLast = false }: Call): AbortSignal | undefined {
    return isLast ? signal : this.joinCallAndClientSignals(signal);
  }

  #timeoutSignalOf({ longestMs = 0 }: Call): AbortSignal {
    return AbortSignal.timeout(Math.max(longestMs, this.#options.timeoutMs));
  }

  async #withRetries<T>(call: Call, attempt: () => Promise<T>): Promise<T> {
    const { retries, backoff } = this.#options;
    const signal = this.#signalOf(call);
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (tries > retries || signal?.aborted === true || !mayRetry(error, call.repeatable)) throw error;
        const asked = error instanceof ApiError ? error.retryAfterMs : null;
        await waitOrThrowIfAborted(
          asked === null ? backoffMs(backoff, tries, Math.random()) : Math.min(asked, longestWaitMs),
          signal,
        );
      }
    }
  }

  async #fetchResponse(call: Call, timeout?: AbortSignal): Promise<Response> {
    const { url, key, fetch } = this.#options;
    const signal = this.#signalOf(call);
    const either = joinSignals(signal, timeout);
    const body = call.json === undefined ? call.upload : JSON.stringify(call.json);
    const response = await awaitOrConnectionError(
      url,
      fetch(`${url}${call.path}${buildQueryText(call.query)}`, {
        method: call.method,
        headers: {
          ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
          ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
          ...call.headers,
        },
        ...(body === undefined ? {} : { body }),
        ...(either === undefined ? {} : { signal: either }),
      }),
      signal,
    );
    if (!response.ok) throw await toApiError(response);
    return response;
  }
}

function joinSignals(a: AbortSignal | undefined, b: AbortSignal | undefined): AbortSignal | undefined {
  return a === undefined || b === undefined ? (a ?? b) : AbortSignal.any([a, b]);
}

/** However long the service asks to wait, the caller should learn that it does not answer. */
const longestWaitMs = 60_000;

const retriableStatuses: readonly number[] = [502, 503, 504];

function mayRetry(error: unknown, repeatable: boolean): boolean {
  if (error instanceof ConnectionError) return repeatable || error.unsent;
  if (!(error instanceof ApiError)) return false;
  return error.status === 429 || (repeatable && retriableStatuses.includes(error.status));
}

/** Awaits an answer; converts an error of the network to a ConnectionError. */
async function awaitOrConnectionError<T>(url: string, arriving: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await arriving;
  } catch (error) {
    if (signal?.aborted === true) throw abortReason(signal);
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      throw new ConnectionError(`${url} did not answer in time`, { unsent: false, cause: error });
    }
    const code = findErrorCodeOrMessage(error);
    const unsent = code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN';
    throw new ConnectionError(`${url} cannot be reached (${code})`, { unsent, cause: error });
  }
}

const withCode = z.object({ code: z.string() });
const withCause = z.object({ cause: z.unknown() });

/** The platform's code of a network error, or its innermost message; both may be in a cause. */
function findErrorCodeOrMessage(error: unknown): string {
  let words = String(error);
  for (let at = error, depth = 0; depth < 4; depth += 1) {
    const coded = withCode.safeParse(at);
    if (coded.success) return coded.data.code;
    if (at instanceof Error) words = at.message;
    const caused = withCause.safeParse(at);
    if (!caused.success) break;
    at = caused.data.cause;
  }
  return words;
}

/** Parses JSON text with a schema. */
export function parseJsonAnswer<S extends z.ZodType>(schema: S, text: string, where: string): z.output<S> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new AnswerError(`${where}: the answer is not JSON: ${text.slice(0, 100)}`);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AnswerError(
    `${where}: the answer does not have the expected form (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}); client and service may be of different versions`,
  );
}

/** Builds a path with escaped values. */
export function escapedPath(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return parts.reduce((before, part, index) => before + encodeSegmentOrThrow(values[index - 1] ?? '') + part);
}

// Browsers and Node resolve `.` and `..` in paths even if they are escaped.
function encodeSegmentOrThrow(value: string): string {
  if (value === '' || value === '.' || value === '..') throw new AnswerError(`"${value}" cannot be an id`);
  return encodeURIComponent(value);
}

function buildQueryText(query: Call['query'] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
