import type { z } from 'zod';
import { shareRecord, type newShare, type ShareRecord } from '#core/access/share/share-record.ts';
import { escapedPath, type Transport } from '../http/transport.ts';

/** Links that show one run. */
export const makeSharesClient = (transport: Transport) => ({
  /** Makes a link that shows an exploration or an evaluation. Nothing is stored, so the call is repeatable. */
  create: (wanted: z.input<typeof newShare>): Promise<ShareRecord> =>
    transport.requestJson(shareRecord, { method: 'POST', path: '/v1/shares', json: wanted, repeatable: true }),
  /** Ends all links to a run that were made so far. */
  revoke: (run: string): Promise<void> =>
    transport.requestNoContent({ method: 'DELETE', path: escapedPath`/v1/shares/${run}`, repeatable: true }),
});
