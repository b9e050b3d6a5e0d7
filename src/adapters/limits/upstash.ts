import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from '@upstash/redis/cloudflare';
import { err, ok, type Result } from '#core/values/result.ts';
import { windowMs, type RequestAllowance } from '#core/access/request-allowance.ts';

/** Time limit for counting a request. */
const patienceMs = 500;
/** Pause after a failure; otherwise every request would wait for an unreachable database. */
const restMs = 5_000;
const complaintMs = 60_000;

/** State shared by all requests of a process: when to try again, and when it last logged a failure. */
let restsUntil = 0;
let complainedAt = -Infinity;

/**
 * Counts the requests of one key or address at Upstash Redis, in a sliding window of a minute. If the database cannot
 * be reached, the request passes.
 */
export const makeFailOpenUpstashCounter = (
  { url, token }: { readonly url: string; readonly token: string },
  name: string,
) => ({
  async admitRequest(limit: number, now: number): Promise<RequestAllowance> {
    const passing = { allowed: true, limit, remaining: limit - 1, resetMs: windowMs - (now % windowMs) };
    if (now < restsUntil) return passing;
    const answer = await countRequestAndReadAllowance(url, token, name, limit);
    if (answer.ok) return { ...passing, ...answer.value };
    restsUntil = now + restMs;
    if (now - complainedAt >= complaintMs) {
      complainedAt = now;
      console.error(JSON.stringify({ rateLimits: `not counted: Redis ${answer.problem}` }));
    }
    return passing;
  },
});

interface Counted {
  readonly allowed: boolean;
  readonly remaining: number;
}

async function countRequestAndReadAllowance(
  url: string,
  token: string,
  name: string,
  limit: number,
): Promise<Result<Counted, string>> {
  const redis = new Redis({
    url,
    token,
    retry: false,
    enableAutoPipelining: false,
    enableTelemetry: false,
    readYourWrites: false,
    signal: () => AbortSignal.timeout(patienceMs),
  });
  const window = new Ratelimit({
    redis,
    limiter: Ratelimit.slidingWindow(limit, `${windowMs} ms`),
    prefix: 'sextant:requests',
    // The client's local cache would refuse a name until the minute ends, unlike the count, which decides.
    ephemeralCache: false,
    timeout: patienceMs,
    enableTelemetry: false,
  });
  try {
    const { success, remaining, reason } = await window.limit(name);
    return reason === 'timeout' ? err(`did not answer within ${patienceMs} ms`) : ok({ allowed: success, remaining });
  } catch (error) {
    // The client's message may repeat what the database said, so only its kind is logged.
    return err(`failed with ${error instanceof Error ? error.name : 'an unknown error'}`);
  }
}
