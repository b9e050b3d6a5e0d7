import { z } from 'zod';
import { backoffMs } from '#core/values/backoff.ts';
import { parseRetryAfterMs } from '#core/values/retry-after.ts';
import { CommandError, UsageError } from '../../engine/usage-error.ts';
import { waitOrThrowIfAborted } from '../http/pause.ts';
import type { Fetch } from '../http/transport.ts';

/** Where spans go, and how often a request is repeated. */
export interface CollectorOptions {
  /** The whole address, as `parseCollectorUrl` returns it. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  readonly firstWaitMs?: number;
}

/** What a collector says of a request that it took: how many spans it rejected, and why, or a warning. */
export interface Taken {
  readonly rejected: number;
  readonly message: string;
}

const longestWaitMs = 60_000;
const tries = 6;
const timeoutMs = 30_000;
const shownChars = 300;
/** Bytes of an answer that are read, as the specification recommends. */
const answerBytes = 4 * 1024 * 1024;

/** These alone may be repeated, by the specification of OTLP. */
const repeatedStatuses: readonly number[] = [429, 502, 503, 504];

/**
 * Returns the address to which a collector takes traces over HTTP: `/v1/traces` behind the given address, unless it ends so. Throws a
 * UsageError for anything but an http or https address.
 */
export function parseCollectorUrl(given: string): string {
  const url = URL.parse(given);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new UsageError('give an address such as http://localhost:4318, the port of OTLP over HTTP');
  if (url.username !== '' || url.password !== '')
    throw new UsageError('give credentials in OTEL_EXPORTER_OTLP_HEADERS, not in the address');
  if (!url.pathname.endsWith('/v1/traces')) url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`;
  return url.href;
}

/** Parses `OTEL_EXPORTER_OTLP_HEADERS`: `name=value` pairs separated by commas, values percent-encoded. Throws a UsageError that shows no value. */
export function parseOtlpHeaders(given: string): Record<string, string> {
  const pairs = given.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair, at) => {
      const [name, value] = [pair.slice(0, pair.indexOf('=')).trim(), pair.slice(pair.indexOf('=') + 1).trim()];
      if (!pair.includes('=') || !/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
        throw new UsageError(`OTEL_EXPORTER_OTLP_HEADERS: pair ${at + 1} is not name=value`);
      return [name.toLowerCase(), decodeHeaderValueOrThrow(name, value)];
    }),
  );
}

function decodeHeaderValueOrThrow(name: string, value: string): string {
  try {
    return decodeURIComponent(value);
  } catch (cause) {
    throw new UsageError(`OTEL_EXPORTER_OTLP_HEADERS: the value of ${name} is not percent-encoded as it has to be`, {
      cause,
    });
  }
}

/**
 * Sends one request. While the collector is busy or cannot be reached, it is repeated after the wait that Retry-After asks for, or else after
 * one that doubles. Throws a CommandError.
 */
export async function sendToCollector(body: string, options: CollectorOptions): Promise<Taken> {
  const { url, signal, firstWaitMs = 500 } = options;
  for (let tried = 1; ; tried += 1) {
    const answer = await post(body, options);
    if (answer.kind === 'taken') return answer;
    if (!answer.mayRepeat || tried >= tries)
      throw new CommandError(`${url} ${answer.problem}${tried > 1 ? `, ${tried} times` : ''}`);
    const waitMs =
      answer.askedMs ?? backoffMs({ firstMs: firstWaitMs, longestMs: longestWaitMs }, tried, Math.random());
    if (waitMs > longestWaitMs)
      throw new CommandError(
        `${url} ${answer.problem}, and asks to wait ${Math.ceil(waitMs / 1_000)} seconds; try again then`,
      );
    await waitOrThrowIfAborted(waitMs, signal);
  }
}

type Answer =
  | ({ readonly kind: 'taken' } & Taken)
  | {
      readonly kind: 'refused';
      readonly problem: string;
      readonly mayRepeat: boolean;
      readonly askedMs?: number | undefined;
    };

async function post(body: string, { url, headers, fetch, signal }: CollectorOptions): Promise<Answer> {
  let response: Response;
  let text: string | null;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    text = await readTextUnlessTooLong(response);
  } catch (error) {
    if (signal.aborted) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return {
      kind: 'refused',
      problem: `cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`,
      mayRepeat: true,
    };
  }
  if (text === null)
    return { kind: 'refused', problem: `answers with more than ${answerBytes} bytes`, mayRepeat: false };
  if (response.ok) return parseTaken(text);
  const { status } = response;
  const said = parseStatusMessage(text);
  return {
    kind: 'refused',
    problem: `answers ${status}${said === '' ? '' : `: ${said}`}${hints[status] ?? ''}`,
    mayRepeat: repeatedStatuses.includes(status),
    askedMs: parseRetryAfterMs(response.headers, Date.now()),
  };
}

const hints: Readonly<Record<number, string>> = {
  401: '; headers are taken from OTEL_EXPORTER_OTLP_HEADERS',
  403: '; headers are taken from OTEL_EXPORTER_OTLP_HEADERS',
  404: '; is this the address of OTLP over HTTP?',
  405: '; is this the address of OTLP over HTTP?',
  415: '; the collector has to take OTLP as JSON',
};

async function readTextUnlessTooLong({ body }: Response): Promise<string | null> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > answerBytes) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

const partialSuccess = z.object({
  partialSuccess: z
    .object({ rejectedSpans: z.coerce.number().int().min(0).default(0), errorMessage: z.string().default('') })
    .nullish(),
});
const statusMessage = z.object({ message: z.string() });

/** An empty answer means success; anything but JSON does not come from a collector. */
function parseTaken(text: string): Answer {
  const parsed = partialSuccess.safeParse(parseJsonOrUndefined(text.trim() === '' ? '{}' : text));
  if (!parsed.success)
    return {
      kind: 'refused',
      problem: 'answers with something else than OTLP; is this the address of OTLP over HTTP?',
      mayRepeat: false,
    };
  const { rejectedSpans = 0, errorMessage = '' } = parsed.data.partialSuccess ?? {};
  return { kind: 'taken', rejected: rejectedSpans, message: errorMessage.slice(0, shownChars) };
}

function parseStatusMessage(text: string): string {
  const parsed = statusMessage.safeParse(parseJsonOrUndefined(text));
  return (parsed.success ? parsed.data.message : text).trim().slice(0, shownChars);
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
