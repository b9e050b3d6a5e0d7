import { z } from '@hono/zod-openapi';
import { canonicalJson, sha256Hex } from '#core/values/canonical.ts';
import type { Result } from '#core/values/result.ts';
import type { IdempotencyKey } from '#core/access/idempotency.ts';
import { newId } from './ids.ts';
import { unwrap } from './problem.ts';
import type { WorkspaceService } from './services.ts';

/** The header that makes a creating call repeatable. */
export const idempotencyHeader = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, '1 to 200 visible ASCII characters')
    .optional(),
});

/** A creating call with its idempotency key. Only a valid call uses up its key. */
export interface CreatingCall {
  /** Returns what an earlier call with the same key and body created, as `read` finds it; null if there is nothing. */
  findEarlier<T>(read: (id: string) => Promise<Result<T>>): Promise<T | null>;
  /** Returns the id for what this call creates; two simultaneous calls with the same key get the same one. */
  newId(prefix: string, now: Date): Promise<string>;
}

export function makeRepeatableCreatingCall(
  workspace: WorkspaceService,
  kind: string,
  key: string | undefined,
  body: unknown,
): CreatingCall {
  if (key === undefined) {
    return { findEarlier: async () => null, newId: async (prefix, now) => newId(prefix, now) };
  }
  const name = `${kind}:${key}`;
  const bodyFingerprint = () => sha256Hex(canonicalJson(body));
  return {
    async findEarlier(read) {
      const id = unwrap(await workspace.findReservation(name, await bodyFingerprint()));
      const made = id === null ? null : await read(id);
      return made?.ok === true ? made.value : null;
    },
    newId: async (prefix, now) =>
      unwrap(await workspace.reserveIdempotencyKey(name, await bodyFingerprint(), newId(prefix, now))).resource,
  };
}

/** Returns a key for an object that stores its own creations by key; null if the call has none. */
export async function makeFingerprintedKeyOrNull(
  key: string | undefined,
  body: unknown,
): Promise<IdempotencyKey | null> {
  return key === undefined ? null : { key, fingerprint: await sha256Hex(canonicalJson(body)) };
}
