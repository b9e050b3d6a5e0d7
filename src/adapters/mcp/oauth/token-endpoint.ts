import {
  allowInsecureRequests,
  customFetch,
  genericTokenEndpointRequest,
  processGenericTokenEndpointResponse,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  type ClientAuth,
  type TokenEndpointResponse,
} from 'oauth4webapi';
import { z } from 'zod';
import { findGuardError, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import { sleepUnlessAborted, waitBeforeRetryMsOrNull } from '#adapters/network/retry-after.ts';
import { parseRetryAfterMs } from '#core/values/retry-after.ts';
import { tokenUsedUntilMs, type StoredAuth } from '#core/catalog/server-auth.ts';
import { makeOAuthLibraryFetch } from './custom-fetch.ts';
import {
  isBusyOrServerErrorStatus,
  OAuthRefusal,
  makeBusyRefusal,
  printableErrorCode,
  printableStatedText,
} from './refusal.ts';

/** An access token, a secret, and until when it is used, in milliseconds since 1970. */
export interface AccessToken {
  readonly value: string;
  readonly untilMs: number;
}

/** Where tokens are asked for, and for which client. */
export type TokenPlace = Pick<StoredAuth, 'issuer' | 'tokenEndpoint' | 'clientId' | 'resource'>;

/** A request for tokens (RFC 6749, 4 to 6). */
export interface TokenRequest {
  readonly grant: 'client_credentials' | 'authorization_code' | 'refresh_token';
  /** How the client proves who it is. */
  readonly proof: ClientAuth;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Time limit for a token, in milliseconds. */
const usualTimeoutMs = 10_000;

/**
 * Asks for tokens for a resource (RFC 8707), again if the authorization server is busy and says when that is over. Throws an OAuthRefusal
 * that says who refused what.
 */
export async function askForTokens(
  place: TokenPlace,
  { grant, proof, parameters }: TokenRequest,
  fetch: FetchLike,
  timeoutMs = usualTimeoutMs,
): Promise<{ readonly access: AccessToken; readonly refreshToken: string | null }> {
  const server = { issuer: place.issuer, token_endpoint: place.tokenEndpoint };
  const client = { client_id: place.clientId };
  const signal = AbortSignal.timeout(timeoutMs);
  const send = (): Promise<Response> =>
    genericTokenEndpointRequest(
      server,
      client,
      proof,
      grant,
      { ...parameters, resource: place.resource },
      { [customFetch]: makeOAuthLibraryFetch(fetch), [allowInsecureRequests]: true, signal },
    );
  try {
    const { response, sentAtMs } = await sendUntilNotBusy(send, place, Date.now() + timeoutMs, signal);
    const answer = await readTokens(server, client, response);
    if (answer.token_type !== 'bearer')
      throw new OAuthRefusal(
        'malformed-protocol',
        `${authorizationServerPhrase(place)} gave a token that is no bearer token`,
      );
    const access = { value: answer.access_token, untilMs: tokenUsedUntilMs(sentAtMs, answer.expires_in) };
    return { access, refreshToken: answer.refresh_token ?? null };
  } catch (error) {
    if (signal.aborted && findPlatformError(error) === undefined)
      throw new OAuthRefusal('timeout', `${authorizationServerPhrase(place)} did not answer within ${timeoutMs} ms`);
    throw toRefusal(error, place, grant);
  }
}

/** Checks an answer as RFC 6749, 5 demands. Who the person is does not matter, so an ID token is left unread. */
async function readTokens(
  server: Parameters<typeof processGenericTokenEndpointResponse>[0],
  client: Parameters<typeof processGenericTokenEndpointResponse>[1],
  response: Response,
): Promise<TokenEndpointResponse> {
  const body = await response.text();
  const { status, headers } = response;
  return processGenericTokenEndpointResponse(
    server,
    client,
    new Response(withoutIdToken(body), { status, headers: new Headers(headers) }),
  );
}

const fields = z.record(z.string(), z.unknown());

function withoutIdToken(body: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    // The library says what is wrong with it.
    return body;
  }
  const known = fields.safeParse(parsed);
  if (!known.success || !('id_token' in known.data)) return body;
  const { id_token: _left, ...others } = known.data;
  return JSON.stringify(others);
}

/** Sends a request for a token, again if the authorization server is busy and says when that is over, as long as there is time. */
async function sendUntilNotBusy(
  send: () => Promise<Response>,
  place: TokenPlace,
  untilMs: number,
  signal: AbortSignal,
): Promise<{ readonly response: Response; readonly sentAtMs: number }> {
  for (let repeat = 1; ; repeat += 1) {
    const sentAtMs = Date.now();
    const response = await send();
    const { status, headers } = response;
    if (!isBusyOrServerErrorStatus(status)) return { response, sentAtMs };
    await response.body?.cancel();
    const nowMs = Date.now();
    const waitMs = waitBeforeRetryMsOrNull(parseRetryAfterMs(headers, nowMs), repeat, untilMs - nowMs);
    if (waitMs === null) throw makeBusyRefusal(authorizationServerPhrase(place), status);
    await sleepUnlessAborted(waitMs, signal);
  }
}

const authorizationServerPhrase = ({ issuer }: Pick<TokenPlace, 'issuer'>): string =>
  `the authorization server ${printableStatedText(issuer)}`;

/** What the errors of RFC 6749, 5.2 and RFC 8707 mean for the one who registered the server. */
const meanings: Readonly<Record<string, string>> = {
  invalid_client: 'the client id, the secret or the key is wrong',
  invalid_scope: 'it does not give the scope',
  invalid_target: 'it gives no tokens for this server',
};

/** What they mean for one grant. */
const grantMeanings: Readonly<Record<TokenRequest['grant'], Readonly<Record<string, string>>>> = {
  client_credentials: {
    unauthorized_client: 'it does not let this client ask for tokens on its own (client_credentials)',
    unsupported_grant_type: 'it gives no tokens to machines (client_credentials)',
  },
  authorization_code: { invalid_grant: 'the code of the consent is used up, too old, or not for this client' },
  refresh_token: { invalid_grant: 'the consent was withdrawn or has run out' },
};

function toRefusal(error: unknown, place: TokenPlace, grant: TokenRequest['grant']): unknown {
  if (error instanceof OAuthRefusal || findPlatformError(error) !== undefined) return error;
  const guard = findGuardError(error);
  if (guard?.code === 'address-forbidden') return error;
  if (guard !== undefined)
    return new OAuthRefusal('unreachable', `${authorizationServerPhrase(place)} cannot be reached: ${guard.message}`);
  if (error instanceof ResponseBodyError) {
    const meaning = grantMeanings[grant][error.error] ?? meanings[error.error] ?? 'it refuses';
    const detail = `${authorizationServerPhrase(place)} gives no token (${printableErrorCode(error.error)}): ${meaning}`;
    return new OAuthRefusal('http-status', detail, 401, error.error === 'invalid_grant');
  }
  if (error instanceof WWWAuthenticateChallengeError)
    return new OAuthRefusal(
      'http-status',
      `${authorizationServerPhrase(place)} gives no token: ${meanings['invalid_client'] ?? ''}`,
      401,
    );
  return new OAuthRefusal(
    'malformed-protocol',
    `${authorizationServerPhrase(place)} did not answer in the form of RFC 6749`,
  );
}
