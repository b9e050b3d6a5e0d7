import type { Requester, UpstashRequest, UpstashResponse } from '@upstash/redis/cloudflare';
import { z } from 'zod';
import type { Admission } from '#adapters/network/admission.ts';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import { findGuardError, type FetchLike } from '#adapters/network/guarded-fetch.ts';

export interface RedisRequesterOptions {
  readonly admission: Admission;
  readonly url: string;
  readonly token: string;
  /** Bounds the answers in bytes and guards the address: guardedFetch. */
  readonly fetch: FetchLike;
  /** Bound of one request, from its admission on. */
  readonly timeoutMs: number;
}

/**
 * Why a command at Upstash Redis came to nothing: thrown through the client, which knows no results but good ones. `refused`: it was
 * reached and would not do it; else it could not be reached. The message has neither address nor token nor anything of the command.
 */
export class RedisFailure extends Error {
  readonly refused: boolean;

  constructor(message: string, refused: boolean) {
    super(message);
    this.name = 'RedisFailure';
    this.refused = refused;
  }
}

/**
 * The wire under the client of Upstash Redis, whose own knows no other fetch than the global one, waits for ever and puts the whole
 * command into its errors. Nothing is repeated: whoever asks knows whether the answer is still wanted.
 */
export function redisRequester({ admission, url, token, fetch, timeoutMs }: RedisRequesterOptions): Requester {
  const base = url.replace(/\/+$/, '');
  const ask = async (address: string, body: unknown): Promise<unknown> => {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    try {
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
        signal: deadline.signal,
        hasPlace: true,
      });
      return resultOf(response, await response.text());
    } catch (error) {
      throw failureOf(error, deadline.signal.aborted ? `no answer within ${timeoutMs} ms` : 'the connection broke');
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    async request<T>({ path = [], body }: UpstashRequest): Promise<UpstashResponse<T>> {
      const result = await admission.hold(() => ask([base, ...path].join('/'), body));
      // What the client says of types is hope: whoever asks reads the result as unknown and parses it.
      return { result: z.custom<T>().parse(result) };
    },
  };
}

const envelope = z.looseObject({ result: z.unknown() }).refine((body) => body.result !== undefined);
const errorEnvelope = z.looseObject({ error: z.string() });

function resultOf({ ok, status }: Response, text: string): unknown {
  const body = parsed(text);
  if (ok) {
    const { data } = envelope.safeParse(body);
    if (data === undefined) throw new RedisFailure('the answer has no result', true);
    return data.result;
  }
  if (status === 401) throw new RedisFailure('HTTP status 401: the database does not accept the token', false);
  const said = errorEnvelope.safeParse(body).data?.error ?? '';
  // Redis begins its errors with a kind in capitals. The rest may repeat the command, and is not repeated here.
  const kind = /^[A-Z]{2,20}(?= |$)/.exec(said)?.[0];
  const refused = status === 400 && kind !== undefined;
  throw new RedisFailure(`HTTP status ${status}${refused ? `: ${kind}` : ''}`, refused);
}

function failureOf(error: unknown, otherwise: string): Error {
  if (error instanceof RedisFailure) return error;
  const stopped = findPlatformError(error);
  if (stopped !== undefined) return stopped;
  return new RedisFailure(findGuardError(error)?.message ?? otherwise, false);
}

/** Undefined where it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
