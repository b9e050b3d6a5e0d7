import type { z } from '@hono/zod-openapi';
import { findOAuthRefusal } from '#adapters/mcp/oauth/refusal.ts';
import { obtainTokenAndMakeStoredAuth } from '#adapters/mcp/oauth/try-credentials.ts';
import type { ServerAuth } from '#adapters/mcp/oauth/tokens.ts';
import { checkAddress } from '#adapters/network/address-guard.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { findGuardError, makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import type { Settings } from '#adapters/settings.ts';
import { authEncryptionContext, ownersAuth, type OwnersAuth, type StoredAuth } from '#core/catalog/server-auth.ts';
import type { ErrorCode } from '#core/errors.ts';
import type { FaultCode } from '#core/faults.ts';
import { refusal } from './problem.ts';
import { decryptOrRefuse, encryptOrRefuse } from './secrets.ts';

/** How Sextant proves to a server who calls. */
export const authSchema = ownersAuth.openapi('ServerAuth', {
  description:
    'OAuth 2.1 for machines: tokens are asked for by `client_credentials`, with a secret (`client-credentials`) or an assertion signed by a private key (`private-key-jwt`). The authorization server is the one that the server names (RFC 9728); with `issuer` no other gets the credentials. A token is asked for when a connection is made and again before it runs out. Secrets are encrypted and never returned.',
});

interface StatedSecrets {
  readonly auth?: OwnersAuth | null | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Refuses a request in which both `auth` and `headers` say who calls. */
export function refuseTwoAuthorizations(
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
  'server-unreachable',
  'server-rate-limited',
  'server-unauthorized',
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

/** Finds out who gives tokens for a server, tries the credentials, and returns what is stored of them; refuses with the reason. */
export async function tryAndStoreAuthOrRefuse(
  settings: Settings,
  said: OwnersAuth,
  url: string,
  admission: Admission,
): Promise<ServerAuth> {
  const allowLocal = settings.ALLOW_LOCAL_SERVERS;
  const address = checkAddress(url, { allowLocal });
  if (!address.ok) throw refusal('address-forbidden', address.problem.detail);
  const fetch = makeGuardedFetch({ admission, allowLocal, maxBytes: maxAnswerBytes, timeoutMs });
  try {
    const auth = await obtainTokenAndMakeStoredAuth(said, address.value.href, fetch);
    const secret = await encryptOrRefuse(settings, auth.secret, authEncryptionContext(auth.tokenEndpoint));
    return { stored: { ...auth, secret }, secret: auth.secret };
  } catch (error) {
    const refused = findOAuthRefusal(error);
    if (refused !== undefined) throw refusal(codes[refused.code] ?? 'server-unauthorized', refused.message);
    const guard = findGuardError(error);
    if (guard === undefined) throw error;
    throw refusal(guard.code === 'address-forbidden' ? guard.code : 'server-unreachable', guard.message);
  }
}

/** Returns how a server is authorized, with the secret decrypted; undefined if it is not. */
export async function decryptAuthOrRefuse(
  settings: Settings,
  stored: StoredAuth | null,
): Promise<ServerAuth | undefined> {
  if (stored === null) return undefined;
  return {
    stored,
    secret: await decryptOrRefuse(settings, stored.secret, authEncryptionContext(stored.tokenEndpoint)),
  };
}
