import { z } from 'zod';
import type { Caller, SharedRun } from '../access.ts';
import { refuse } from '#core/values/errors.ts';
import { ok, type Result } from '#core/values/result.ts';

/** For how many days a link may show a run. */
export const shareDays = z.int().min(1).max(90);

/** A run that can be shared. */
export const sharableRun = z.string().regex(/^(exp|evl)_[A-Za-z0-9]{1,60}$/, 'the id of an exploration or evaluation');

/** What a link shows, and until when, in seconds since 1970. */
export interface Share extends SharedRun {
  readonly workspace: string;
  readonly endsAt: number;
}

/** Returns what a link says, which is then signed. No part has a dot. */
export const shareText = ({ workspace, run, endsAt, revocations }: Share): string =>
  `${workspace}.${run}.${endsAt.toString(36)}.${revocations.toString(36)}`;

/** Returns what a signed text says; null for a text that `shareText` does not make. */
export function parseShareText(text: string): Share | null {
  const [workspace = '', run = '', end = '', revocations = ''] = text.split('.');
  const share = { workspace, run, endsAt: Number.parseInt(end, 36), revocations: Number.parseInt(revocations, 36) };
  return Number.isSafeInteger(share.endsAt) &&
    share.endsAt > 0 &&
    Number.isSafeInteger(share.revocations) &&
    share.revocations >= 0 &&
    sharableRun.safeParse(run).success &&
    shareText(share) === text
    ? share
    : null;
}

/** What the token of a share begins with. Behind it are what it says, a dot and a signature. */
export const shareTokenPrefix = 'sxs_';

/** What the token of a share's card begins with, which is otherwise built alike. */
export const cardTokenPrefix = 'sxc_';

/** Returns the run that a token says it shows, without a look at its signature; null for a key that is no such token. */
export const findRunOfUnverifiedShareTokenOrNull = (key: string): string | null =>
  key.startsWith(shareTokenPrefix)
    ? (parseShareText(key.slice(shareTokenPrefix.length, key.lastIndexOf('.')))?.run ?? null)
    : null;

export const kindOfSharedRun = (run: string): 'exploration' | 'evaluation' =>
  run.startsWith('exp_') ? 'exploration' : 'evaluation';

/** Returns the part of the API's paths that a run's kind has. */
export const resourceOfSharedRun = (run: string): 'explorations' | 'evaluations' => `${kindOfSharedRun(run)}s`;

/** What is shown of a run besides its record: the first part of the path behind its id. */
const shownParts = {
  explorations: ['events', 'units', 'tools', 'transitions', 'richness', 'domains'],
  evaluations: ['events', 'cases', 'tools', 'results', 'compare', 'compare-anytime', 'offering'],
} as const;

/**
 * Returns the caller that a link makes of its reader: one that may read the shared run, and nothing else. Refuses a link that is over, and
 * any other request. A catalog may be asked for; whether it is the run's, the caller of this function has to find out.
 */
export function admitShare(
  share: Share,
  { method, path }: { readonly method: string; readonly path: string },
  nowMs: number,
): Result<Caller> {
  const { workspace, run, endsAt, revocations } = share;
  if (nowMs >= endsAt * 1_000)
    return refuse('unauthorized', `the link ended at ${new Date(endsAt * 1_000).toISOString()}; ask for a new one`);
  const resource = resourceOfSharedRun(run);
  const [, version, asked, id, part] = path.split('/');
  const parts: readonly string[] = shownParts[resource];
  const isShown = asked === resource && id === run && (part === undefined || parts.includes(part));
  if (method !== 'GET' || version !== 'v1' || !(isShown || findCatalogIdInPathOrNull(path) !== null))
    return refuse('forbidden', `the link shows ${run} and can do nothing else`);
  return ok({ workspace, key: `share-${run}`, scopes: ['read'], shared: { run, revocations } });
}

/** Returns the catalog that a path asks for; null if it asks for something else. */
export const findCatalogIdInPathOrNull = (path: string): string | null =>
  /^\/v1\/catalogs\/([^/]+)$/.exec(path)?.[1] ?? null;
