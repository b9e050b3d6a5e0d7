import type { Context } from 'hono';
import type { Caller } from '#core/access/access.ts';
import { isEqualInConstantTime, hashApiKey } from '#adapters/secrets/keys.ts';
import type { ApiEnv } from '../context.ts';
import { findCallerByShareOrNull } from '../shared-run.ts';

const rootWorkspace = 'main';
/** Id of the deployment's own key. */
export const rootKey = 'root';

/** Returns the key in "Authorization: Bearer ...". */
export const readBearerKey = (c: Context<ApiEnv>): string | undefined =>
  /^Bearer +(\S{1,200})$/i.exec(c.req.header('authorization') ?? '')?.[1];

/** Returns the owner of the request's key, or the reader that a share makes; null without a known key. */
export async function findCallerOfRequest(c: Context<ApiEnv>): Promise<Caller | null> {
  const key = readBearerKey(c);
  if (key === undefined) return null;
  const shared = await findCallerByShareOrNull(c, key);
  if (shared !== null) return shared.ok ? shared.value : null;
  const { settings, directory } = c.var.services;
  const hash = await hashApiKey(key);
  return isEqualInConstantTime(hash, settings.ROOT_KEY_SHA256)
    ? { workspace: rootWorkspace, key: rootKey, scopes: ['admin'] }
    : c.var.knownKeys.findCallerByKeyHash(hash, directory, Date.now());
}
