import type { Admission } from '#adapters/network/admission.ts';
import type { FetchLike, GuardedInit } from '#adapters/network/guarded-fetch.ts';
import type { StoredAuth, StoredConsentAuth, StoredMachineAuth } from '#core/catalog/server-auth.ts';
import type { FaultCode } from '#core/models/faults.ts';
import type { Result } from '#core/values/result.ts';
import { parseChallengeOrNull } from './challenge.ts';
import { OAuthRefusal, printableErrorCode, printableStatedText } from './refusal.ts';
import { requestToken } from './request-token.ts';
import type { AccessToken } from './token-endpoint.ts';

/** Grants whose tokens are kept in memory at most. */
const mostKept = 500;
/** Tokens of one grant that are remembered, the present one among them: servers may repeat any that a call was made with. */
const mostRemembered = 8;

interface KeptToken {
  readonly token: AccessToken;
  /** The latest first, the present one among them. */
  readonly recent: readonly string[];
}

/**
 * The tokens of this isolate, by the encrypted secret or the consent that they were given for. Values alone: a promise of another invocation
 * must not be awaited.
 */
const kept = new Map<string, KeptToken>();

/** Requests for tokens under way, by the invocation that makes them and what they are given for. */
const underWay = new WeakMap<Admission, Map<string, Promise<AccessToken>>>();

/** Why a consent gives no token. */
export interface TokenFault {
  readonly code: FaultCode;
  /** One sentence for a person, without secrets. */
  readonly detail: string;
  readonly status: number | null;
}

/**
 * Asks the object that keeps a consent for a token: another one than `spent`, which is used up or refused. The object renews tokens for
 * all isolates, one at a time, because a refresh token may be used only once.
 */
export type AskConsent = (spent: string | null) => Promise<Result<AccessToken, TokenFault>>;

/** How to authorize requests to a server: what is stored, with the decrypted secret or with the consent that has the tokens. */
export type ServerAuth =
  | { readonly stored: StoredMachineAuth; readonly secret: string }
  | { readonly stored: StoredConsentAuth; readonly ask: AskConsent };

/** What the tokens of a server are given for. */
const grantKeyOf = ({ stored }: ServerAuth): string =>
  stored.type === 'authorization-code' ? `consent ${stored.consent}` : stored.secret;

/** What a fetch with tokens needs besides the credentials. */
interface TokenOptions {
  /** Sends all requests of the invocation. Its requests that want the same token wait for one. */
  readonly admission: Admission;
  /** Time limit for connecting to the server, in milliseconds. A token may take two thirds of it, so that it is known who was slow. */
  readonly connectMs: number;
}

/** Returns the fetch for requests to a server: with tokens if it is asked for some. */
export const makeFetchWithTokensIfAuth = (
  auth: ServerAuth | null | undefined,
  fetch: FetchLike,
  options: TokenOptions,
): FetchLike => (auth === undefined || auth === null ? fetch : makeAuthorizedFetch(auth, fetch, options));

/** Returns the latest tokens that a server got, as they are sent, by names of no meaning: it may repeat them in results. */
export function recentTokensAsHeaderValues(auth: ServerAuth | null | undefined): Record<string, string> {
  const recent = auth === undefined || auth === null ? [] : (kept.get(grantKeyOf(auth))?.recent ?? []);
  return Object.fromEntries(recent.map((token, index) => [`token ${index}`, `Bearer ${token}`]));
}

/**
 * Returns a fetch whose requests carry a token. A token is got when there is none, shortly before it runs out, and once more when the
 * server refuses one: a refused request was not carried out, so it is repeated. Rejects with an OAuthRefusal if no token is given or the
 * server refuses a fresh one.
 */
function makeAuthorizedFetch(auth: ServerAuth, fetch: FetchLike, options: TokenOptions): FetchLike {
  const { admission, connectMs } = options;
  const { stored } = auth;
  const grant = grantKeyOf(auth);
  const getToken = async (): Promise<string> => {
    const found = kept.get(grant)?.token;
    if (found !== undefined && found.untilMs > Date.now()) return found.value;
    const made = await joinOrStartTokenRequest(admission, grant, async () => {
      // The request that wants the token holds a place.
      const placed: FetchLike = (url, init) => fetch(url, { ...init, hasPlace: true, isUncounted: true });
      const token =
        'ask' in auth
          ? await askConsentForTokenOrThrow(auth.ask, found?.value ?? null)
          : await requestToken({ ...auth.stored, secret: auth.secret }, placed, Math.ceil((connectMs * 2) / 3));
      cacheToken(grant, token);
      return token;
    });
    return made.value;
  };
  const sendWithToken = async (url: string | URL, init: GuardedInit): Promise<Response> => {
    const send = (token: string): Promise<Response> => {
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${token}`);
      return fetch(url, { ...init, headers });
    };
    const first = await getToken();
    const response = await send(first);
    if (response.status !== 401) return responseOrThrowIfScopeInsufficient(response, stored);
    await response.body?.cancel();
    expireRefusedTokenUnlessReplaced(grant, first);
    const again = await send(await getToken());
    if (again.status !== 401) return responseOrThrowIfScopeInsufficient(again, stored);
    await again.body?.cancel();
    const error = parseChallengeOrNull(again)?.error ?? null;
    throw new OAuthRefusal(
      'http-status',
      `HTTP status 401: the server refuses a fresh token of ${printableStatedText(stored.issuer)}${error === null ? '' : ` (${printableErrorCode(error)})`}`,
      401,
    );
  };
  return async (url, init = {}) => {
    if (init.hasPlace === true) return sendWithToken(url, init);
    // A request that asks for a token holds a place: those that wait for the token may hold all others.
    const place = await admission.waitForPlace(init.signal);
    try {
      return await sendWithToken(url, { ...init, hasPlace: true });
    } finally {
      place.leave();
    }
  };
}

async function askConsentForTokenOrThrow(ask: AskConsent, spent: string | null): Promise<AccessToken> {
  const answered = await ask(spent);
  if (answered.ok) return answered.value;
  const { code, detail, status } = answered.problem;
  throw new OAuthRefusal(code, detail, status ?? undefined);
}

/** Returns the token that the invocation is asking for already, or asks for one. */
function joinOrStartTokenRequest(
  admission: Admission,
  grant: string,
  ask: () => Promise<AccessToken>,
): Promise<AccessToken> {
  const asked = underWay.get(admission) ?? new Map<string, Promise<AccessToken>>();
  underWay.set(admission, asked);
  const asking = asked.get(grant) ?? ask().finally(() => asked.delete(grant));
  asked.set(grant, asking);
  return asking;
}

/** Returns the response; throws, naming the scope, if the server wants one that the token does not have (RFC 6750, 3.1). */
function responseOrThrowIfScopeInsufficient(response: Response, { scope }: StoredAuth): Response {
  const challenge = parseChallengeOrNull(response);
  if (challenge?.error !== 'insufficient_scope') return response;
  const wanted = challenge.scope === null ? 'another scope' : `the scope "${printableStatedText(challenge.scope)}"`;
  throw new OAuthRefusal(
    'http-status',
    `HTTP status 403: the server wants ${wanted}; the token has ${scope === null ? 'none' : `"${scope}"`}`,
    403,
  );
}

function cacheToken(grant: string, token: AccessToken): void {
  const earlier = kept.get(grant)?.recent ?? [];
  kept.delete(grant);
  kept.set(grant, { token, recent: [token.value, ...earlier].slice(0, mostRemembered) });
  for (const oldest of kept.keys()) {
    if (kept.size <= mostKept) break;
    kept.delete(oldest);
  }
}

/** Uses a token no more, unless another one has replaced it. */
function expireRefusedTokenUnlessReplaced(grant: string, refused: string): void {
  const known = kept.get(grant);
  if (known?.token.value === refused) kept.set(grant, { ...known, token: { value: refused, untilMs: 0 } });
}
