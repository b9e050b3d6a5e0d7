import { calculatePKCECodeChallenge, generateRandomCodeVerifier, type AuthorizationServer } from 'oauth4webapi';
import { checkAddress } from '#adapters/network/address-guard.ts';
import { FetchGuardError, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import type { NewConsent } from '#core/catalog/server-auth.ts';
import { redirectUriOf, type OwnClient } from '#core/catalog/consent/client-metadata.ts';
import { withOfflineAccess, type AskedConsent, type ConsentSecrets } from '#core/catalog/consent/consent.ts';
import { chooseSecretMethod, discoverAuthorization, mayGetSecrets } from './discover.ts';
import { OAuthRefusal, printableStatedText } from './refusal.ts';
import { howToRegisterText, registerClient } from './register-client.ts';

interface StartOptions {
  readonly own: OwnClient;
  /** Guards each address and holds a place for each request. */
  readonly fetch: FetchLike;
  readonly allowLocal: boolean;
}

/** What a consent is bound to, before it has an id and times. */
type Started = Omit<AskedConsent, 'id' | 'workspace' | 'createdAt' | 'expiresAt'>;

/**
 * Finds out who gives tokens for a server, how it knows Sextant, and where a person consents. Throws an OAuthRefusal, or a
 * FetchGuardError for a forbidden address, that says what does not work.
 */
export async function prepareConsent(
  said: NewConsent,
  { own, fetch, allowLocal }: StartOptions,
): Promise<{ readonly asked: Started; readonly secrets: ConsentSecrets }> {
  const { server, resource, scope: named } = await discoverAuthorization({ ...said, fetch });
  const { issuer, token_endpoint: tokenEndpoint, revocation_endpoint: revocation } = server;
  const authorizationEndpoint = authorizationEndpointOrThrow(server, allowLocal);
  const scope = withOfflineAccess(said.scope ?? named, server.scopes_supported);
  const { clientSecret, ...client } = await chooseOrRegisterClient(said, server, scope, own, fetch);
  const verifier = generateRandomCodeVerifier();
  const asked: Started = {
    url: said.url,
    resource,
    scope,
    issuer,
    sendsIssuer: server.authorization_response_iss_parameter_supported === true,
    authorizationEndpoint,
    tokenEndpoint,
    revocationEndpoint: revocation !== undefined && mayGetSecrets(revocation) ? revocation : null,
    ...client,
    redirectUri: redirectUriOf(own.origin),
    challenge: await calculatePKCECodeChallenge(verifier),
  };
  return { asked, secrets: { verifier, clientSecret } };
}

/** Returns where a browser is sent, which has to be as safe as what we send ourselves, and has to know PKCE (MCP, "Authorization Code Protection"). */
function authorizationEndpointOrThrow(server: AuthorizationServer, allowLocal: boolean): string {
  const who = `the authorization server ${printableStatedText(server.issuer)}`;
  const { authorization_endpoint: endpoint, code_challenge_methods_supported: challenges } = server;
  if (endpoint === undefined)
    throw new OAuthRefusal(
      'http-status',
      `${who} asks nobody for consent (it names no authorization endpoint); register the server with the credentials of a machine`,
    );
  const address = checkAddress(endpoint, { allowLocal });
  if (!address.ok) throw new FetchGuardError('address-forbidden', `${who}: ${address.problem.detail}`);
  if (!mayGetSecrets(endpoint))
    throw new OAuthRefusal(
      'malformed-protocol',
      `${who} asks for consent without TLS, at ${printableStatedText(endpoint)}`,
    );
  if (challenges?.includes('S256') !== true)
    throw new OAuthRefusal(
      'malformed-protocol',
      `${who} does not say that it knows PKCE (S256), without which codes can be stolen`,
    );
  return address.value.href;
}

type IdentifiedClient = Pick<AskedConsent, 'clientId' | 'clientSource' | 'clientMethod'> &
  Pick<ConsentSecrets, 'clientSecret'>;

/** In the order of MCP 2025-11-25, "Client Registration Approaches": what the owner registered, our document, registration. */
async function chooseOrRegisterClient(
  { clientId, clientSecret }: NewConsent,
  server: AuthorizationServer,
  scope: string | null,
  { origin, documentUrl }: OwnClient,
  fetch: FetchLike,
): Promise<IdentifiedClient> {
  if (clientId !== undefined) {
    const clientMethod = clientSecret === undefined ? 'none' : chooseSecretMethod(server);
    return { clientId, clientSource: 'pre-registered', clientMethod, clientSecret: clientSecret ?? null };
  }
  const { issuer, registration_endpoint: endpoint, token_endpoint_auth_methods_supported: methods } = server;
  const takesDocuments = server.client_id_metadata_document_supported === true;
  if (takesDocuments && documentUrl !== null)
    return { clientId: documentUrl, clientSource: 'document', clientMethod: 'none', clientSecret: null };
  const who = `the authorization server ${printableStatedText(issuer)}`;
  if (endpoint === undefined) {
    const instead = takesDocuments
      ? 'it takes clients that describe themselves at a public https address, which this deployment does not have (PUBLIC_ORIGIN)'
      : 'it registers no clients by itself';
    throw new OAuthRefusal('http-status', `${who} does not know Sextant: ${instead}; ${howToRegisterText(origin)}`);
  }
  if (!mayGetSecrets(endpoint))
    throw new OAuthRefusal(
      'malformed-protocol',
      `${who} gives secrets without TLS, at ${printableStatedText(endpoint)}`,
    );
  return { clientSource: 'registered', ...(await registerClient({ issuer, endpoint, methods, scope }, origin, fetch)) };
}
