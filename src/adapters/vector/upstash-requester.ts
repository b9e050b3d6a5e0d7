import type { Requester, UpstashRequest, UpstashResponse } from '@upstash/vector';
import { z } from 'zod';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import { brokenByGuard, type BrokenRequest } from '#adapters/network/guard-faults.ts';
import { findGuardError, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import { repeated, type Repeats } from '#adapters/model/backoff.ts';
import type { FaultCode } from '#core/ports.ts';

export interface RequesterOptions extends Repeats {
  readonly url: string;
  readonly token: string;
  /** Bounds the answers in bytes and guards the address: guardedFetch. */
  readonly fetch: FetchLike;
  /** Bound of one request; a timeout is not repeated. */
  readonly timeoutMs: number;
}

/** Why a request to Upstash came to nothing: thrown through the client, which knows no results but good ones. */
export class UpstashFailure extends Error {
  readonly code: FaultCode;
  /** The namespace that was asked for is not there. */
  readonly noNamespace: boolean;

  constructor({ code, detail, noNamespace = false }: Failure) {
    super(detail);
    this.name = 'UpstashFailure';
    this.code = code;
    this.noNamespace = noNamespace;
  }
}

/**
 * The wire under the client of Upstash, whose own knows no other fetch than the global one, waits for ever and repeats
 * what will not pass. Repeats what may (429, 5xx, no connection); all of Upstash's requests can be repeated.
 */
export function upstashRequester(options: RequesterOptions): Requester {
  const base = options.url.replace(/\/+$/, '');
  return {
    async request<T>({ path = [], body }: UpstashRequest): Promise<UpstashResponse<T>> {
      const address = [base, ...path].join('/');
      const text = JSON.stringify(body);
      const { attempt } = await repeated(() => once(address, text, options), options);
      if (!attempt.ok) throw new UpstashFailure(attempt);
      // What the client says of types is hope: whoever asks reads the result as unknown and parses it.
      return { result: z.custom<T>().parse(attempt.result) };
    },
  };
}

interface Failure extends Omit<BrokenRequest, 'transient'> {
  readonly noNamespace?: boolean;
}

interface Broken extends BrokenRequest, Failure {
  readonly ok: false;
  readonly headers?: Headers;
}

type Attempt = { readonly ok: true; readonly result: unknown } | Broken;

async function once(address: string, body: string, options: RequesterOptions): Promise<Attempt> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), options.timeoutMs);
  try {
    const response = await options.fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${options.token}` },
      body,
      signal: deadline.signal,
      hasPlace: true,
    });
    const text = await response.text();
    return response.ok ? readResult(text) : refusal(response, text);
  } catch (error) {
    const stopped = findPlatformError(error);
    if (stopped !== undefined) throw stopped;
    const refused = findGuardError(error);
    if (refused !== undefined) return { ok: false, ...brokenByGuard(refused) };
    if (deadline.signal.aborted) return broken('timeout', `no answer within ${options.timeoutMs} ms`, false);
    return broken('connection-lost', 'the connection broke', true);
  } finally {
    clearTimeout(timer);
  }
}

const envelope = z.looseObject({ result: z.unknown() }).refine((body) => body.result !== undefined);
const errorEnvelope = z.looseObject({ error: z.string() });

function readResult(text: string): Attempt {
  const body = parsed(text);
  if (!body.ok) return broken('malformed-protocol', 'the answer is not JSON', false);
  const { data } = envelope.safeParse(body.value);
  if (data === undefined) return broken('malformed-protocol', 'the answer has no result', false);
  return { ok: true, result: data.result };
}

function refusal({ status, headers }: Response, text: string): Attempt {
  const body = parsed(text);
  const said = body.ok ? (errorEnvelope.safeParse(body.value).data?.error ?? '') : '';
  // A daily limit does not pass by waiting for seconds.
  const passing = (status === 429 && !/\b(daily|monthly)\b/i.test(said)) || status >= 500;
  const code = status === 429 ? 'rate-limited' : 'http-status';
  const noNamespace = status < 500 && /namespace\b.*(does not exist|not found)/i.test(said);
  return { ...broken(code, `HTTP status ${status}${meaning(status, said)}`, passing), noNamespace, headers };
}

/** What a refusal means. The index's own words are not repeated: anyone's index may say anything. */
function meaning(status: number, said: string): string {
  if (status === 401) return ': the index does not accept the token';
  if (status === 403) return ': the token does not allow this';
  if (status >= 429) return '';
  if (/dimension/i.test(said)) return ': the vectors have another dimension than the index';
  if (/embedding/i.test(said)) return ': the index has no embedding model';
  return '';
}

function parsed(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

const broken = (code: FaultCode, detail: string, transient: boolean) =>
  ({ ok: false, code, detail, transient }) as const;
