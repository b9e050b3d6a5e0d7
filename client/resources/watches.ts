import { z } from 'zod';
import { incident } from '#core/reports/watch/incident.ts';
import { pastVisit, watchRecord, type WatchedCall, type WatchRecord } from '#core/reports/watch/record.ts';
import { yieldItemsOfAllPages, type ListOptions } from '../http/pages.ts';
import { escapedPath, type Transport } from '../http/transport.ts';

/** What a new watch is to do. */
export interface NewWatch {
  readonly server: string;
  readonly everyHours?: number;
  readonly hold?: boolean;
  readonly public?: boolean;
  readonly webhook?: string;
  readonly calls?: readonly WatchedCall[];
  readonly agents?: { readonly evaluation: string; readonly everyDays?: number };
}

const made = z.object({ watch: watchRecord, secret: z.string().nullable() });
const shown = z.object({ watch: watchRecord, incidents: z.array(incident), visits: z.array(pastVisit) });
export type ShownWatch = z.infer<typeof shown>;

/** Watches on servers. */
export const makeWatchesClient = (transport: Transport) => {
  const post = (path: string): Promise<WatchRecord> =>
    transport.requestJson(watchRecord, { method: 'POST', path, repeatable: false });
  return {
    /** The secret by which messages are signed is in the answer, once; null without a webhook. */
    create: (wanted: NewWatch): Promise<z.infer<typeof made>> =>
      transport.requestJson(made, { method: 'POST', path: '/v1/watches', json: wanted, repeatable: false }),
    list: (options?: ListOptions): AsyncGenerator<WatchRecord, void, undefined> =>
      yieldItemsOfAllPages(transport, watchRecord, '/v1/watches', {}, options),
    get: (id: string): Promise<ShownWatch> =>
      transport.requestJson(shown, { method: 'GET', path: escapedPath`/v1/watches/${id}`, repeatable: true }),
    visit: (id: string) => post(escapedPath`/v1/watches/${id}/visits`),
    accept: (id: string, number: number) => post(escapedPath`/v1/watches/${id}/incidents/${String(number)}/accept`),
    test: (id: string) => post(escapedPath`/v1/watches/${id}/test`),
    pause: (id: string) => post(escapedPath`/v1/watches/${id}/pause`),
    resume: (id: string) => post(escapedPath`/v1/watches/${id}/resume`),
    remove: (id: string): Promise<void> =>
      transport.requestNoContent({ method: 'DELETE', path: escapedPath`/v1/watches/${id}`, repeatable: true }),
  };
};
