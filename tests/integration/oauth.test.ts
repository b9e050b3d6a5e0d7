import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { makeLazyConnections } from '#adapters/mcp/connections.ts';
import { discoverTools } from '#adapters/mcp/list-tools.ts';
import type { ServerAuth } from '#adapters/mcp/oauth/tokens.ts';
import { tryCredentialsAndMakePlainAuth } from '#adapters/mcp/oauth/try-credentials.ts';
import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import { Admission } from '#adapters/network/admission.ts';
import type { MachineAuth } from '#core/catalog/server-auth.ts';
import type { OAuthClient } from '../../offline/gateway/oauth-forms.ts';
import { startEraServer } from '../support/era-server.ts';
import { protect, type ProtectedServer } from '../support/protected-server.ts';
import { running, serverWith } from '../support/running.ts';
import { toolsNamed, unlimited } from '../support/unlimited.ts';

const pair = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const clients: readonly OAuthClient[] = [
  { id: 'by secret', secret: 's e:c/r%t+é', scopes: ['tools', 'more'] },
  { id: 'by-post', secret: 'other', scopes: ['tools'], method: 'client_secret_post' },
  { id: 'by-key', publicKey: pair.publicKey, algorithm: 'ES256', scopes: ['tools'] },
];
const bySecret: MachineAuth = { type: 'client-credentials', clientId: 'by secret', clientSecret: 's e:c/r%t+é' };
const byKey: MachineAuth = {
  type: 'private-key-jwt',
  clientId: 'by-key',
  privateKey: pair.privateKey,
  algorithm: 'ES256',
};

async function protectedServer(era: 'legacy' | 'modern', tokenSeconds = 60): Promise<ProtectedServer> {
  const upstream = era === 'legacy' ? await serverWith() : await startEraServer('modern');
  if (era === 'modern') running.push(upstream);
  const server = await protect(upstream.url, { clients, tokenSeconds, scope: 'tools' });
  running.push(server);
  return server;
}

const fetch = makeGuardedFetch({ admission: new Admission(), allowLocal: true, maxBytes: 100_000, timeoutMs: 5_000 });

/** Tries credentials; the encrypted secret, by which tokens are kept, is another one for each test. */
async function prepare(
  { url }: { readonly url: string },
  said: MachineAuth,
): Promise<Extract<ServerAuth, { readonly secret: string }>> {
  const tried = await tryCredentialsAndMakePlainAuth(said, url, fetch);
  return { stored: { ...tried, secret: randomUUID() }, secret: tried.secret };
}

const listing = (url: string, auth?: ServerAuth) =>
  discoverTools({ admission: new Admission(), url, headers: {}, allowLocal: true, timeoutMs: 5_000, auth });

function connect({ url }: ProtectedServer, auth: ServerAuth, protocolVersion: string | null, tool = 'echo') {
  const connections = makeLazyConnections({
    admission: new Admission(),
    servers: [{ headers: {}, ...unlimited, name: 'test', url, auth, protocolVersion }],
    tools: toolsNamed(`test/${tool}`),
    allowLocal: true,
    connectTimeoutMs: 3_000,
  });
  running.push(connections);
  return connections;
}

const say = (connections: ReturnType<typeof connect>, text: string) => connections.call('test/echo', { text }, 5_000);

describe('a server behind OAuth', () => {
  test.each([
    ['legacy', 'a secret', bySecret],
    ['legacy', 'a secret in the body', { type: 'client-credentials', clientId: 'by-post', clientSecret: 'other' }],
    ['legacy', 'a signed assertion', byKey],
    ['modern', 'a secret', bySecret],
    ['modern', 'a signed assertion', byKey],
  ] as const)('of the %s era is listed and called with %s', async (era, _, said) => {
    const only = clients.filter(({ id }) => id === said.clientId);
    const upstream = era === 'legacy' ? await serverWith() : await startEraServer('modern');
    running.push(upstream);
    const server = await protect(upstream.url, { clients: only, tokenSeconds: 60, scope: 'tools' });
    running.push(server);
    const auth = await prepare(server, said);
    expect(auth.stored).toMatchObject({ issuer: server.issuer, resource: server.url, scope: 'tools' });
    const listed = await listing(server.url, auth);
    if (!listed.ok) throw new Error(listed.problem.detail);
    const { protocolVersion } = listed.value;
    const [tool, args] = era === 'legacy' ? ['echo', { text: 'hello' }] : ['forecast', { city: 'Bonn' }];
    const outcome = await connect(server, auth, protocolVersion, tool).call(`test/${tool}`, args, 5_000);
    expect(outcome).toMatchObject({ kind: 'success', text: expect.stringMatching(/hello|sunny/) });
    // One token to try the credentials, one for everything else.
    expect(server.authorization.counts.tokens).toBe(2);
  });

  test.each(['legacy', 'modern'] as const)(
    'of the %s era is called on when its tokens run out or are withdrawn',
    async (era) => {
      const server = await protectedServer(era, 1);
      const auth = await prepare(server, byKey);
      const listed = await listing(server.url, auth);
      if (!listed.ok) throw new Error(listed.problem.detail);
      const [tool, args] = era === 'legacy' ? ['echo', { text: 'hello' }] : ['forecast', { city: 'Bonn' }];
      const connections = connect(server, auth, listed.value.protocolVersion, tool);
      for (let call = 0; call < 4; call += 1) {
        expect(await connections.call(`test/${tool}`, args, 5_000)).toMatchObject({ kind: 'success' });
        if (call === 1) server.authorization.revokeAllTokens();
        else await sleep(600);
      }
      const { tokens, refusals } = server.authorization.counts;
      expect(tokens).toBeGreaterThanOrEqual(4);
      // The request that asks what is wanted, and the one whose token was withdrawn.
      expect(refusals).toBe(2);
    },
  );

  test('gives one token to many calls at once', async () => {
    const server = await protectedServer('legacy');
    const auth = await prepare(server, bySecret);
    const connections = connect(server, auth, null);
    const outcomes = await Promise.all(Array.from({ length: 12 }, (_, n) => say(connections, String(n))));
    expect(outcomes.every(({ kind }) => kind === 'success')).toBe(true);
    expect(server.authorization.counts.tokens).toBe(2);
  });

  test('that is registered without credentials is refused with who gives tokens, and for what', async () => {
    const server = await protectedServer('legacy');
    expect(await listing(server.url)).toMatchObject({
      ok: false,
      problem: {
        reason: 'unauthorized',
        detail: expect.stringContaining(`${server.issuer}, scope "tools"): register it with the consent`),
      },
    });
  });
});

describe('credentials that do not work', () => {
  test.each([
    [
      'a wrong secret',
      { ...bySecret, clientSecret: 'no' },
      /gives no token.*the client id, the secret or the key is wrong/,
    ],
    ['an unknown client', { ...bySecret, clientId: 'nobody' }, /the client id, the secret or the key is wrong/],
    [
      'a scope that the client may not have',
      { ...bySecret, scope: 'tools admin' },
      /invalid_scope.*does not give the scope/,
    ],
    ['another issuer', { ...bySecret, issuer: 'http://127.0.0.1:9/other' }, /does not name the authorization server/],
    ['a key for another algorithm', { ...byKey, algorithm: 'RS256' }, /not a key for RS256/],
    ["a stranger's key", { ...byKey, clientId: 'by secret' }, /the client id, the secret or the key is wrong/],
  ] as const)('with %s are refused with the reason', async (_, said, reason) => {
    const server = await protectedServer('legacy');
    const refused = await prepare(server, said).then(
      () => '',
      (error: unknown) => JSON.stringify(error, Object.getOwnPropertyNames(error)),
    );
    expect(refused).toMatch(reason);
    for (const secret of ['s e:c/r%t+é', 'PRIVATE KEY']) expect(refused).not.toContain(secret);
  });

  test('with too little scope for the server say which one it wants', async () => {
    const server = await protectedServer('legacy');
    const auth = await prepare(server, { ...bySecret, scope: 'more' });
    expect(await listing(server.url, auth)).toMatchObject({
      ok: false,
      problem: {
        reason: 'unauthorized',
        detail: 'HTTP status 403: the server wants the scope "tools"; the token has "more"',
      },
    });
  });

  test('that stop working in a run are a fault of the server that names the reason', async () => {
    const server = await protectedServer('legacy', 60);
    const auth = await prepare(server, bySecret);
    const connections = connect(
      server,
      { ...auth, secret: 'rotated', stored: { ...auth.stored, secret: 'sealed' } },
      null,
    );
    expect(await say(connections, 'hello')).toMatchObject({
      kind: 'fault',
      fault: {
        where: 'server',
        code: 'http-status',
        status: 401,
        detail: expect.stringContaining('the secret or the key is wrong'),
      },
    });
  });
});

describe('an authorization server that breaks the rules', () => {
  const wellKnown = '/.well-known/oauth-authorization-server';
  const resource = '/.well-known/oauth-protected-resource/mcp';

  /** Serves these JSON documents; `@` in them is the origin. */
  async function serve(documents: Readonly<Record<string, unknown>>): Promise<string> {
    const http = createServer((request, response) => {
      const body = documents[request.url ?? ''];
      const text = JSON.stringify(body)?.replaceAll('@', origin);
      if (text === undefined) response.writeHead(404).end();
      else if (typeof body === 'string') response.writeHead(200, { 'content-type': 'text/html' }).end(body);
      else response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const address = http.address();
    const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    running.push({ close: async () => void http.close() });
    return `${origin}/mcp`;
  }

  const named = { resource: '@/mcp', authorization_servers: ['@'] };
  const server = { issuer: '@', token_endpoint: '@/token', response_types_supported: [] };

  test.each([
    ['has no metadata', { [resource]: named }, /has no metadata/],
    [
      'answers with a page',
      { [resource]: named, [wellKnown]: '<html>' },
      /does not describe itself as RFC 8414 demands/,
    ],
    [
      'says that it is another',
      { [resource]: named, [wellKnown]: { ...server, issuer: 'https://evil.example' } },
      /names another issuer/,
    ],
    ['names no token endpoint', { [resource]: named, [wellKnown]: { issuer: '@' } }, /no token endpoint/],
    [
      'answers a request for a token with a page',
      { [resource]: named, [wellKnown]: server, '/token': '<html>' },
      /form of RFC 6749/,
    ],
    [
      'gives a token of another type',
      { [resource]: named, [wellKnown]: server, '/token': { access_token: 'a', token_type: 'dpop' } },
      /no bearer token|form of RFC 6749/,
    ],
    [
      'cannot be reached',
      { [resource]: { ...named, authorization_servers: ['http://127.0.0.1:9'] } },
      /cannot be reached/,
    ],
    [
      'is of a server that says it is another',
      { [resource]: { ...named, resource: 'https://bank.example/' } },
      /used elsewhere/,
    ],
    ['is in no list', { [resource]: { resource: '@/mcp' } }, /not in the form of RFC 9728/],
  ])('is refused if it %s', async (_, documents, reason) => {
    const url = await serve(documents);
    const refused = await prepare({ url }, bySecret).then(() => '', String);
    expect(refused).toMatch(reason);
  });
});
