/** How the deployment introduces itself to authorization servers. */
export interface OwnClient {
  /** The address at which people use the deployment. */
  readonly origin: string;
  /** The address of its own client metadata document; null if no authorization server could fetch it. */
  readonly documentUrl: string | null;
}

const callbackPath = '/oauth/callback';
const documentPath = '/oauth/client.json';

/** Returns where authorization servers send people back to. */
export const redirectUriOf = (origin: string): string => `${origin}${callbackPath}`;

/** Returns where the deployment's client metadata document is. */
export const documentUrlOf = (origin: string): string => `${origin}${documentPath}`;

/**
 * Returns what the deployment says of itself when it is registered, and in its document. Source: RFC 7591, 2; MCP 2026-07-28,
 * "Application Type and Redirect URI Constraints".
 */
export const makeClientMetadata = (
  origin: string,
  method: 'none' | 'client_secret_basic' | 'client_secret_post',
): Record<string, unknown> => ({
  client_name: 'Sextant',
  client_uri: origin,
  redirect_uris: [redirectUriOf(origin)],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: method,
  application_type: isLoopback(origin) ? 'native' : 'web',
});

const isLoopback = (origin: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(URL.parse(origin)?.hostname ?? '');

/** Returns whether people may be sent back there: over TLS, or on their own machine (OAuth 2.1, 1.5). */
export const isAllowedRedirectOrigin = (origin: string): boolean =>
  URL.parse(origin)?.protocol === 'https:' || isLoopback(origin);
