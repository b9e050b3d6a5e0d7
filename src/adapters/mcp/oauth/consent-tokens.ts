import {
  allowInsecureRequests,
  ClientSecretPost,
  customFetch,
  None,
  processRevocationResponse,
  revocationRequest,
  type ClientAuth,
} from 'oauth4webapi';
import type { FetchLike } from '#adapters/network/guarded-fetch.ts';
import type { AskedConsent, ConsentSecrets, GrantedTokens } from '#core/catalog/consent/consent.ts';
import { makeBasicClientAuth } from './basic-authentication.ts';
import { makeOAuthLibraryFetch } from './custom-fetch.ts';
import { askForTokens } from './token-endpoint.ts';

/** A consent with its secrets in plain text, and what sends requests to its authorization server. */
interface OpenConsent {
  readonly asked: AskedConsent;
  readonly secrets: ConsentSecrets;
  readonly fetch: FetchLike;
}

/** Time limit for revoking a token, in milliseconds. */
const revocationMs = 5_000;

/** Exchanges the code of a consent for tokens (RFC 6749, 4.1.3; RFC 7636, 4.5). Throws an OAuthRefusal. */
export async function redeemCode({ asked, secrets, fetch }: OpenConsent, code: string): Promise<GrantedTokens> {
  const parameters = { code, redirect_uri: asked.redirectUri, code_verifier: secrets.verifier };
  const proof = makeClientAuthOfConsent(asked, secrets);
  const { access, refreshToken } = await askForTokens(asked, { grant: 'authorization_code', proof, parameters }, fetch);
  return { accessToken: access.value, untilMs: access.untilMs, refreshToken };
}

/**
 * Exchanges a refresh token for other tokens (RFC 6749, 6). The old one counts as used up; where no other is given, it stays. Throws an
 * OAuthRefusal, `isForGood` if the authorization server takes it no more.
 */
export async function renewTokens(
  { asked, secrets, fetch }: OpenConsent,
  refreshToken: string,
): Promise<GrantedTokens> {
  const request = {
    grant: 'refresh_token',
    proof: makeClientAuthOfConsent(asked, secrets),
    parameters: { refresh_token: refreshToken },
  } as const;
  const { access, refreshToken: next } = await askForTokens(asked, request, fetch);
  return { accessToken: access.value, untilMs: access.untilMs, refreshToken: next ?? refreshToken };
}

/** Revokes what was granted, where the authorization server offers that (RFC 7009). Throws if it does not do it. */
export async function revokeTokens({ asked, secrets, fetch }: OpenConsent, tokens: GrantedTokens): Promise<void> {
  const { revocationEndpoint: endpoint, issuer, clientId } = asked;
  if (endpoint === null) return;
  // Revoking a refresh token ends its access tokens too (RFC 7009, 2.1).
  const { refreshToken, accessToken } = tokens;
  const [token, hint] = refreshToken === null ? [accessToken, 'access_token'] : [refreshToken, 'refresh_token'];
  const response = await revocationRequest(
    { issuer, revocation_endpoint: endpoint },
    { client_id: clientId },
    makeClientAuthOfConsent(asked, secrets),
    token,
    {
      [customFetch]: makeOAuthLibraryFetch(fetch),
      [allowInsecureRequests]: true,
      additionalParameters: { token_type_hint: hint },
      signal: AbortSignal.timeout(revocationMs),
    },
  );
  await processRevocationResponse(response);
}

function makeClientAuthOfConsent({ clientMethod }: AskedConsent, { clientSecret }: ConsentSecrets): ClientAuth {
  if (clientMethod === 'none' || clientSecret === null) return None();
  return clientMethod === 'client_secret_post' ? ClientSecretPost(clientSecret) : makeBasicClientAuth(clientSecret);
}
