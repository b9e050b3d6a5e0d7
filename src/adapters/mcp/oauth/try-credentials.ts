import { z } from 'zod';
import type { FetchLike } from '#adapters/network/guarded-fetch.ts';
import type { OwnersAuth, StoredAuth } from '#core/catalog/server-auth.ts';
import { discoverAuthorization } from './discover.ts';
import { OAuthRefusal } from './refusal.ts';
import { requestToken } from './request-token.ts';
import { importSigningKey } from './signing-key.ts';

type PrivateKey = Extract<OwnersAuth, { readonly type: 'private-key-jwt' }>['privateKey'];

/**
 * Finds out who gives tokens for a server and asks for one. Returns what is to be stored, with the secret in plain text. Throws an
 * OAuthRefusal that says what does not work.
 */
export async function obtainTokenAndMakeStoredAuth(
  said: OwnersAuth,
  url: string,
  fetch: FetchLike,
): Promise<StoredAuth> {
  await refuseUnusableKey(said);
  const auth = await discoverAuth(said, url, fetch);
  await requestToken(auth, fetch);
  return auth;
}

async function refuseUnusableKey(said: OwnersAuth): Promise<void> {
  if (said.type !== 'private-key-jwt') return;
  try {
    await importSigningKey(serializePrivateKey(said.privateKey), said.algorithm);
  } catch {
    // The runtime's own words may quote the key.
    throw new OAuthRefusal('http-status', `auth.privateKey is not a key for ${said.algorithm}`);
  }
}

const serializePrivateKey = (key: PrivateKey): string => (typeof key === 'string' ? key : JSON.stringify(key));

async function discoverAuth(said: OwnersAuth, url: string, fetch: FetchLike): Promise<StoredAuth> {
  const { server, resource, scope } = await discoverAuthorization({ url, fetch, issuer: said.issuer });
  const { clientId } = said;
  const { issuer, token_endpoint: tokenEndpoint } = server;
  const found = { clientId, scope: said.scope ?? scope, issuer, tokenEndpoint, resource };
  if (said.type === 'private-key-jwt') {
    const { type, algorithm, keyId, privateKey } = said;
    const ownId = typeof privateKey === 'string' ? undefined : privateKey.kid;
    return { type, ...found, algorithm, keyId: keyId ?? ownId ?? null, secret: serializePrivateKey(privateKey) };
  }
  const methods = z.array(z.string()).safeParse(server.token_endpoint_auth_methods_supported).data;
  // Basic is what every server takes that does not say what it takes (RFC 8414, 2).
  const isPostOnly = methods !== undefined && !methods.includes('client_secret_basic');
  const method = isPostOnly ? 'client_secret_post' : 'client_secret_basic';
  return { type: said.type, ...found, method, secret: said.clientSecret };
}
