import { describe, expect, test } from 'vitest';
import { parseChallengeOrNull } from '#adapters/mcp/oauth/challenge.ts';
import { isResourceAtOrAboveAddress, tokenUsedUntilMs } from '#core/catalog/server-auth.ts';
import { discoverAuthorization } from '#adapters/mcp/oauth/discover.ts';
import { requestToken } from '#adapters/mcp/oauth/request-token.ts';

const url = 'https://mcp.example.com/mcp';
const issuer = 'https://login.example.com/tenant';
const resource = { resource: url, authorization_servers: [issuer] };
const server = { issuer, token_endpoint: 'https://login.example.com/token' };
const stored = { issuer, tokenEndpoint: server.token_endpoint, resource: url };
const resourcePlace = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';

/** Serves JSON documents by their addresses, and 404 elsewhere; the server itself answers 401. */
function discover(documents: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const answer = async (place: string | URL): Promise<Response> => {
    asked.push(String(place));
    const document = documents[String(place)];
    if (document !== undefined) return Response.json(document);
    return new Response(null, { status: String(place) === url ? 401 : 404 });
  };
  return { asked, found: discoverAuthorization({ url, fetch: answer }) };
}

describe('the metadata of an authorization server', () => {
  test.each([
    'https://login.example.com/.well-known/oauth-authorization-server/tenant',
    'https://login.example.com/.well-known/openid-configuration/tenant',
    'https://login.example.com/tenant/.well-known/openid-configuration',
  ])('are found at %s', async (place) => {
    const { found } = discover({ [resourcePlace]: resource, [place]: server });
    expect((await found).server.token_endpoint).toBe(server.token_endpoint);
  });

  test('are not taken from a place of another issuer', async () => {
    const place = 'https://login.example.com/.well-known/oauth-authorization-server/tenant';
    const { found } = discover({
      [resourcePlace]: resource,
      [place]: { ...server, issuer: 'https://login.example.com/other' },
    });
    await expect(found).rejects.toThrow(/names another issuer/);
  });

  test('are refused if secrets would go over the internet without TLS', async () => {
    const place = 'https://login.example.com/.well-known/oauth-authorization-server/tenant';
    const plain = { ...server, token_endpoint: 'http://login.example.com/token' };
    await expect(discover({ [resourcePlace]: resource, [place]: plain }).found).rejects.toThrow(
      'takes secrets without TLS, at http://login.example.com/token',
    );
  });
});

test.each([
  ['0a1b-2c3d', 'x_y-z.9*', '0a1b-2c3d:x_y-z.9*'],
  ['a client', 's e:c/r%t+é', 'a+client:s+e%3Ac%2Fr%25t%2B%C3%A9'],
])('the id %o and the secret %o are sent as forms encode them', async (clientId, secret, encoded) => {
  let sent = new Headers();
  const token = await requestToken(
    { type: 'client-credentials', clientId, secret, method: 'client_secret_basic', scope: null, ...stored },
    async (_, init) => {
      sent = new Headers(init?.headers);
      return Response.json({ access_token: 'token', token_type: 'bearer' });
    },
  );
  expect(token.value).toBe('token');
  expect(sent.get('authorization')).toBe(`Basic ${btoa(encoded)}`);
});

test.each([
  ['https://a.example/mcp', 'https://a.example/mcp', true],
  ['https://a.example/mcp', 'https://a.example/mcp/tenant', true],
  ['https://a.example', 'https://a.example/mcp', true],
  ['https://a.example/mcp', 'https://a.example/mcp2', false],
  ['https://a.example/mcp/tenant', 'https://a.example/mcp', false],
  ['https://b.example/mcp', 'https://a.example/mcp', false],
  ['http://a.example/mcp', 'https://a.example/mcp', false],
  ['no address', 'https://a.example/mcp', false],
])('metadata of %o hold for the server at %o: %o', (resource, address, holds) => {
  expect(isResourceAtOrAboveAddress(resource, address)).toBe(holds);
});

test.each([
  [3_600, 3_590_000],
  [30, 20_000],
  [12, 6_000],
  [1, 500],
  [0, 0],
])('a token of %d seconds is used for %d milliseconds', (seconds, usedMs) => {
  expect(tokenUsedUntilMs(1_000_000, seconds)).toBe(1_000_000 + usedMs);
});

describe('a challenge', () => {
  const read = (header: string) =>
    parseChallengeOrNull(new Response(null, { status: 401, headers: { 'www-authenticate': header } }));

  test('is found behind one of another scheme', () => {
    const header = `Basic realm="people, Bearers", Bearer resource_metadata="${resourcePlace}", scope="read write"`;
    expect(read(header)).toEqual({ metadata: resourcePlace, scope: 'read write', error: null });
  });

  test.each(['', 'Basic realm="x"', 'Bearers x="y"', 'Negotiate'])('is none in %o', (header) => {
    expect(read(header)).toBeNull();
  });
});
