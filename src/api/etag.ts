import type { Context } from 'hono';
import { harnessVersion } from '#core/values/harness-version.ts';
import type { ApiEnv } from './context.ts';

/** Cache headers of public answers that change with a leaderboard: fresh for seconds, then revalidated. */
const freshness = 'public, max-age=5';

/** Returns whether an answer changes with a leaderboard and is the same for everybody. */
export const isCacheableForAll = ({ headers }: Response): boolean => headers.get('cache-control') === freshness;

/**
 * Builds an entity tag from ids, numbers and words, and from the harness, because another version may render the same
 * differently.
 */
export const makeEtagFromParts = (...parts: readonly (string | number)[]): string =>
  `"${[harnessVersion, ...parts].map((part) => encodeURIComponent(part)).join('.')}"`;

/** Sets the version of the answer; call it before the answer is built. */
export function setEtagAndCacheHeaders(c: Context<ApiEnv>, etag: string): void {
  c.header('etag', etag);
  c.header('cache-control', freshness);
}

/**
 * Returns whether the client has this version (RFC 9110, the weak comparison of `If-None-Match`). `*` names no version
 * and is ignored, because it means nothing for reads.
 */
export const ifNoneMatchHasEtag = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
