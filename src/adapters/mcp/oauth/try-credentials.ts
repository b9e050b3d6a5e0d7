import type { FetchLike } from '#adapters/network/guarded-fetch.ts';
import type { MachineAuth, StoredMachineAuth } from '#core/catalog/server-auth.ts';
import { chooseSecretMethod, discoverAuthorization } from './discover.ts';
import { OAuthRefusal } from './refusal.ts';
import { requestToken } from './request-token.ts';
import { importSigningKey } from './signing-key.ts';

type PrivateKey = Extract<MachineAuth, { readonly type: 'private-key-jwt' }>['privateKey'];

/**
 * Finds out who gives tokens for a server and asks for one. Returns what is to be stored, with the secret in plain text. Throws an
 * OAuthRefusal that says what does not work.
 */
export async function tryCredentialsAndMakePlainAuth(
  said: MachineAuth,
  url: string,
  fetch: FetchLike,
): Promise<StoredMachineAuth> {
  await throwIfPrivateKeyIsUnusable(said);
  const auth = await discoverIssuerAndMakePlainAuth(said, url, fetch);
  await requestToken(auth, fetch);
  return auth;
}

async function throwIfPrivateKeyIsUnusable(said: MachineAuth): Promise<void> {
  if (said.type !== 'private-key-jwt') return;
  try {
    await importSigningKey(serializePrivateKey(said.privateKey), said.algorithm);
  } catch {
    // The runtime's own words may quote the key.
    throw new OAuthRefusal('http-status', `auth.privateKey is not a key for ${said.algorithm}`);
  }
}

const serializePrivateKey = (key: PrivateKey): string => (typeof key === 'string' ? key : JSON.stringify(key));

async function discoverIssuerAndMakePlainAuth(
  said: MachineAuth,
  url: string,
  fetch: FetchLike,
): Promise<StoredMachineAuth> {
  const { server, resource, scope } = await discoverAuthorization({ url, fetch, issuer: said.issuer });
  const { clientId } = said;
  const { issuer, token_endpoint: tokenEndpoint } = server;
  const found = { clientId, scope: said.scope ?? scope, issuer, tokenEndpoint, resource };
  if (said.type === 'private-key-jwt') {
    const { type, algorithm, keyId, privateKey } = said;
    const ownId = typeof privateKey === 'string' ? undefined : privateKey.kid;
    return { type, ...found, algorithm, keyId: keyId ?? ownId ?? null, secret: serializePrivateKey(privateKey) };
  }
  return { type: said.type, ...found, method: chooseSecretMethod(server), secret: said.clientSecret };
}
