import { APIError as AnthropicError } from '@anthropic-ai/sdk';
import { APIError as OpenAiError } from 'openai';
import { z } from 'zod';
import { convertGuardErrorToBrokenRequest, type BrokenRequest } from '#adapters/network/guard-faults.ts';
import { findGuardError } from '#adapters/network/guarded-fetch.ts';
import type { Place } from '#adapters/network/admission.ts';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import { parseEndpointError, type EndpointError } from './endpoint-error.ts';
import { classifyRefusal, type RefusedConversation } from './refusals.ts';
import { parseUsage, type CountedTokens } from './usage.ts';
import { readStreamedCompletion } from './completion-stream.ts';
import type { StreamedCompletion } from './event-stream.ts';

type ReadStream = (body: ReadableStream<Uint8Array>, signal: AbortSignal) => Promise<StreamedCompletion>;

/** One request to an endpoint. Its time starts with it; `place` is released when the headers arrive. */
export interface ModelRequest {
  /** Starts the request in the SDK. */
  readonly start: (options: RequestOptions) => { asResponse(): Promise<Response> };
  /** Reads an answer that is streamed; by default a chat completion. */
  readonly readStream?: ReadStream | undefined;
  readonly timeoutMs: number;
  readonly place: Place;
}

export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

export interface Broken extends BrokenRequest {
  readonly ok: false;
  readonly headers?: Headers;
  /** The HTTP status of a refusal. */
  readonly status?: number;
  /** What the endpoint said of its error. */
  readonly said?: EndpointError;
  /** Set if the endpoint refused what was asked, because of the conversation itself. */
  readonly refused?: RefusedConversation | undefined;
  /** The tokens of an answer that cannot be used. */
  readonly usage?: Partial<CountedTokens>;
  /** The answer was longer than allowed. */
  readonly isEndless?: boolean;
}

/** The JSON of an answer, a streamed one assembled, and its headers. */
export type Sent = { readonly ok: true; readonly body: unknown; readonly headers: Headers } | Broken;

/** An answer without its headers. */
type Read = { readonly ok: true; readonly body: unknown } | Broken;

/** Sends a request and reads the answer, streamed or not. Rejects only with PlatformErrors. */
export async function sendModelRequest({
  start,
  timeoutMs,
  place,
  readStream = readStreamedCompletion,
}: ModelRequest): Promise<Sent> {
  const deadline = new AbortController();
  const timeout = Math.ceil(timeoutMs);
  const timer = setTimeout(() => deadline.abort(), timeout);
  try {
    const response = await start({ signal: deadline.signal, timeout }).asResponse();
    place.leave();
    const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
    const { headers } = response;
    if (!isStream || response.body === null) return { headers, ...parseUnstreamedAnswer(await response.text()) };
    const sent = convertStreamedCompletion(await readStream(response.body, deadline.signal));
    return !sent.ok && deadline.signal.aborted ? late : { headers, ...sent };
  } catch (error) {
    const stopped = findPlatformError(error);
    if (stopped !== undefined) throw stopped;
    const refused = findGuardError(error);
    if (refused !== undefined) {
      return { ok: false, ...convertGuardErrorToBrokenRequest(refused), isEndless: refused.code === 'body-too-large' };
    }
    if (deadline.signal.aborted) return late;
    if (isHttpRefusal(error) && error.status !== undefined) return makeBrokenRequestByRefusal(error);
    return makeBrokenRequest('connection-lost', 'the connection broke', true);
  } finally {
    clearTimeout(timer);
  }
}

function parseUnstreamedAnswer(text: string): Read {
  const json = tryParseJson(text);
  return json === undefined
    ? makeBrokenRequest('malformed-protocol', 'the answer is not JSON', false)
    : (findErrorInAnswer(json.value) ?? { ok: true, body: json.value });
}

const failedAnswer = z.looseObject({
  error: z.unknown().optional(),
  choices: z
    .array(z.looseObject({ error: z.unknown().optional(), finish_reason: z.unknown().optional() }))
    .optional()
    .catch(undefined),
  usage: z.unknown().optional(),
});

/** Returns the error that an answer with status 200 consists of, or that ended it. */
function findErrorInAnswer(body: unknown): Broken | undefined {
  const read = failedAnswer.safeParse(body).data;
  const choice = read?.choices?.[0];
  const error = read?.error ?? choice?.error ?? (choice?.finish_reason === 'error' ? { message: 'error' } : null);
  return error === null ? undefined : makeBrokenRequestByErrorInAnswer(error, read?.usage);
}

function convertStreamedCompletion(streamed: StreamedCompletion): Read {
  switch (streamed.kind) {
    case 'complete':
      return findErrorInAnswer(streamed.body) ?? { ok: true, body: streamed.body };
    case 'cut':
      return makeBrokenRequest('connection-lost', 'the stream ended before the answer', true);
    case 'endless':
      return {
        ...makeBrokenRequest('malformed-protocol', 'the answer is longer than allowed', false),
        isEndless: true,
      };
    case 'malformed':
      return makeBrokenRequest('malformed-protocol', 'the stream is not one of an answer', false);
    case 'error':
      return makeBrokenRequestByErrorInAnswer(streamed.error, streamed.usage);
  }
}

/** Statuses and codes of errors that do not pass: the request, the key or the account is at fault. */
const lastingCodes: ReadonlySet<string | number> = new Set([400, 401, 402, 403, 404, 413, 422, 'insufficient_quota']);

/** An account without credit gets 429 from OpenAI, 402 from others, 400 from Anthropic; waiting does not help. */
const isAccountWithoutCredit = (status: number | undefined, { codes, message }: EndpointError): boolean =>
  status === 402 || codes.includes('insufficient_quota') || /\bcredit balance is too low\b/i.test(message);

/** Reads an error within an answer whose status was 200: it is one of the endpoint behind, and passes unless its code says otherwise. */
function makeBrokenRequestByErrorInAnswer(error: unknown, usage: unknown): Broken {
  const said = parseEndpointError(error);
  const { codes } = said;
  const isLimit = ['429', 'rate_limit_exceeded', 'rate_limit_error'].some((limit) => codes.map(String).includes(limit));
  const status = codes.map(Number).find((code) => code >= 400 && code < 500);
  const detail = `the endpoint broke the answer off${errorCodeTextOrEmpty(codes)}`;
  return {
    ...makeBrokenRequest(
      isAccountWithoutCredit(status, said) ? 'out-of-credit' : isLimit ? 'rate-limited' : 'connection-lost',
      detail,
      !codes.some((code) => lastingCodes.has(code)),
    ),
    ...(status === undefined ? {} : { status }),
    said,
    refused: classifyRefusal(status, said),
    usage: parseUsage(usage),
  };
}

type Refusal = Readonly<{ status?: number | undefined; headers?: Headers | undefined; error?: unknown }>;

const isHttpRefusal = (error: unknown): error is Refusal =>
  error instanceof OpenAiError || error instanceof AnthropicError;

/** Returns what a refusal by HTTP status means; `error` is its body, in whatever form. */
export function makeBrokenRequestByRefusal({ status, headers, error }: Refusal): Broken {
  const said = parseEndpointError(error);
  const spent = isAccountWithoutCredit(status, said);
  const passing = !spent && (status === 429 || (status ?? 0) >= 500);
  const code = spent ? 'out-of-credit' : status === 429 ? 'rate-limited' : 'http-status';
  const detail = `HTTP status ${status}${errorCodeTextOrEmpty(said.codes)}${status === 400 ? refusedOptionTextOrEmpty(said) : ''}`;
  return {
    ...makeBrokenRequest(code, detail, passing),
    said,
    refused: classifyRefusal(status, said),
    ...(status === undefined ? {} : { status }),
    ...(headers === undefined ? {} : { headers }),
  };
}

/**
 * Returns an endpoint's name for its error, if it is one. Its texts are not repeated, because they may contain
 * anything.
 */
function errorCodeTextOrEmpty(codes: EndpointError['codes']): string {
  // Anthropic's errors have the type `error` around their own.
  const code = codes.find((each) => each !== 'error');
  return (typeof code === 'string' && /^[a-z_]{1,60}$/.test(code)) || typeof code === 'number' ? ` (${code})` : '';
}

/** Returns which option a refusal names, of those that not every endpoint takes, as a part of a message; empty if it names none. */
function refusedOptionTextOrEmpty({ params, message }: EndpointError): string {
  const about = /\b(?:stream(?:_options)?|temperature|reasoning_effort)\b/.exec(`${params.join(' ')} ${message}`)?.[0];
  return about === undefined ? '' : `: it does not take \`${about}\``;
}

function tryParseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const makeBrokenRequest = (code: BrokenRequest['code'], detail: string, transient: BrokenRequest['transient']) =>
  ({ ok: false, code, detail, transient }) as const;

const late = makeBrokenRequest('timeout', 'no answer in time', 'once');
