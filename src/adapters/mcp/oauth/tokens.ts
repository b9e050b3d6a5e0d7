import type { FetchLike } from '#adapters/network/guarded-fetch.ts';
import type { StoredAuth } from '#core/catalog/server-auth.ts';
import { readChallenge } from './challenge.ts';
import { OAuthRefusal, showStated } from './refusal.ts';
import { requestToken, type AccessToken } from './request-token.ts';

/** Tokens that are kept in memory at most. */
const mostKept = 500;

/**
 * The tokens of this isolate, by the encrypted secret that they were given for. Values alone: a promise of another invocation
 * must not be awaited.
 */
const kept = new Map<string, AccessToken>();

/** How to authorize requests to a server: what is stored, and the decrypted secret. */
export interface ServerAuth {
  readonly stored: StoredAuth;
  readonly secret: string;
}

/** Returns the fetch for requests to a server: with tokens if it is asked for some. */
export const authorizeIfAsked = (auth: ServerAuth | null | undefined, fetch: FetchLike): FetchLike =>
  auth === undefined || auth === null ? fetch : makeAuthorizedFetch(auth, fetch);

/**
 * Returns a fetch whose requests carry a token. A token is got when there is none, shortly before it runs out, and once more when the
 * server refuses one: a refused request was not carried out, so it is repeated. Rejects with an OAuthRefusal if no token is given or the
 * server refuses a fresh one.
 */
function makeAuthorizedFetch({ stored, secret }: ServerAuth, fetch: FetchLike): FetchLike {
  let asking: Promise<AccessToken> | null = null;
  const findKept = (): AccessToken | undefined => {
    const found = kept.get(stored.secret);
    return found !== undefined && found.untilMs > Date.now() ? found : undefined;
  };
  const ask = async (hasPlace: boolean): Promise<AccessToken> => {
    // The request that wants the token holds a place already.
    const made = await requestToken({ ...stored, secret }, (url, init) => fetch(url, { ...init, hasPlace }));
    keep(stored.secret, made);
    return made;
  };
  const getToken = async (hasPlace: boolean): Promise<AccessToken> => {
    const found = findKept();
    if (found !== undefined) return found;
    asking ??= ask(hasPlace).finally(() => {
      asking = null;
    });
    return asking;
  };
  return async (url, init = {}) => {
    const { hasPlace = false } = init;
    const send = async (token: AccessToken): Promise<Response> => {
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${token.value}`);
      return fetch(url, { ...init, headers });
    };
    const first = await getToken(hasPlace);
    const response = await send(first);
    if (response.status !== 401) return refuseTooLittle(response, stored);
    await response.body?.cancel();
    if (kept.get(stored.secret)?.value === first.value) kept.delete(stored.secret);
    const again = await send(await getToken(hasPlace));
    if (again.status !== 401) return refuseTooLittle(again, stored);
    await again.body?.cancel();
    const error = readChallenge(again)?.error ?? null;
    throw new OAuthRefusal(
      'http-status',
      `HTTP status 401: the server refuses a fresh token of ${showStated(stored.issuer)}${error === null ? '' : ` (${showStated(error)})`}`,
      401,
    );
  };
}

/** Says which scope a server wants that the token does not have (RFC 6750, 3.1). */
function refuseTooLittle(response: Response, { scope }: StoredAuth): Response {
  const challenge = readChallenge(response);
  if (challenge?.error !== 'insufficient_scope') return response;
  const wanted = challenge.scope === null ? 'another scope' : `the scope "${showStated(challenge.scope)}"`;
  throw new OAuthRefusal(
    'http-status',
    `HTTP status 403: the server wants ${wanted}; the token has ${scope === null ? 'none' : `"${scope}"`}`,
    403,
  );
}

function keep(secret: string, token: AccessToken): void {
  kept.delete(secret);
  kept.set(secret, token);
  for (const oldest of kept.keys()) {
    if (kept.size <= mostKept) break;
    kept.delete(oldest);
  }
}
