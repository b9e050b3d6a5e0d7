import { ClientSecretPost, modifyAssertion, PrivateKeyJwt, type ClientAuth } from 'oauth4webapi';
import type { FetchLike } from '#adapters/network/guarded-fetch.ts';
import type { StoredMachineAuth } from '#core/catalog/server-auth.ts';
import { makeBasicClientAuth } from './basic-authentication.ts';
import { importSigningKey } from './signing-key.ts';
import { askForTokens, type AccessToken } from './token-endpoint.ts';

/** Asks for a token for a machine; `auth.secret` is decrypted. Throws an OAuthRefusal that says who refused what. */
export async function requestToken(
  auth: StoredMachineAuth,
  fetch: FetchLike,
  timeoutMs?: number,
): Promise<AccessToken> {
  const parameters = auth.scope === null ? {} : { scope: auth.scope };
  const request = { grant: 'client_credentials', proof: await makeClientAuth(auth), parameters } as const;
  return (await askForTokens(auth, request, fetch, timeoutMs)).access;
}

async function makeClientAuth(auth: StoredMachineAuth): Promise<ClientAuth> {
  if (auth.type === 'client-credentials')
    return auth.method === 'client_secret_post' ? ClientSecretPost(auth.secret) : makeBasicClientAuth(auth.secret);
  const key = await importSigningKey(auth.secret, auth.algorithm);
  // The library would call EdDSA by its newer name (RFC 9864), which few authorization servers know.
  const named = { [modifyAssertion]: (header: Record<string, unknown>) => void (header['alg'] = auth.algorithm) };
  return PrivateKeyJwt(auth.keyId === null ? key : { key, kid: auth.keyId }, named);
}
