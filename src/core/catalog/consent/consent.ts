import { z } from 'zod';
import type { StoredConsentAuth } from '../server-auth.ts';

/** How the authorization server knows Sextant, in the order in which the ways are tried (MCP 2025-11-25, "Client Registration Approaches"). */
const clientSource = z.enum(['pre-registered', 'document', 'registered']);

/** What is said of a consent of another workspace, and of one that there never was. */
export const noSuchConsent = 'there is no such consent';

/** How the client proves at the token endpoint who it is. */
const clientMethod = z.enum(['none', 'client_secret_basic', 'client_secret_post']);
export type ClientMethod = z.infer<typeof clientMethod>;

/** What a consent is bound to from the moment it is asked for. Nothing of it is secret. */
export const askedConsent = z.object({
  id: z.string(),
  workspace: z.string(),
  /** The address of the server, as its owner gave it. */
  url: z.string(),
  /** What tokens are asked for (RFC 8707). */
  resource: z.string(),
  scope: z.string().nullable(),
  /** As the authorization server's own metadata spell it: the answer must say exactly this. */
  issuer: z.string(),
  /** Whether the authorization server promises to say who answers (RFC 9207). */
  sendsIssuer: z.boolean(),
  authorizationEndpoint: z.string(),
  tokenEndpoint: z.string(),
  /** Where tokens are revoked (RFC 7009); null if nowhere. */
  revocationEndpoint: z.string().nullable(),
  clientId: z.string(),
  clientSource,
  clientMethod,
  redirectUri: z.string(),
  /** The hash of the verifier (RFC 7636, S256). */
  challenge: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type AskedConsent = z.infer<typeof askedConsent>;

/** The secrets that a consent is asked for with, encrypted under `consentEncryptionContext`. */
export const consentSecrets = z.object({ verifier: z.string(), clientSecret: z.string().nullable() });
export type ConsentSecrets = z.infer<typeof consentSecrets>;

/** What an authorization server gave, encrypted in the same way. */
export const grantedTokens = z.object({
  accessToken: z.string(),
  /** Until when it is used, in milliseconds since 1970. */
  untilMs: z.number(),
  refreshToken: z.string().nullable(),
});
export type GrantedTokens = z.infer<typeof grantedTokens>;

/** Binds what is encrypted to one consent and to where it is sent. */
export const consentEncryptionContext = ({ id, tokenEndpoint }: Pick<AskedConsent, 'id' | 'tokenEndpoint'>): string =>
  `consent:${id}:${tokenEndpoint}`;

/** `answered`: the authorization server has answered, and the tokens are being asked for. */
export const consentStanding = z.object({
  state: z.enum(['waiting', 'answered', 'given', 'failed', 'lost']),
  /** Why it failed or was lost, in words. */
  problem: z.string().nullable(),
  /** The server that uses it. */
  server: z.string().nullable(),
  /** When its last token runs out, where the authorization server gave nothing to get another one with; else null. */
  until: z.string().nullable(),
});
export type ConsentStanding = z.infer<typeof consentStanding>;

/** A consent as clients see it. */
export const consentRecord = z.object({
  id: z.string(),
  url: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  clientSource,
  scope: z.string().nullable(),
  /** `waiting` for a person; `given`; `failed`, `expired` or `lost`: somebody has to consent again. */
  state: z.enum(['waiting', 'given', 'failed', 'expired', 'lost']),
  problem: z.string().nullable(),
  server: z.string().nullable(),
  /** Until when it holds, where that is known; null if its tokens are renewed. */
  until: z.string().nullable(),
  createdAt: z.string(),
  /** Until when it can be given. */
  expiresAt: z.string(),
});
export type ConsentRecord = z.infer<typeof consentRecord>;

/** Returns a consent as clients see it at this time. */
export function makeConsentRecord(asked: AskedConsent, standing: ConsentStanding, nowMs: number): ConsentRecord {
  const { id, url, issuer, clientId, clientSource: source, scope, createdAt, expiresAt } = asked;
  const { problem, server, until } = standing;
  const state = currentConsentState(asked, standing, nowMs);
  return {
    id,
    url,
    issuer,
    clientId,
    clientSource: source,
    scope,
    state,
    problem,
    server,
    until,
    createdAt,
    expiresAt,
  };
}

function currentConsentState(
  { expiresAt }: Pick<AskedConsent, 'expiresAt'>,
  { state, until }: Pick<ConsentStanding, 'state' | 'until'>,
  nowMs: number,
): ConsentRecord['state'] {
  if (state === 'waiting' || state === 'answered') return nowMs < Date.parse(expiresAt) ? 'waiting' : 'expired';
  return state === 'given' && until !== null && nowMs >= Date.parse(until) ? 'lost' : state;
}

/** Returns what a server keeps of the consent that it is used with. */
export const makeConsentAuth = ({
  id,
  clientId,
  scope,
  issuer,
  tokenEndpoint,
  resource,
}: AskedConsent): StoredConsentAuth => ({
  type: 'authorization-code',
  clientId,
  scope,
  issuer,
  tokenEndpoint,
  resource,
  consent: id,
});

/** Returns where a person is sent to consent (RFC 6749, 4.1.1; RFC 7636, 4.3; RFC 8707, 2). */
export function makeAuthorizationUrl(asked: AskedConsent, state: string): string {
  const url = new URL(asked.authorizationEndpoint);
  const { searchParams: query } = url;
  query.set('response_type', 'code');
  query.set('client_id', asked.clientId);
  query.set('redirect_uri', asked.redirectUri);
  query.set('state', state);
  query.set('code_challenge', asked.challenge);
  query.set('code_challenge_method', 'S256');
  query.set('resource', asked.resource);
  if (asked.scope !== null) query.set('scope', asked.scope);
  // OpenID Connect Core, 11: without it the request for offline access may be ignored.
  if (asksForOfflineAccess(asked.scope)) query.set('prompt', 'consent');
  return url.href;
}

const offlineAccess = 'offline_access';

const asksForOfflineAccess = (scope: string | null): boolean => scope?.split(' ').includes(offlineAccess) === true;

/** Returns the scopes with the one that asks for a refresh token, if the authorization server knows it (MCP 2026-07-28, "Refresh Tokens"). */
export const withOfflineAccess = (scope: string | null, supported: readonly string[] | undefined): string | null =>
  supported?.includes(offlineAccess) !== true || asksForOfflineAccess(scope)
    ? scope
    : [...(scope === null ? [] : [scope]), offlineAccess].join(' ');
