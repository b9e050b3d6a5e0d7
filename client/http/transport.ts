import { z } from 'zod';
import { type Backoff, backoffMs } from '#core/backoff.ts';
import { abortReason, pause } from './pause.ts';
import { AnswerError, ApiError, apiErrorOf, ConnectionError } from './errors.ts';

/** A part of HTTP's fetch that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** One call of the API. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
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
  readonly signal?: AbortSignal | undefined;
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
  async json<S extends z.ZodType>(schema: S, call: Call): Promise<z.output<S>> {
    return parseAnswer(schema, await this.text(call), call.path);
  }

  /** Returns the answer as text. */
  text(call: Call): Promise<string> {
    return this.#persist(call, async () => {
      const response = await this.#send(call, AbortSignal.timeout(this.#options.timeoutMs));
      return reading(this.#options.url, response.text(), this.ending(call.signal));
    });
  }

  /** For calls whose answer has no body. */
  async empty(call: Call): Promise<void> {
    await this.#persist(call, async () => {
      await this.#send(call, AbortSignal.timeout(this.#options.timeoutMs));
    });
  }

  /** Returns the answer as it arrives; only the wait for its first byte is repeated. */
  stream(call: Call): Promise<Response> {
    return this.#persist(call, () => this.#send(call));
  }

  /** Makes one attempt, for callers that repeat calls themselves. */
  streamOnce(call: Call): Promise<Response> {
    return this.#send(call);
  }

  /** The call's own signal, or the client's. */
  ending(signal: AbortSignal | undefined): AbortSignal | undefined {
    return joined(signal, this.#options.signal);
  }

  async #persist<T>(call: Call, attempt: () => Promise<T>): Promise<T> {
    const { retries, backoff } = this.#options;
    const signal = this.ending(call.signal);
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (tries > retries || signal?.aborted === true || !mayRetry(error, call.repeatable)) throw error;
        const asked = error instanceof ApiError ? error.retryAfterMs : null;
        await pause(asked === null ? backoffMs(backoff, tries, Math.random()) : Math.min(asked, longestWaitMs), signal);
      }
    }
  }

  async #send(call: Call, timeout?: AbortSignal): Promise<Response> {
    const { url, key, fetch } = this.#options;
    const signal = this.ending(call.signal);
    const either = joined(signal, timeout);
    const body = call.json === undefined ? call.upload : JSON.stringify(call.json);
    const response = await reading(
      url,
      fetch(`${url}${call.path}${queryOf(call.query)}`, {
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
    if (!response.ok) throw await apiErrorOf(response);
    return response;
  }
}

function joined(a: AbortSignal | undefined, b: AbortSignal | undefined): AbortSignal | undefined {
  return a === undefined || b === undefined ? (a ?? b) : AbortSignal.any([a, b]);
}

/** However long the service asks to wait, the caller should learn that it does not answer. */
const longestWaitMs = 60_000;

const refusedForNow: readonly number[] = [429, 503];
const gatewayStatuses: readonly number[] = [502, 504];

function mayRetry(error: unknown, repeatable: boolean): boolean {
  if (error instanceof ConnectionError) return repeatable || error.unsent;
  if (!(error instanceof ApiError)) return false;
  return error.status === 429 || (repeatable && [...refusedForNow, ...gatewayStatuses].includes(error.status));
}

/** Waits for the network and reports how a connection broke. */
async function reading<T>(url: string, arriving: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await arriving;
  } catch (error) {
    if (signal?.aborted === true) throw abortReason(signal);
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      throw new ConnectionError(`${url} did not answer in time`, { unsent: false, cause: error });
    }
    const code = codeOf(error);
    const unsent = code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN';
    throw new ConnectionError(`${url} cannot be reached (${code})`, { unsent, cause: error });
  }
}

const withCode = z.object({ code: z.string() });
const withCause = z.object({ cause: z.unknown() });

/** The platform's code of a network error, or its innermost message; both may be in a cause. */
function codeOf(error: unknown): string {
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
export function parseAnswer<S extends z.ZodType>(schema: S, text: string, where: string): z.output<S> {
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
export function path(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return parts.reduce((before, part, place) => before + segment(values[place - 1] ?? '') + part);
}

// Browsers and Node resolve `.` and `..` in paths even if they are escaped.
function segment(value: string): string {
  if (value === '' || value === '.' || value === '..') throw new AnswerError(`"${value}" cannot be an id`);
  return encodeURIComponent(value);
}

function queryOf(query: Call['query'] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
