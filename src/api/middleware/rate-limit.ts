import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { attemptToken } from '#adapters/secrets/attempt-tokens.ts';
import { constantTimeEqual } from '#adapters/secrets/keys.ts';
import { windowMs, type RequestAllowance } from '#core/request-allowance.ts';
import type { ApiEnv } from '../context.ts';
import { problemResponse } from '../problem.ts';
import { identified, presented } from './identify.ts';
import { networkOf } from './network.ts';

/** Who a request counts for. */
interface Counted {
  readonly policy: 'key' | 'attempt' | 'address';
  readonly name: string;
}

/**
 * Finds out who asks, and lets no more requests a minute pass than the settings allow: for a known key, for an attempt's own token, and for
 * everything else, keys that are not known among it, by the address. One call to a counter a request.
 */
export const countRequests = createMiddleware<ApiEnv>(async (c, next) => {
  const { policy, name } = await whoAsks(c);
  const { services } = c.var;
  const { settings } = services;
  const limit = policy === 'address' ? settings.REQUESTS_PER_MINUTE_PER_ADDRESS : settings.REQUESTS_PER_MINUTE_PER_KEY;
  const allowance = await services.object('requestCounter', `${policy}:${name}`).take(limit, Date.now());
  if (allowance.allowed) await next();
  else c.res = refused(allowance, policy, c.var.requestId);
  c.res.headers.set('ratelimit-policy', `"${policy}";q=${limit};w=${windowMs / 1000}`);
  c.res.headers.set('ratelimit', `"${policy}";r=${allowance.remaining};t=${seconds(allowance)}`);
});

async function whoAsks(c: Context<ApiEnv>): Promise<Counted> {
  const attempt = /^\/mcp\/attempts\/(att_[a-z0-9]{10,60})$/.exec(c.req.path)?.[1];
  if (attempt !== undefined) return (await hasToken(c, attempt)) ? { policy: 'attempt', name: attempt } : byAddress(c);
  const identity = await identified(c);
  c.set('identity', identity);
  return identity === null ? byAddress(c) : { policy: 'key', name: identity.key };
}

/** The network sets the header itself: whatever a client says of its address does not get here. */
const byAddress = (c: Context<ApiEnv>): Counted => ({
  policy: 'address',
  name: networkOf(c.req.header('cf-connecting-ip') ?? ''),
});

async function hasToken(c: Context<ApiEnv>, attempt: string): Promise<boolean> {
  const token = presented(c);
  if (token === undefined) return false;
  return constantTimeEqual(await attemptToken(c.var.services.settings.ENCRYPTION_KEY, attempt), token);
}

/** Rounded up, so that whoever waits as long as it says has waited long enough. */
const seconds = ({ resetMs }: RequestAllowance): number => Math.ceil(resetMs / 1000);

function refused(allowance: RequestAllowance, policy: Counted['policy'], requestId: string): Response {
  const detail = `there may be ${allowance.limit} requests a minute for each ${policy}; the minute ends in ${seconds(allowance)} s`;
  const response = problemResponse({ code: 'too-many-requests', detail }, requestId);
  // A millisecond after the minute's end the first one passes.
  response.headers.set('retry-after', String(Math.floor(allowance.resetMs / 1000) + 1));
  return response;
}
