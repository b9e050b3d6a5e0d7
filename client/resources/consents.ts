import { z } from 'zod';
import type { NewConsent } from '#core/catalog/server-auth.ts';
import { consentRecord, type ConsentRecord } from '#core/catalog/consent/consent.ts';
import { escapedPath, type Transport } from '../http/transport.ts';

const startedConsent = z.object({ consent: consentRecord, page: z.string() });

/** A consent that was asked for, and the page on which a person answers. */
export type StartedConsent = z.infer<typeof startedConsent>;

/** Consents of people to servers that want OAuth. */
export const makeConsentsClient = (transport: Transport) => ({
  /** Asks for a consent; each call asks for another one. */
  ask: (asked: NewConsent): Promise<StartedConsent> =>
    transport.requestJson(startedConsent, { method: 'POST', path: '/v1/consents', json: asked, repeatable: false }),

  get: (id: string): Promise<ConsentRecord> =>
    transport.requestJson(consentRecord, { method: 'GET', path: escapedPath`/v1/consents/${id}`, repeatable: true }),
});
