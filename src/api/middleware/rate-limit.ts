import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { computeAttemptToken } from '#adapters/secrets/attempt-tokens.ts';
import { isEqualInConstantTime } from '#adapters/secrets/keys.ts';
import { readTokenOfModelClient } from '#core/models/gateway/wire.ts';
import { windowMs, type RequestAllowance } from '#core/access/request-allowance.ts';
import type { ApiEnv } from '../context.ts';
import { problemResponse } from '../problem.ts';
import { findCallerOfRequest } from './identify.ts';
import { networkOfAddress } from './network-name.ts';

/** Who a request counts for. */
interface Counted {
  readonly policy: 'key' | 'attempt' | 'address';
  readonly name: string;
}

/**
 * Identifies the caller, and admits no more requests per minute than the settings allow: by known key, by an attempt's
 * own token, and otherwise (including unknown keys) by address. Makes one call to a counter per request.
 */
export const countRequests = createMiddleware<ApiEnv>(async (c, next) => {
  const { policy, name } = await identifyAndChooseCountedClient(c);
  const { services } = c.var;
  const { settings } = services;
  const limit = policy === 'address' ? settings.REQUESTS_PER_MINUTE_PER_ADDRESS : settings.REQUESTS_PER_MINUTE_PER_KEY;
  const allowance = await services.object('requestCounter', `${policy}:${name}`).admitRequest(limit, Date.now());
  if (allowance.allowed) await next();
  else c.res = tooManyRequestsResponse(allowance, policy, c.var.requestId);
  c.res.headers.set('ratelimit-policy', `"${policy}";q=${limit};w=${windowMs / 1000}`);
  c.res.headers.set('ratelimit', `"${policy}";r=${allowance.remaining};t=${secondsUntilReset(allowance)}`);
});

async function identifyAndChooseCountedClient(c: Context<ApiEnv>): Promise<Counted> {
  const attempt = /^\/(?:mcp\/attempts\/(?=[^/]+$)|models\/attempts\/)(att_[a-z0-9]{10,60})(?=\/|$)/.exec(
    c.req.path,
  )?.[1];
  if (attempt !== undefined)
    return (await presentsTokenOfAttempt(c, attempt))
      ? { policy: 'attempt', name: attempt }
      : countedClientOfAddress(c);
  const identity = await findCallerOfRequest(c);
  c.set('identity', identity);
  return identity === null ? countedClientOfAddress(c) : { policy: 'key', name: identity.key };
}

/** The network sets this header itself, so a client cannot forge its address. */
const countedClientOfAddress = (c: Context<ApiEnv>): Counted => ({
  policy: 'address',
  name: networkOfAddress(c.req.header('cf-connecting-ip') ?? ''),
});

async function presentsTokenOfAttempt(c: Context<ApiEnv>, attempt: string): Promise<boolean> {
  const token = readTokenOfModelClient(c.req.raw.headers);
  if (token === undefined) return false;
  return isEqualInConstantTime(await computeAttemptToken(c.var.services.settings.ENCRYPTION_KEY, attempt), token);
}

/** Rounded up, so that waiting as long as it says is enough. */
const secondsUntilReset = ({ resetMs }: RequestAllowance): number => Math.ceil(resetMs / 1000);

function tooManyRequestsResponse(allowance: RequestAllowance, policy: Counted['policy'], requestId: string): Response {
  const detail = `there may be ${allowance.limit} requests a minute for each ${policy}; the minute ends in ${secondsUntilReset(allowance)} s`;
  const response = problemResponse({ code: 'too-many-requests', detail }, requestId);
  // One millisecond after the minute's end the first request passes.
  response.headers.set('retry-after', String(Math.floor(allowance.resetMs / 1000) + 1));
  return response;
}
