import type { Context } from 'hono';
import type { Caller } from '#core/access.ts';
import { constantTimeEqual, hashKey } from '#adapters/secrets/keys.ts';
import type { ApiEnv } from '../context.ts';

const rootWorkspace = 'main';
/** What the deployment's own key is called. */
export const rootKey = 'root';

/** What a request presents as "Authorization: Bearer ...". */
export const presented = (c: Context<ApiEnv>): string | undefined =>
  /^Bearer +(\S{1,200})$/i.exec(c.req.header('authorization') ?? '')?.[1];

/** Whose key a request presents; null without a key that is known. */
export async function identified(c: Context<ApiEnv>): Promise<Caller | null> {
  const key = presented(c);
  if (key === undefined) return null;
  const { settings, directory } = c.var.services;
  const hash = await hashKey(key);
  return constantTimeEqual(hash, settings.ROOT_KEY_SHA256)
    ? { workspace: rootWorkspace, key: rootKey, scopes: ['admin'] }
    : c.var.knownKeys.callerOf(hash, directory, Date.now());
}
