import { z } from 'zod';
import type { Split } from '#core/units/split.ts';
import { refuse } from '#core/values/errors.ts';
import { ok, type Result } from '#core/values/result.ts';

/** What a key may do. `admin` includes the others. */
export const scope = z.enum(['read', 'run', 'submit', 'admin']);
export type Scope = z.infer<typeof scope>;

/** A run as a link shows it: as long as the links to it were revoked no more often than when the link was made. */
export interface SharedRun {
  readonly run: string;
  readonly revocations: number;
}

/** Who is asking. */
export interface Caller {
  readonly workspace: string;
  readonly key: string;
  readonly scopes: readonly Scope[];
  /** The run that it may read, and nothing else; absent for keys, which do not come from a link. */
  readonly shared?: SharedRun;
}

/** Returns whether the caller's key has a scope, directly or through `admin`. */
export const hasScope = (caller: Caller, wanted: Scope): boolean =>
  caller.scopes.includes('admin') || caller.scopes.includes(wanted);

/** Which units a caller sees: all, or only those that no benchmark holds out. */
export type Sight = 'everything' | 'public';

export const unitSightOfCaller = (caller: Caller): Sight => (hasScope(caller, 'admin') ? 'everything' : 'public');

/** Refuses private units to a key without full rights, because a unit that was read is no longer private. */
export const refuseSplitBeyondSight = (sight: Sight, split: Split | 'all'): Result<null> =>
  split === 'public' || sight === 'everything' ? ok(null) : refuse('forbidden', privateUnits);

/** Why a key may not see private units. */
export const privateUnits = 'private units need a key with the scope "admin"; other keys have the split "public"';

/** A key in a list; its secret is shown once, when it is created. */
export const keyRecord = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(scope),
  createdAt: z.string(),
});
export type KeyRecord = z.infer<typeof keyRecord>;
