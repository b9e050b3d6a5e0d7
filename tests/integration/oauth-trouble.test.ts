import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeLazyConnections } from '#adapters/mcp/connections.ts';
import type { ServerAuth } from '#adapters/mcp/oauth/tokens.ts';
import { discoverTools } from '#adapters/mcp/list-tools.ts';
import { tryCredentialsAndMakePlainAuth } from '#adapters/mcp/oauth/try-credentials.ts';
import { surveyServer } from '#adapters/mcp/survey-server.ts';
import { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import { machineAuth, type MachineAuth, type SigningAlgorithm } from '#core/catalog/server-auth.ts';
import { noRules } from '#core/catalog/redaction/rules.ts';
import type { OAuthClient } from '../../offline/gateway/oauth-forms.ts';
import { protect, type ProtectedServer } from '../support/protected-server.ts';
import type { TestMcpServer } from '../support/mcp-server.ts';
import { running, serverWith } from '../support/running.ts';
import { toolsNamed, unlimited } from '../support/unlimited.ts';

const machine: OAuthClient = { id: 'machine', secret: 'a secret', scopes: ['tools'] };
const bySecret: MachineAuth = { type: 'client-credentials', clientId: 'machine', clientSecret: 'a secret' };

async function protectedServer(clients: readonly OAuthClient[] = [machine], tokenSeconds = 60) {
  const server = await protect((await serverWith()).url, { clients, tokenSeconds, scope: 'tools' });
  running.push(server);
  return server;
}

const fetch = makeGuardedFetch({ admission: new Admission(), allowLocal: true, maxBytes: 100_000, timeoutMs: 5_000 });

async function prepare({ url }: { readonly url: string }, said: MachineAuth = bySecret): Promise<ServerAuth> {
  const tried = await tryCredentialsAndMakePlainAuth(said, url, fetch);
  return { stored: { ...tried, secret: randomUUID() }, secret: tried.secret };
}

function connect({ url }: ProtectedServer, auth: ServerAuth, admission = new Admission(), connectTimeoutMs = 3_000) {
  const connections = makeLazyConnections({
    admission,
    servers: [{ headers: {}, ...unlimited, name: 'test', url, auth }],
    tools: toolsNamed('test/echo'),
    allowLocal: true,
    connectTimeoutMs,
  });
  running.push(connections);
  return (text: string) => connections.call('test/echo', { text }, 5_000);
}

const keys = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  PS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EdDSA: () => generateKeyPairSync('ed25519'),
} as const;
const algorithms: readonly SigningAlgorithm[] = ['ES256', 'RS256', 'PS256', 'EdDSA'];

test.each(algorithms)('an assertion is signed with %s under the name that the owner gave', async (algorithm) => {
  const { publicKey, privateKey } = keys[algorithm]();
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const server = await protectedServer([{ id: 'keyed', publicKey: pem, algorithm, scopes: ['tools'] }]);
  const auth = await prepare(server, {
    type: 'private-key-jwt',
    clientId: 'keyed',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    algorithm,
  });
  expect(await connect(server, auth)('hello')).toMatchObject({ kind: 'success' });
});

test.each(algorithms)('a key for %s is taken as a JWK, whatever that says of its use', async (algorithm) => {
  const { publicKey, privateKey } = keys[algorithm]();
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const server = await protectedServer([{ id: 'keyed', publicKey: pem, algorithm, scopes: ['tools'] }]);
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'key 7', use: 'sig', alg: 'other', key_ops: ['verify'] };
  const said = machineAuth.parse({ type: 'private-key-jwt', clientId: 'keyed', privateKey: jwk, algorithm });
  const auth = await prepare(server, said);
  expect(auth.stored).toMatchObject({ keyId: 'key 7' });
  expect(await connect(server, auth)('hello')).toMatchObject({ kind: 'success' });
});

test('a server that refuses without a challenge, but describes its authorization, is explained too', async () => {
  const upstream = await serverWith({ tricks: { initialize: { kind: 'status', status: 401 } } });
  const { origin } = new URL(upstream.url);
  const documents: Record<string, unknown> = {
    '/.well-known/oauth-protected-resource/mcp': { resource: upstream.url, authorization_servers: [origin] },
    '/.well-known/oauth-authorization-server': { issuer: origin, token_endpoint: `${origin}/token` },
  };
  const served =
    (described: boolean): FetchLike =>
    async (url, init) => {
      const document = described ? documents[new URL(url).pathname] : undefined;
      return document === undefined ? globalThis.fetch(url, init) : Response.json(document);
    };
  const list = (described: boolean) =>
    discoverTools({
      admission: new Admission(),
      url: upstream.url,
      headers: {},
      allowLocal: true,
      fetch: served(described),
    });
  expect(await list(true)).toMatchObject({
    problem: {
      reason: 'unauthorized',
      detail: expect.stringContaining(`the server wants OAuth (${origin}): register`),
    },
  });
  expect(await list(false)).toMatchObject({ problem: { reason: 'unauthorized', detail: 'HTTP status 401' } });
});

test('attempts of one invocation that begin at once share one token, and one when it is withdrawn', async () => {
  const server = await protectedServer();
  const auth = await prepare(server);
  const admission = new Admission();
  const attempts = Array.from({ length: 20 }, () => connect(server, auth, admission));
  const callAll = () => Promise.all(attempts.map((call, place) => call(String(place))));
  expect(new Set((await callAll()).map(({ kind }) => kind))).toEqual(new Set(['success']));
  // One was asked for when the credentials were tried.
  expect(server.authorization.counts.tokens).toBe(2);
  server.authorization.revokeAllTokens();
  expect(new Set((await callAll()).map(({ kind }) => kind))).toEqual(new Set(['success']));
  expect(server.authorization.counts.tokens).toBe(3);
});

test('an authorization server that does not answer is named, and asked again by the next call', async () => {
  const server = await protectedServer();
  const auth = await prepare(server);
  const say = connect(server, auth, new Admission(), 300);
  server.stallTokens(true);
  expect(await say('hello')).toMatchObject({
    kind: 'fault',
    fault: {
      where: 'server',
      code: 'timeout',
      detail: `the authorization server ${server.issuer} did not answer within 200 ms`,
    },
  });
  server.stallTokens(false);
  expect(await say('hello')).toMatchObject({ kind: 'success' });
});

describe('a server that repeats the token that it got', () => {
  /** Answers each call with the `authorization` of the request, as it is and without its scheme. */
  async function repeatingServer() {
    const seen = (): string => String(upstream.requests.at(-1)?.headers['authorization']);
    const upstream: TestMcpServer = await serverWith({
      tools: [
        {
          name: 'echo',
          annotations: { readOnlyHint: true },
          handle: async () => ({
            content: [{ type: 'text', text: `I got ${seen()}` }],
            structuredContent: { token: seen().replace('Bearer ', '') },
          }),
        },
      ],
    });
    const server = await protect(upstream.url, { clients: [machine], tokenSeconds: 60, scope: 'tools' });
    running.push(server);
    return { server, seen };
  }

  test('does not get it into results', async () => {
    const { server, seen } = await repeatingServer();
    const say = connect(server, await prepare(server));
    for (const text of ['before', 'after its renewal']) {
      const outcome = await say(text);
      expect(outcome).toMatchObject({ kind: 'success', text: expect.stringContaining('I got [hidden]') });
      const token = seen().replace('Bearer ', '');
      expect(token).toMatch(/^[\w-]{40,}$/);
      expect(JSON.stringify(outcome)).not.toContain(token);
      server.authorization.revokeAllTokens();
    }
  });

  test('does not get it into its survey', async () => {
    const { server, seen } = await repeatingServer();
    const auth = await prepare(server);
    const tool = {
      name: 'test/echo',
      server: 'test',
      domain: 'tests',
      category: 'other',
      inputSchema: { type: 'object' },
    };
    const { entries } = await surveyServer({
      admission: new Admission(),
      url: server.url,
      headers: {},
      auth,
      protocolVersion: null,
      redact: noRules,
      tools: [{ ...tool, annotations: { readOnlyHint: true } }],
      allowLocal: true,
    });
    expect(JSON.stringify(entries)).toContain('[hidden]');
    expect(JSON.stringify(entries)).not.toContain(seen().replace('Bearer ', ''));
  });
});
