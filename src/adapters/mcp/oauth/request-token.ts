import {
  allowInsecureRequests,
  ClientSecretPost,
  clientCredentialsGrantRequest,
  customFetch,
  modifyAssertion,
  PrivateKeyJwt,
  processClientCredentialsResponse,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  type ClientAuth,
} from 'oauth4webapi';
import { findGuardError, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import { parseRetryAfterMs, sleepUnlessAborted, waitBeforeRetryMs } from '#adapters/network/retry-after.ts';
import { tokenUsedUntilMs, type StoredAuth } from '#core/catalog/server-auth.ts';
import { makeBasicClientAuth } from './basic-authentication.ts';
import { makeOAuthLibraryFetch } from './custom-fetch.ts';
import { importSigningKey } from './signing-key.ts';
import { isBusyStatus, OAuthRefusal, makeBusyRefusal, printableErrorCode, printableStatedText } from './refusal.ts';

/** An access token, a secret, and until when it is used, in milliseconds since 1970. */
export interface AccessToken {
  readonly value: string;
  readonly untilMs: number;
}

/** Time limit for a token, in milliseconds. */
const usualTimeoutMs = 10_000;

/** Asks for a token; `auth.secret` is decrypted. Throws an OAuthRefusal that says who refused what. */
export async function requestToken(
  auth: StoredAuth,
  fetch: FetchLike,
  timeoutMs = usualTimeoutMs,
): Promise<AccessToken> {
  const server = { issuer: auth.issuer, token_endpoint: auth.tokenEndpoint };
  const client = { client_id: auth.clientId };
  const parameters = { resource: auth.resource, ...(auth.scope === null ? {} : { scope: auth.scope }) };
  const proof = await makeClientAuth(auth);
  const signal = AbortSignal.timeout(timeoutMs);
  const send = (): Promise<Response> =>
    clientCredentialsGrantRequest(server, client, proof, parameters, {
      [customFetch]: makeOAuthLibraryFetch(fetch),
      [allowInsecureRequests]: true,
      signal,
    });
  try {
    const { response, sentAtMs } = await sendTokenRequestUntilNotBusy(send, auth, Date.now() + timeoutMs, signal);
    const answer = await processClientCredentialsResponse(server, client, response);
    if (answer.token_type !== 'bearer')
      throw new OAuthRefusal(
        'malformed-protocol',
        `${authorizationServerText(auth)} gave a token that is no bearer token`,
      );
    return { value: answer.access_token, untilMs: tokenUsedUntilMs(sentAtMs, answer.expires_in) };
  } catch (error) {
    if (signal.aborted && findPlatformError(error) === undefined)
      throw new OAuthRefusal('timeout', `${authorizationServerText(auth)} did not answer within ${timeoutMs} ms`);
    throw convertToOAuthRefusal(error, auth);
  }
}

/** Sends a request for a token, again if the authorization server is busy and says when that is over, as long as there is time. */
async function sendTokenRequestUntilNotBusy(
  send: () => Promise<Response>,
  auth: StoredAuth,
  untilMs: number,
  signal: AbortSignal,
): Promise<{ readonly response: Response; readonly sentAtMs: number }> {
  for (let repeat = 1; ; repeat += 1) {
    const sentAtMs = Date.now();
    const response = await send();
    const { status, headers } = response;
    if (!isBusyStatus(status)) return { response, sentAtMs };
    await response.body?.cancel();
    const nowMs = Date.now();
    const waitMs = waitBeforeRetryMs(parseRetryAfterMs(headers, nowMs), repeat, untilMs - nowMs);
    if (waitMs === null) throw makeBusyRefusal(authorizationServerText(auth), status);
    await sleepUnlessAborted(waitMs, signal);
  }
}

async function makeClientAuth(auth: StoredAuth): Promise<ClientAuth> {
  if (auth.type === 'client-credentials')
    return auth.method === 'client_secret_post' ? ClientSecretPost(auth.secret) : makeBasicClientAuth(auth.secret);
  const key = await importSigningKey(auth.secret, auth.algorithm);
  // The library would call EdDSA by its newer name (RFC 9864), which few authorization servers know.
  const named = { [modifyAssertion]: (header: Record<string, unknown>) => void (header['alg'] = auth.algorithm) };
  return PrivateKeyJwt(auth.keyId === null ? key : { key, kid: auth.keyId }, named);
}

const authorizationServerText = ({ issuer }: StoredAuth): string =>
  `the authorization server ${printableStatedText(issuer)}`;

/** What the errors of RFC 6749, 5.2 and RFC 8707 mean for the one who registered the server. */
const meanings: Readonly<Record<string, string>> = {
  invalid_client: 'the client id, the secret or the key is wrong',
  invalid_scope: 'it does not give the scope',
  invalid_target: 'it gives no tokens for this server',
  unauthorized_client: 'it does not let this client ask for tokens on its own (client_credentials)',
  unsupported_grant_type: 'it gives no tokens to machines (client_credentials)',
};

function convertToOAuthRefusal(error: unknown, auth: StoredAuth): unknown {
  if (error instanceof OAuthRefusal || findPlatformError(error) !== undefined) return error;
  const guard = findGuardError(error);
  if (guard?.code === 'address-forbidden') return error;
  if (guard !== undefined)
    return new OAuthRefusal('unreachable', `${authorizationServerText(auth)} cannot be reached: ${guard.message}`);
  if (error instanceof ResponseBodyError) {
    const meaning = meanings[error.error] ?? 'it refuses';
    return new OAuthRefusal(
      'http-status',
      `${authorizationServerText(auth)} gives no token (${printableErrorCode(error.error)}): ${meaning}`,
      401,
    );
  }
  if (error instanceof WWWAuthenticateChallengeError)
    return new OAuthRefusal(
      'http-status',
      `${authorizationServerText(auth)} gives no token: ${meanings['invalid_client'] ?? ''}`,
      401,
    );
  return new OAuthRefusal(
    'malformed-protocol',
    `${authorizationServerText(auth)} did not answer in the form of RFC 6749`,
  );
}
