import { describe, expect, test } from 'vitest';
import { explainAnswerProblem, readAuthorizationAnswer } from '#core/catalog/consent/answer.ts';
import { makeClientMetadata, isAllowedRedirectOrigin } from '#core/catalog/consent/client-metadata.ts';
import {
  makeAuthorizationUrl,
  makeConsentRecord,
  withOfflineAccess,
  type AskedConsent,
  type ConsentStanding,
} from '#core/catalog/consent/consent.ts';

const asked: AskedConsent = {
  id: 'cns_1',
  workspace: 'ws_1',
  url: 'https://mcp.example.com/mcp',
  resource: 'https://mcp.example.com/mcp',
  scope: 'read write',
  issuer: 'https://login.example.com',
  sendsIssuer: true,
  authorizationEndpoint: 'https://login.example.com/authorize?tenant=a%20b',
  tokenEndpoint: 'https://login.example.com/token',
  revocationEndpoint: null,
  clientId: 'me & you',
  clientSource: 'pre-registered',
  clientMethod: 'none',
  redirectUri: 'https://sextant.example.com/oauth/callback',
  challenge: 'hash',
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-01T00:10:00.000Z',
};

const read = (query: string, sendsIssuer = true) =>
  readAuthorizationAnswer({ ...asked, sendsIssuer }, new URLSearchParams(query));

describe('the answer of an authorization server', () => {
  test.each([
    ['code=c&iss=https://login.example.com', true, 'c'],
    ['code=c&iss=https%3A%2F%2Flogin.example.com', false, 'c'],
    ['code=c', false, 'c'],
    ['code=c', true, 'no-issuer'],
    ['code=c&iss=', false, 'another-issuer'],
    ['code=c&iss=https://login.example.com/', true, 'another-issuer'],
    ['code=c&iss=HTTPS://login.example.com', true, 'another-issuer'],
    ['code=c&iss=https://login.example.com:443', true, 'another-issuer'],
    ['code=c&code=d', false, 'repeated-parameter'],
    ['iss=https://login.example.com', true, 'no-code'],
    ['error=access_denied', true, 'no-issuer'],
    ['error=access_denied&iss=https://evil.example', false, 'another-issuer'],
    ['error=access_denied&code=c', false, 'refused'],
  ])('%s, where it promises to say who it is: %s, gives %s', (query, sendsIssuer, expected) => {
    const answer = read(query, sendsIssuer);
    expect(answer.ok ? answer.value : answer.problem.reason).toBe(expected);
  });

  test('is explained by what its error means, and by its own words, which are cut', () => {
    const long = read(`error=invalid_scope&error_description=${'x'.repeat(1_000)}`, false);
    const words = long.ok ? '' : explainAnswerProblem(long.problem, asked);
    expect(words).toContain('it does not know the scope (invalid_scope)');
    expect(words.length).toBeLessThan(500);
    const unknown = read('error=constructor', false);
    expect(unknown.ok ? '' : explainAnswerProblem(unknown.problem, asked)).toContain(
      'for another reason (constructor)',
    );
  });
});

test('a person is sent to the address that the authorization server names, with PKCE and the resource', () => {
  const url = new URL(makeAuthorizationUrl(asked, 'a state'));
  expect(`${url.origin}${url.pathname}`).toBe('https://login.example.com/authorize');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    tenant: 'a b',
    response_type: 'code',
    client_id: 'me & you',
    redirect_uri: asked.redirectUri,
    state: 'a state',
    code_challenge: 'hash',
    code_challenge_method: 'S256',
    resource: asked.resource,
    scope: 'read write',
  });
  const offline = new URL(makeAuthorizationUrl({ ...asked, scope: 'read offline_access' }, 's'));
  expect(offline.searchParams.get('prompt')).toBe('consent');
  expect(new URL(makeAuthorizationUrl({ ...asked, scope: null }, 's')).searchParams.has('scope')).toBe(false);
});

test.each([
  [null, undefined, null],
  ['read', ['read'], 'read'],
  ['read', ['read', 'offline_access'], 'read offline_access'],
  ['offline_access', ['offline_access'], 'offline_access'],
  [null, ['offline_access'], 'offline_access'],
])('the scope %j at an authorization server with %j becomes %j', (scope, supported, expected) => {
  expect(withOfflineAccess(scope, supported)).toBe(expected);
});

const standing: ConsentStanding = { state: 'given', problem: null, server: null, until: null };
const [early, late] = [Date.parse(asked.createdAt), Date.parse(asked.expiresAt)];

test.each([
  [{ state: 'waiting' }, early, 'waiting'],
  [{ state: 'answered' }, early, 'waiting'],
  [{ state: 'waiting' }, late, 'expired'],
  [{ state: 'answered' }, late, 'expired'],
  [{ state: 'given' }, late, 'given'],
  [{ state: 'given', until: asked.expiresAt }, early, 'given'],
  [{ state: 'given', until: asked.expiresAt }, late, 'lost'],
  [{ state: 'failed' }, late, 'failed'],
  [{ state: 'lost' }, early, 'lost'],
] as const)('a consent that is %j is shown at %d as %s', (change, nowMs, expected) => {
  expect(makeConsentRecord(asked, { ...standing, ...change }, nowMs).state).toBe(expected);
});

test.each([
  ['https://sextant.example.com', true, 'web'],
  ['http://127.0.0.1:8787', true, 'native'],
  ['http://localhost:8787', true, 'native'],
  ['http://[::1]:8787', true, 'native'],
  ['http://sextant.example.com', false, 'web'],
  ['http://localhost.example.com', false, 'web'],
])('people are sent back to %s: %s, as to an application of the type %s', (origin, may, type) => {
  expect(isAllowedRedirectOrigin(origin)).toBe(may);
  expect(makeClientMetadata(origin, 'none')).toMatchObject({
    application_type: type,
    redirect_uris: [`${origin}/oauth/callback`],
  });
});
