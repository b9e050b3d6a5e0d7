import { documented } from '#api/documented.ts';
import type { z } from '@hono/zod-openapi';
import { findOAuthRefusal } from '#adapters/mcp/oauth/refusal.ts';
import { tryCredentialsAndMakePlainAuth } from '#adapters/mcp/oauth/try-credentials.ts';
import type { ServerAuth } from '#adapters/mcp/oauth/tokens.ts';
import { checkAddress } from '#adapters/network/address-guard.ts';
import { findGuardError, makeGuardedFetch, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import { isIssuedConsentId } from '#adapters/secrets/consent-state.ts';
import type { Settings } from '#adapters/settings.ts';
import {
  authEncryptionContext,
  ownersAuth,
  type MachineAuth,
  type OwnersAuth,
  type StoredAuth,
} from '#core/catalog/server-auth.ts';
import type { ServerRecord } from '#core/catalog/server.ts';
import { noSuchConsent, type ConsentRecord } from '#core/catalog/consent/consent.ts';
import type { ErrorCode } from '#core/values/errors.ts';
import type { FaultCode } from '#core/models/faults.ts';
import type { ApiEnv, Services } from './context.ts';
import { refusal, unwrap } from './problem.ts';
import type { ConsentService } from './services.ts';
import { decryptOrRefuse, encryptOrRefuse } from './secrets.ts';

/** How Sextant proves to a server who calls. */
export const authSchema = documented(ownersAuth, 'ServerAuth', {
  description:
    'OAuth 2.1. `authorization-code` is a consent that a person has given in a browser (`POST /v1/consents`), and that no other server has. For machines, tokens are asked for by `client_credentials`, with a secret (`client-credentials`) or an assertion signed by a private key (`private-key-jwt`). The authorization server is the one that the server names (RFC 9728); with `issuer` no other gets the credentials. A token is asked for when a connection is made and again before it runs out. Secrets are encrypted and never returned.',
});

interface StatedSecrets {
  readonly auth?: OwnersAuth | null | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Refuses a request in which both `auth` and `headers` say who calls. */
export function addIssueIfTwoAuthorizations(
  { auth = null, headers = {} }: StatedSecrets,
  context: Pick<z.RefinementCtx, 'addIssue'>,
): void {
  if (auth === null || Object.keys(headers).every((name) => name.toLowerCase() !== 'authorization')) return;
  const message = 'leave the header authorization out: with auth it is a token';
  context.addIssue({ code: 'custom', path: ['headers'], message });
}

/** What may be wrong with authorization, besides what may be wrong with any request. */
export const authProblems = [
  'address-forbidden',
  'host-not-proven',
  'server-unreachable',
  'server-rate-limited',
  'server-unauthorized',
  'consent-needed',
] as const;

/** Time limit of each request of the discovery, and for a token. */
const timeoutMs = 15_000;
const maxAnswerBytes = 256 * 1024;

/** What faults of an authorization server mean for the request. The others are about the credentials. */
const codes: Partial<Record<FaultCode, ErrorCode>> = {
  unreachable: 'server-unreachable',
  timeout: 'server-unreachable',
  'rate-limited': 'server-rate-limited',
};

/** Where a server is, or will be, registered. */
interface RegisteredServer {
  readonly id: string;
  readonly url: string;
}

/**
 * Prepares how a server is authorized, undefined if nothing was said, and does something with it. If that fails, the consent that the server
 * would have had can be given to another one.
 */
export async function runWithPreparedServerAuth<T>(
  vars: ApiEnv['Variables'],
  said: OwnersAuth | null | undefined,
  server: RegisteredServer,
  use: (auth: ServerAuth | undefined) => Promise<T>,
): Promise<T> {
  if (said === null || said === undefined) return use(undefined);
  if (said.type !== 'authorization-code') return use(await prepareMachineAuthOrRefuse(vars, said, server.url));
  const { services, caller } = vars;
  if (!(await isIssuedConsentId(services.settings.ENCRYPTION_KEY, said.consent)))
    throw refusal('consent-needed', noSuchConsent);
  const stored = unwrap(
    await services.object('consent', said.consent).claimForServer(caller.workspace, server.id, server.url),
  );
  try {
    return await use({ stored, ask: (spent) => services.object('consent', stored.consent).giveToken(spent) });
  } catch (error) {
    await services.object('consent', stored.consent).release(server.id);
    throw error;
  }
}

/** Returns the object of a consent; refuses an id that the deployment has not given out. */
export async function requireConsentObject(services: Services, id: string): Promise<ConsentService> {
  if (await isIssuedConsentId(services.settings.ENCRYPTION_KEY, id)) return services.object('consent', id);
  throw refusal('not-found', noSuchConsent);
}

/** Finds out who gives tokens for a server, tries the credentials, and returns what is stored of them; refuses with the reason. */
async function prepareMachineAuthOrRefuse(
  vars: ApiEnv['Variables'],
  said: MachineAuth,
  url: string,
): Promise<ServerAuth> {
  const { settings } = vars.services;
  return runAuthRequestsOrThrowRefusal(settings, url, vars, async (address, fetch) => {
    const auth = await tryCredentialsAndMakePlainAuth(said, address, fetch);
    const secret = await encryptOrRefuse(settings, auth.secret, authEncryptionContext(auth.tokenEndpoint));
    return { stored: { ...auth, secret }, secret: auth.secret };
  });
}

/** Asks about the authorization of a server at an address, and refuses with the reason if that fails. */
export async function runAuthRequestsOrThrowRefusal<T>(
  settings: Settings,
  url: string,
  { admission, admit }: Pick<ApiEnv['Variables'], 'admission' | 'admit'>,
  ask: (address: string, fetch: FetchLike) => Promise<T>,
): Promise<T> {
  const allowLocal = settings.ALLOW_LOCAL_SERVERS;
  const address = checkAddress(url, { allowLocal });
  if (!address.ok) throw refusal('address-forbidden', address.problem.detail);
  const fetch = makeGuardedFetch({ admission, allowLocal, maxBytes: maxAnswerBytes, timeoutMs, admit });
  try {
    return await ask(address.value.href, fetch);
  } catch (error) {
    const refused = findOAuthRefusal(error);
    if (refused !== undefined) throw refusal(codes[refused.code] ?? 'server-unauthorized', refused.message);
    const guard = findGuardError(error);
    if (guard === undefined) throw error;
    if (guard.code === 'not-proven') throw refusal('host-not-proven', guard.message);
    throw refusal(guard.code === 'address-forbidden' ? guard.code : 'server-unreachable', guard.message);
  }
}

/** Returns how a server is authorized, with the secret decrypted; undefined if it is not. */
export async function decryptAuthOrRefuse(
  services: Services,
  stored: StoredAuth | null,
): Promise<ServerAuth | undefined> {
  if (stored === null) return undefined;
  if (stored.type === 'authorization-code')
    return { stored, ask: (spent) => services.object('consent', stored.consent).giveToken(spent) };
  const { settings } = services;
  return {
    stored,
    secret: await decryptOrRefuse(settings, stored.secret, authEncryptionContext(stored.tokenEndpoint)),
  };
}

/** Returns the consent that a server rests on; null if on none. */
export const findConsentObject = (services: Services, stored: StoredAuth | null): ConsentService | null =>
  stored?.type === 'authorization-code' ? services.object('consent', stored.consent) : null;

/** Returns the consent that a server rests on as clients see it; null if on none, or if it is gone. */
export async function describeConsent(
  { services, caller }: ApiEnv['Variables'],
  { auth }: Pick<ServerRecord, 'auth'>,
): Promise<ConsentRecord | null> {
  if (auth?.consent == null) return null;
  const read = await services.object('consent', auth.consent).describe(caller.workspace);
  return read.ok ? read.value : null;
}
