import { describe, expect, test } from 'vitest';
import { discoverAuthorization } from '#adapters/mcp/oauth/discover.ts';
import { requestToken } from '#adapters/mcp/oauth/request-token.ts';
import { findOAuthRefusal } from '#adapters/mcp/oauth/refusal.ts';
import type { FetchLike } from '#adapters/network/guarded-fetch.ts';
import { isResourceAtOrAboveAddress, tokenUsedUntilMs, type StoredAuth } from '#core/catalog/server-auth.ts';

const auth: StoredAuth = {
  type: 'client-credentials',
  clientId: '0b9f-41.a_b',
  scope: null,
  issuer: 'https://login.example.com',
  tokenEndpoint: 'https://login.example.com/token',
  resource: 'https://mcp.example.com/mcp',
  method: 'client_secret_basic',
  secret: 's-e_c~r:e t%é',
};

/** Answers requests in this order, and keeps what they were. */
function answering(...answers: readonly Response[]): { readonly fetch: FetchLike; readonly seen: Request[] } {
  const seen: Request[] = [];
  const fetch: FetchLike = async (url, init) => {
    const answer = answers[seen.length];
    seen.push(new Request(url, init));
    if (answer === undefined) throw new Error('one request more than expected');
    return answer;
  };
  return { fetch, seen };
}

const token = () => Response.json({ access_token: 'abc', token_type: 'Bearer', expires_in: 60 });
const page = (status: number, headers: Record<string, string> = {}) =>
  new Response('<html>', { status, headers: { 'content-type': 'text/html', ...headers } });
const refusalOf = (asking: Promise<unknown>) => asking.then(() => undefined, findOAuthRefusal);

test('a client is named to authorization servers that decode, and to those that do not if nothing in its id needs it', async () => {
  const { fetch, seen } = answering(token());
  await requestToken(auth, fetch);
  const [scheme, encoded = ''] = seen[0]?.headers.get('authorization')?.split(' ') ?? [];
  const [id, secret = ''] = atob(encoded).split(':');
  expect([scheme, id]).toEqual(['Basic', '0b9f-41.a_b']);
  expect(new URLSearchParams(`secret=${secret}`).get('secret')).toBe('s-e_c~r:e t%é');
});

describe('an authorization server that is busy', () => {
  test('is asked again after the time that it says', async () => {
    const { fetch, seen } = answering(page(429, { 'retry-after': '0' }), page(503, { 'retry-after': '0' }), token());
    expect(await requestToken(auth, fetch)).toMatchObject({ value: 'abc' });
    expect(seen).toHaveLength(3);
  });

  test.each([
    ['does not say for how long', page(503), 'unreachable'],
    ['says longer than anyone waits', page(503, { 'retry-after': '60' }), 'unreachable'],
    ['gets too many requests', page(429), 'rate-limited'],
  ] as const)('and %s is named with its status', async (_, answer, code) => {
    const refused = await refusalOf(requestToken(auth, answering(answer).fetch));
    const message = `the authorization server https://login.example.com gives no answer at present: HTTP status ${answer.status}`;
    expect(refused).toMatchObject({ code, message });
  });

  test('where its metadata should be is not said to have none', async () => {
    const found = discoverAuthorization({
      url: auth.resource,
      fetch: async (place) => {
        if (String(place).includes('oauth-protected-resource'))
          return Response.json({ resource: auth.resource, authorization_servers: [auth.issuer] });
        return page(String(place).includes('/.well-known/') ? 502 : 401);
      },
    });
    expect(await refusalOf(found)).toMatchObject({ code: 'unreachable', message: expect.stringContaining('502') });
  });
});

test.each([
  [3_600, 3_590],
  [60, 50],
  [20, 10],
  [1, 0.5],
  [0, 0],
])('a token of %d s is used for %d s', (life, used) => {
  expect(tokenUsedUntilMs(5_000, life)).toBe(5_000 + used * 1_000);
});

test('a token that does not say how long it lives is used for an hour', () => {
  expect(tokenUsedUntilMs(5_000, undefined)).toBe(3_605_000);
});

test.each([
  ['https://a.example/mcp', true],
  ['https://a.example/', true],
  ['https://a.example', true],
  ['https://a.example:443/mcp/', true],
  ['https://a.example/mc', false],
  ['https://a.example/mcp/other', false],
  ['https://b.example/mcp', false],
  ['http://a.example/mcp', false],
  ['https://a.example:8443/mcp', false],
  ['no address', false],
])('metadata of %s hold for https://a.example/mcp: %s', (resource, holds) => {
  expect(isResourceAtOrAboveAddress(resource, 'https://a.example/mcp')).toBe(holds);
});
