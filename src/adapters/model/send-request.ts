import { APIError } from 'openai';
import { z } from 'zod';
import { convertGuardError, type BrokenRequest } from '#adapters/network/guard-faults.ts';
import { findGuardError } from '#adapters/network/guarded-fetch.ts';
import type { Place } from '#adapters/network/admission.ts';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import { classifyRefusal, type RefusedConversation } from './refusals.ts';
import { readStreamedCompletion, type StreamedCompletion } from './completion-stream.ts';

/** One request to an endpoint. Its time starts with it; `place` is released when the headers arrive. */
export interface ModelRequest {
  /** Starts the request in the SDK. */
  readonly start: (options: RequestOptions) => { asResponse(): Promise<Response> };
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
  /** Set if the endpoint refused what was asked, because of the conversation itself. */
  readonly refused?: RefusedConversation | undefined;
  /** The answer was longer than allowed. */
  readonly isEndless?: boolean;
}

/** The JSON of an answer; a streamed one is assembled. */
export type Sent = { readonly ok: true; readonly body: unknown } | Broken;

/** Sends a request and reads the answer, streamed or not. Rejects only with PlatformErrors. */
export async function sendRequest({ start, timeoutMs, place }: ModelRequest): Promise<Sent> {
  const deadline = new AbortController();
  const timeout = Math.ceil(timeoutMs);
  const timer = setTimeout(() => deadline.abort(), timeout);
  try {
    const response = await start({ signal: deadline.signal, timeout }).asResponse();
    place.leave();
    const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
    if (!isStream || response.body === null) return parseWholeAnswer(await response.text());
    const sent = convertStreamedCompletion(await readStreamedCompletion(response.body, deadline.signal));
    return !sent.ok && deadline.signal.aborted ? late : sent;
  } catch (error) {
    const stopped = findPlatformError(error);
    if (stopped !== undefined) throw stopped;
    const refused = findGuardError(error);
    if (refused !== undefined) {
      return { ok: false, ...convertGuardError(refused), isEndless: refused.code === 'body-too-large' };
    }
    if (deadline.signal.aborted) return late;
    if (error instanceof APIError && error.status !== undefined) return makeBrokenByRefusal(error);
    return makeBrokenRequest('connection-lost', 'the connection broke', true);
  } finally {
    clearTimeout(timer);
  }
}

function parseWholeAnswer(text: string): Sent {
  const json = parseJsonOrUndefined(text);
  return json === undefined
    ? makeBrokenRequest('malformed-protocol', 'the answer is not JSON', false)
    : { ok: true, body: json.value };
}

function convertStreamedCompletion(streamed: StreamedCompletion): Sent {
  switch (streamed.kind) {
    case 'complete':
      return { ok: true, body: streamed.body };
    case 'cut':
      return makeBrokenRequest('connection-lost', 'the stream ended before the answer', true);
    case 'endless':
      return {
        ...makeBrokenRequest('malformed-protocol', 'the answer is longer than allowed', false),
        isEndless: true,
      };
    case 'malformed':
      return makeBrokenRequest('malformed-protocol', 'the stream is not one of chat completion chunks', false);
    case 'error':
      return makeBrokenByStreamError(streamed.error);
  }
}

const errorBody = z.object({
  code: z.unknown().optional(),
  message: z.string().nullish().catch(null),
  param: z.string().nullish().catch(null),
});

/** An error within an answer whose status was 200. */
function makeBrokenByStreamError(error: unknown): Broken {
  const { code } = errorBody.safeParse(error).data ?? { code: undefined };
  const isLimit = code === 429 || code === 'rate_limit_exceeded' || code === 'insufficient_quota';
  const passing = code !== 'insufficient_quota';
  const detail = `the endpoint broke the answer off${formatErrorCode(code)}`;
  return {
    ...makeBrokenRequest(isLimit ? 'rate-limited' : 'connection-lost', detail, passing),
    refused: classifyRefusal(undefined, { code }),
  };
}

function makeBrokenByRefusal({ status, headers, error }: APIError): Broken {
  const said = errorBody.safeParse(error).data;
  // An account without credit also gets 429; waiting does not help.
  const passing = (status === 429 && said?.code !== 'insufficient_quota') || (status ?? 0) >= 500;
  const code = status === 429 ? 'rate-limited' : 'http-status';
  const detail = `HTTP status ${status}${formatErrorCode(said?.code)}${status === 400 ? refusedOptionText(said) : ''}`;
  return {
    ...makeBrokenRequest(code, detail, passing),
    refused: classifyRefusal(status, said ?? {}),
    ...(status === undefined ? {} : { status }),
    ...(headers === undefined ? {} : { headers }),
  };
}

/**
 * Returns an endpoint's name for its error, if it is one. Its texts are not repeated, because they may contain
 * anything.
 */
const formatErrorCode = (code: unknown): string =>
  (typeof code === 'string' && /^[a-z_]{1,60}$/.test(code)) || typeof code === 'number' ? ` (${code})` : '';

/** Returns which option a refusal names, of those that not every endpoint takes, as a part of a message; empty if it names none. */
function refusedOptionText(said: z.infer<typeof errorBody> | undefined): string {
  const about = /\b(?:stream(?:_options)?|temperature)\b/.exec(`${said?.param ?? ''} ${said?.message ?? ''}`)?.[0];
  return about === undefined ? '' : `: it does not take \`${about}\``;
}

function parseJsonOrUndefined(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const makeBrokenRequest = (code: BrokenRequest['code'], detail: string, transient: boolean) =>
  ({ ok: false, code, detail, transient }) as const;

const late = makeBrokenRequest('timeout', 'no answer in time', false);
