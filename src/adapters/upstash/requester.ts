import type { Requester, UpstashRequest, UpstashResponse } from '@upstash/vector';
import { z } from 'zod';
import { convertGuardErrorToBrokenRequest, type BrokenRequest } from '#adapters/network/guard-faults.ts';
import { findGuardError, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import { findPlatformError } from '#adapters/network/platform-errors.ts';

export interface UpstashEndpoint {
  readonly url: string;
  readonly token: string;
  /** Bounds the answers in bytes and guards the address: makeGuardedFetch. */
  readonly fetch: FetchLike;
  /** Time limit of one request, from its admission. */
  readonly timeoutMs: number;
}

/** The result of one request to Upstash. */
export type UpstashAnswer =
  | { readonly kind: 'result'; readonly result: unknown }
  /** `error` is Upstash's text, or empty. It may repeat the request. */
  | { readonly kind: 'refused'; readonly status: number; readonly headers: Headers; readonly error: string }
  | { readonly kind: 'malformed'; readonly detail: string }
  | ({ readonly kind: 'broken' } & BrokenRequest);

/**
 * The transport of Upstash's clients, whose own knows only the global fetch, waits forever and puts the whole request
 * into its errors. The clients of Upstash Redis and Upstash Vector share it. `exchange` makes the request, as often as
 * it likes, and returns the result; the client passes on what it throws.
 */
export function makeUpstashRequester(
  endpoint: UpstashEndpoint,
  exchange: (once: () => Promise<UpstashAnswer>) => Promise<unknown>,
): Requester {
  const base = endpoint.url.replace(/\/+$/, '');
  return {
    async request<T>({ path = [], body }: UpstashRequest): Promise<UpstashResponse<T>> {
      const address = [base, ...path].join('/');
      const text = JSON.stringify(body);
      const result = await exchange(() => postAndParseAnswer(endpoint, address, text));
      // The client's types are not checked, so callers read the result as unknown and parse it.
      return { result: z.custom<T>().parse(result) };
    },
  };
}

async function postAndParseAnswer(
  { fetch, token, timeoutMs }: UpstashEndpoint,
  address: string,
  body: string,
): Promise<UpstashAnswer> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body,
      signal: deadline.signal,
      hasPlace: true,
    });
    const text = await response.text();
    return response.ok ? parseResult(text) : parseRefusal(response, text);
  } catch (error) {
    const stopped = findPlatformError(error);
    if (stopped !== undefined) throw stopped;
    const refused = findGuardError(error);
    if (refused !== undefined) return { kind: 'broken', ...convertGuardErrorToBrokenRequest(refused) };
    return deadline.signal.aborted
      ? { kind: 'broken', code: 'timeout', detail: `no answer within ${timeoutMs} ms`, transient: false }
      : { kind: 'broken', code: 'connection-lost', detail: 'the connection broke', transient: true };
  } finally {
    clearTimeout(timer);
  }
}

const envelope = z.looseObject({ result: z.unknown() }).refine((body) => body.result !== undefined);
const errorEnvelope = z.looseObject({ error: z.string() });

function parseResult(text: string): UpstashAnswer {
  const body = parseJsonOrUndefined(text);
  if (body === undefined) return { kind: 'malformed', detail: 'the answer is not JSON' };
  const { data } = envelope.safeParse(body);
  if (data === undefined) return { kind: 'malformed', detail: 'the answer has no result' };
  return { kind: 'result', result: data.result };
}

function parseRefusal({ status, headers }: Response, text: string): UpstashAnswer {
  return {
    kind: 'refused',
    status,
    headers,
    error: errorEnvelope.safeParse(parseJsonOrUndefined(text)).data?.error ?? '',
  };
}

/** Undefined if it is not JSON. */
function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
