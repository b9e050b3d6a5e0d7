import { createMiddleware } from 'hono/factory';
import { allows, type Scope } from '#core/access.ts';
import { constantTimeEqual, hashKey } from '#adapters/secrets/keys.ts';
import type { ApiEnv } from '../context.ts';
import { refusal } from '../problem.ts';

const rootWorkspace = 'main';

/** Lets a request pass whose key is known and has the scope; the caller is in the context from then on. */
export const requires = (scope: Scope) =>
  createMiddleware<ApiEnv>(async (c, next) => {
    const presented = /^Bearer +(\S{1,200})$/i.exec(c.req.header('authorization') ?? '')?.[1];
    if (presented === undefined) throw refusal('unauthorized', 'send a key as "Authorization: Bearer <key>"');
    const { settings, directory } = c.var.services;
    const hash = await hashKey(presented);
    const caller = constantTimeEqual(hash, settings.ROOT_KEY_SHA256)
      ? { workspace: rootWorkspace, key: 'root', scopes: ['admin' as const] }
      : await directory.authenticate(hash);
    if (caller === null) throw refusal('unauthorized', 'the key is not known; it may have been removed');
    if (!allows(caller, scope)) throw refusal('forbidden', `this needs a key with the scope "${scope}"`);
    c.set('caller', caller);
    await next();
  });
