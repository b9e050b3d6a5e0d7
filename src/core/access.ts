import { z } from 'zod';

/** What a key may do. `admin` includes the others. */
export const scope = z.enum(['read', 'run', 'submit', 'admin']);
export type Scope = z.infer<typeof scope>;

/** Who is asking. */
export interface Caller {
  readonly workspace: string;
  readonly key: string;
  readonly scopes: readonly Scope[];
}

/** Whether the caller's key has a scope, itself or through `admin`. */
export const allows = (caller: Caller, wanted: Scope): boolean =>
  caller.scopes.includes('admin') || caller.scopes.includes(wanted);

/** A key as it is listed; its secret is shown once, when it is made. */
export const keyRecord = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(scope),
  createdAt: z.string(),
});
export type KeyRecord = z.infer<typeof keyRecord>;
