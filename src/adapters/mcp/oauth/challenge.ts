import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client';

/** What a server asks for when it refuses a request (RFC 9728, 5.1; RFC 6750, 3). */
export interface Challenge {
  /** Where it says who gives tokens for it; null if it does not. */
  readonly metadata: string | null;
  readonly scope: string | null;
  /** Such as `invalid_token`. */
  readonly error: string | null;
}

/** Returns the challenge of an answer; null if it asks for no token. */
export function readChallenge(response: Response): Challenge | null {
  if (response.status !== 401 && response.status !== 403) return null;
  if (!/^\s*(?:bearer|dpop)\b/i.test(response.headers.get('www-authenticate') ?? '')) return null;
  const { resourceMetadataUrl, scope = null, error = null } = extractWWWAuthenticateParams(response);
  return { metadata: resourceMetadataUrl?.href ?? null, scope, error };
}
