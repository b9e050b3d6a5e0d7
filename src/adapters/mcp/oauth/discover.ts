import { buildDiscoveryUrls } from '@modelcontextprotocol/client';
import { processDiscoveryResponse, type AuthorizationServer } from 'oauth4webapi';
import { z } from 'zod';
import { checkAddress } from '#adapters/network/address-guard.ts';
import type { FetchLike } from '#adapters/network/guarded-fetch.ts';
import { findGuardError } from '#adapters/network/guarded-fetch.ts';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import { isResourceAtOrAboveAddress } from '#core/catalog/server-auth.ts';
import { parseChallengeOrNull, type Challenge } from './challenge.ts';
import { readJsonOrNull } from './read-json.ts';
import { isBusyOrServerErrorStatus, OAuthRefusal, makeBusyRefusal, printableStatedText } from './refusal.ts';

/** What a server says about who gives tokens for it. */
export interface Authorization {
  readonly server: AuthorizationServer & { readonly token_endpoint: string };
  readonly resource: string;
  /** Whether the server itself names who gives tokens; otherwise its own origin is taken for that. */
  readonly isNamed: boolean;
  /** The scopes that the server asks for, or else all that it supports; null if it names none. */
  readonly scope: string | null;
}

/** What discovery needs; `fetch` guards each address and holds a place for each request. */
interface DiscoveryOptions {
  readonly url: string;
  readonly fetch: FetchLike;
  /** The only authorization server that will do. */
  readonly issuer?: string | undefined;
}

const resourceMetadata = z.looseObject({
  resource: z.string(),
  authorization_servers: z.array(z.string()).min(1),
  scopes_supported: z.array(z.string()).optional(),
});

/**
 * Finds out who gives tokens for a server: by the challenge of a request without one, or at the well-known addresses. Source: RFC 9728;
 * RFC 8414; MCP 2025-11-25, "Authorization Server Discovery". Throws an OAuthRefusal that says what is missing.
 */
export async function discoverAuthorization(options: DiscoveryOptions): Promise<Authorization> {
  const { url, fetch } = options;
  const challenge = await requestChallengeOrNull(url, fetch);
  const metadata = await fetchResourceMetadataOrNull(url, challenge, fetch);
  const issuers = metadata?.authorization_servers ?? [new URL(url).origin];
  const issuer = options.issuer === undefined ? issuers[0] : issuers.find((each) => isSameIssuer(each, options.issuer));
  if (issuer === undefined)
    throw new OAuthRefusal(
      'http-status',
      `the server does not name the authorization server ${options.issuer ?? ''}; it names ${printableStatedText(issuers.join(', '))}`,
    );
  const server = await fetchAuthorizationServerMetadata(issuer, fetch);
  const scopes = challenge?.scope ?? metadata?.scopes_supported?.join(' ') ?? '';
  const [resource, isNamed] = [metadata?.resource ?? url, metadata !== null];
  return { server, resource, isNamed, scope: scopes === '' ? null : scopes };
}

const isSameIssuer = (one: string, other: string | undefined): boolean =>
  one.replace(/\/$/, '') === other?.replace(/\/$/, '');

/** Sends a request that any server answers, without a token. */
async function requestChallengeOrNull(url: string, fetch: FetchLike): Promise<Challenge | null> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  await response.body?.cancel();
  return parseChallengeOrNull(response);
}

async function fetchResourceMetadataOrNull(
  url: string,
  challenge: Challenge | null,
  fetch: FetchLike,
): Promise<z.infer<typeof resourceMetadata> | null> {
  const { origin, pathname } = new URL(url);
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
  const stated = challenge?.metadata ?? null;
  const places = stated === null ? [...(pathname === '/' ? [] : [`${wellKnown}${pathname}`]), wellKnown] : [stated];
  for (const place of places) {
    const response = await fetch(place, { headers: { accept: 'application/json' } });
    if (!response.ok) {
      await response.body?.cancel();
      continue;
    }
    const read = resourceMetadata.safeParse(await readJsonOrNull(response));
    if (!read.success)
      throw new OAuthRefusal(
        'malformed-protocol',
        `what the server says about its authorization at ${printableStatedText(place)} is not in the form of RFC 9728`,
      );
    if (!isResourceAtOrAboveAddress(read.data.resource, url))
      throw new OAuthRefusal(
        'malformed-protocol',
        `the server says that it is ${printableStatedText(read.data.resource)}, so a token for it could be used elsewhere`,
      );
    return read.data;
  }
  if (stated === null) return null;
  throw new OAuthRefusal(
    'http-status',
    `the server says that ${printableStatedText(stated)} describes its authorization, but nothing is there`,
  );
}

/** Returns the metadata of an authorization server that says it is this one. */
async function fetchAuthorizationServerMetadata(issuer: string, fetch: FetchLike): Promise<Authorization['server']> {
  const identifier = URL.parse(issuer);
  if (identifier === null)
    throw new OAuthRefusal(
      'malformed-protocol',
      `${printableStatedText(issuer)} is no address of an authorization server`,
    );
  let busy: number | null = null;
  for (const { url } of buildDiscoveryUrls(identifier)) {
    const response = await fetchMetadataResponse(url, issuer, fetch);
    if (!response.ok) {
      await response.body?.cancel();
      if (isBusyOrServerErrorStatus(response.status)) busy = response.status;
      continue;
    }
    const server = await processDiscoveryResponse(identifier, response).catch((error: unknown) => {
      if (findPlatformError(error) !== undefined) throw error;
      throw new OAuthRefusal(
        'malformed-protocol',
        `the authorization server ${printableStatedText(issuer)} does not describe itself as RFC 8414 demands, or names another issuer`,
      );
    });
    const { token_endpoint: endpoint } = server;
    if (endpoint === undefined)
      throw new OAuthRefusal(
        'malformed-protocol',
        `the authorization server ${printableStatedText(issuer)} names no token endpoint`,
      );
    if (!mayGetSecrets(endpoint))
      throw new OAuthRefusal(
        'malformed-protocol',
        `the authorization server ${printableStatedText(issuer)} takes secrets without TLS, at ${printableStatedText(endpoint)}; they are sent over https alone`,
      );
    return { ...server, token_endpoint: endpoint };
  }
  if (busy !== null) throw makeBusyRefusal(`the authorization server ${printableStatedText(issuer)}`, busy);
  throw new OAuthRefusal(
    'http-status',
    `the authorization server ${printableStatedText(issuer)} has no metadata (RFC 8414 or OpenID Connect)`,
  );
}

/** On this machine and in private networks secrets may go without TLS; the address guard admits these in development alone. */
export const mayGetSecrets = (endpoint: string): boolean =>
  URL.parse(endpoint)?.protocol === 'https:' || !checkAddress(endpoint, { allowLocal: false }).ok;

/** Returns how a secret is sent. Basic is what every authorization server takes that does not say what it takes (RFC 8414, 2). */
export function chooseSecretMethod(server: AuthorizationServer): 'client_secret_basic' | 'client_secret_post' {
  const methods = z.array(z.string()).safeParse(server.token_endpoint_auth_methods_supported).data;
  return methods !== undefined && !methods.includes('client_secret_basic')
    ? 'client_secret_post'
    : 'client_secret_basic';
}

async function fetchMetadataResponse(url: URL, issuer: string, fetch: FetchLike): Promise<Response> {
  try {
    return await fetch(url, { headers: { accept: 'application/json' }, redirect: 'manual' });
  } catch (error) {
    const guard = findGuardError(error);
    if (guard === undefined || guard.code === 'address-forbidden') throw error;
    throw new OAuthRefusal(
      'unreachable',
      `the authorization server ${printableStatedText(issuer)} cannot be reached: ${guard.message}`,
    );
  }
}
