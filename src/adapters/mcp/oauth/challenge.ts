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
export function parseChallengeOrNull(response: Response): Challenge | null {
  if (response.status !== 401 && response.status !== 403) return null;
  // A server may name other schemes first (RFC 9110, 11.6.1), past which the SDK does not look.
  const challenges = response.headers.get('www-authenticate') ?? '';
  const from = challenges.search(/(?<=^|,)\s*(?:bearer|dpop)(?:\s|$)/i);
  if (from < 0) return null;
  const headers = { 'www-authenticate': challenges.slice(from).trim() };
  const {
    resourceMetadataUrl,
    scope = null,
    error = null,
  } = extractWWWAuthenticateParams(new Response(null, { headers }));
  return { metadata: resourceMetadataUrl?.href ?? null, scope, error };
}
