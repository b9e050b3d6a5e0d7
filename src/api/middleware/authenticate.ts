import { createMiddleware } from 'hono/factory';
import { hasScope, type Scope } from '#core/access/access.ts';
import type { ApiEnv } from '../context.ts';
import { refusal, Refusal } from '../problem.ts';
import { findCallerByShareOrNull, requireSharedRun } from '../shared-run.ts';
import { readBearerKey } from './identify.ts';

/** Admits a request with a known key that has one of the scopes, and puts the caller into the context. */
export const admitCallerWithScope = (...scopes: readonly [Scope, ...Scope[]]) =>
  createMiddleware<ApiEnv>(async (c, next) => {
    const key = readBearerKey(c);
    if (key === undefined) throw refusal('unauthorized', 'send a key as "Authorization: Bearer <key>"');
    const { identity: caller } = c.var;
    if (caller === null) {
      const shared = await findCallerByShareOrNull(c, key);
      if (shared?.ok === false) throw new Refusal(shared.problem);
      throw refusal('unauthorized', 'the key is not known; it may have been removed');
    }
    if (!scopes.some((scope) => hasScope(caller, scope))) {
      const wanted = scopes.map((scope) => `"${scope}"`).join(' or ');
      throw refusal('forbidden', `this needs a key with the scope ${wanted}`);
    }
    if (caller.shared !== undefined) await requireSharedRun(c, caller.workspace, caller.shared);
    c.set('caller', caller);
    await next();
  });
