import { z } from 'zod';
import { keyRecord, type KeyRecord, type Scope } from '#core/access/access.ts';
import { yieldItemsOfAllPages, type ListOptions } from '../http/pages.ts';
import { escapedPath, type Transport } from '../http/transport.ts';

const newKey = keyRecord.extend({ secret: z.string() });

/** A key with its secret, which is shown once. */
export type NewKey = z.infer<typeof newKey>;

/** Keys of the workspace; they need the scope `admin`. */
export const makeKeysClient = (transport: Transport) => ({
  /** Creates the key for another workspace if one is named, which only the root key may do. */
  create: (name: string, scopes: readonly Scope[], workspace?: string): Promise<NewKey> =>
    transport.requestJson(newKey, {
      method: 'POST',
      path: '/v1/keys',
      json: { name, scopes, workspace },
      repeatable: false,
    }),

  list: (options?: ListOptions): AsyncGenerator<KeyRecord, void, undefined> =>
    yieldItemsOfAllPages(transport, keyRecord, '/v1/keys', {}, options),

  remove: (id: string): Promise<void> =>
    transport.requestNoContent({ method: 'DELETE', path: escapedPath`/v1/keys/${id}`, repeatable: false }),
});
