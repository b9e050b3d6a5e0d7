import type { Context } from 'hono';
import { harnessVersion } from '#core/harness.ts';
import type { ApiEnv } from './context.ts';

/** What public answers that change with a leaderboard say of themselves: seconds old at most, and then asked for again. */
const freshness = 'public, max-age=5';

/** Whether an answer is one that changes with a leaderboard, the same for everybody. */
export const isPublicPage = ({ headers }: Response): boolean => headers.get('cache-control') === freshness;

/** An entity tag out of parts that are ids, numbers and words, and of the harness: another version may say the same otherwise. */
export const etagOf = (...parts: readonly (string | number)[]): string =>
  `"${[harnessVersion, ...parts].map((part) => encodeURIComponent(part)).join('.')}"`;

/** Says what the answer is a version of; it has to be said before the answer is made. */
export function tagged(c: Context<ApiEnv>, etag: string): void {
  c.header('etag', etag);
  c.header('cache-control', freshness);
}

/**
 * Whether the client holds this version already (RFC 9110, the weak comparison that `If-None-Match` is made by). `*` names no version: it is
 * passed over, as it asks for nothing of what can be read.
 */
export const holds = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
