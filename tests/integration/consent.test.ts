import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { redeemCode, renewTokens, revokeTokens } from '#adapters/mcp/oauth/consent-tokens.ts';
import { findOAuthRefusal } from '#adapters/mcp/oauth/refusal.ts';
import { prepareConsent } from '#adapters/mcp/oauth/start-consent.ts';
import { Admission } from '#adapters/network/admission.ts';
import { findGuardError, makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import { readAuthorizationAnswer } from '#core/catalog/consent/answer.ts';
import { makeClientMetadata, type OwnClient } from '#core/catalog/consent/client-metadata.ts';
import { makeAuthorizationUrl } from '#core/catalog/consent/consent.ts';
import type { PeopleOptions } from '../../offline/gateway/people.ts';
import { Person } from '../support/person.ts';
import { protect } from '../support/protected-server.ts';
import { running, serverWith } from '../support/running.ts';

const fetch = makeGuardedFetch({ admission: new Admission(), allowLocal: true, maxBytes: 50_000, timeoutMs: 5_000 });
const origin = 'https://sextant.example.com';
const documentUrl = `${origin}/oauth/client.json`;
const local: OwnClient = { origin: 'http://127.0.0.1:8787', documentUrl: null };
const published: OwnClient = { origin, documentUrl };
const person = new Person(() => Promise.reject(new Error('no page of ours is opened here')));

const document = (): Response => Response.json({ client_id: documentUrl, ...makeClientMetadata(origin, 'none') });

async function protectedServer(people: PeopleOptions) {
  const options = { clients: [], tokenSeconds: 60, scope: 'tools', people };
  const server = await protect((await serverWith()).url, options);
  running.push(server);
  return server;
}

/** Asks, consents at the authorization server, and returns the consent with its code. */
async function consented(people: PeopleOptions, own: OwnClient) {
  const server = await protectedServer(people);
  const { asked: started, secrets } = await prepareConsent({ url: server.url }, { own, fetch, allowLocal: true });
  const asked = { ...started, id: 'cns_1', workspace: 'ws_1', createdAt: '', expiresAt: '' };
  const location = await person.answer(makeAuthorizationUrl(asked, 'a state'));
  const code = readAuthorizationAnswer(asked, new URL(location).searchParams);
  if (!code.ok) throw new Error(code.problem.reason);
  return { server, open: { asked, secrets, fetch }, code: code.value };
}

const reasonOf = (failing: Promise<unknown>): Promise<string> =>
  failing.then(
    () => '',
    (error: unknown) => (findOAuthRefusal(error) ?? findGuardError(error))?.message ?? String(error),
  );

describe('Sextant as the client of an authorization server', () => {
  test('is known by its document, before it would register', async () => {
    const read: string[] = [];
    const people = {
      registers: true,
      takesDocuments: true,
      readDocument: async (url: string) => (read.push(url), document()),
    };
    const { server, open, code } = await consented(people, published);
    expect(open.asked).toMatchObject({ clientId: documentUrl, clientSource: 'document', clientMethod: 'none' });
    expect((await redeemCode(open, code)).refreshToken).not.toBeNull();
    expect(new Set(read)).toEqual(new Set([documentUrl]));
    expect(server.authorization.people?.counts.registered).toBe(0);
  });

  test('registers where no authorization server could read its document', async () => {
    const { server, open, code } = await consented({ registers: true, takesDocuments: true }, local);
    expect(open.asked).toMatchObject({ clientSource: 'registered', clientMethod: 'client_secret_basic' });
    await redeemCode(open, code);
    expect(server.authorization.people?.counts.registered).toBe(1);
  });

  test('says what is missing where it could be known by a document alone', async () => {
    const { url } = await protectedServer({ takesDocuments: true });
    const reason = await reasonOf(prepareConsent({ url }, { own: local, fetch, allowLocal: true }));
    expect(reason).toMatch(/public https address.*PUBLIC_ORIGIN.*by hand.*127.0.0.1:8787.oauth.callback/);
  });

  test.each([
    ['that names another client', () => Response.json({ client_id: origin, ...makeClientMetadata(origin, 'none') })],
    [
      'with a secret',
      () => Response.json({ client_id: documentUrl, ...makeClientMetadata(origin, 'client_secret_basic') }),
    ],
    [
      'that sends people elsewhere',
      () => Response.json({ client_id: documentUrl, ...makeClientMetadata('https://evil.example', 'none') }),
    ],
    ['that is not there', () => new Response('{}', { status: 404 })],
  ])('is not known by a document %s', async (_, readDocument) => {
    const people = { takesDocuments: true, readDocument: async () => readDocument() };
    await expect(consented(people, published)).rejects.toThrow('no such client');
  });
});

describe('tokens of a consent', () => {
  test('are renewed by a refresh token that is used once; a second use ends the consent', async () => {
    const { server, open, code } = await consented({ registers: true }, local);
    const first = await redeemCode(open, code);
    const second = await renewTokens(open, first.refreshToken ?? '');
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(second.accessToken).not.toBe(first.accessToken);
    const refused = await renewTokens(open, first.refreshToken ?? '').catch(findOAuthRefusal);
    expect(refused).toMatchObject({ isForGood: true, message: expect.stringContaining('withdrawn or has run out') });
    expect(server.authorization.people?.counts.ended).toBe(1);
    expect(await reasonOf(renewTokens(open, second.refreshToken ?? ''))).toContain('invalid_grant');
  });

  test('are revoked together', async () => {
    const { open, code } = await consented({ registers: true }, local);
    const tokens = await redeemCode(open, code);
    await revokeTokens(open, tokens);
    expect(await reasonOf(renewTokens(open, tokens.refreshToken ?? ''))).toContain('invalid_grant');
  });

  test.each([
    ['another verifier', { verifier: 'x'.repeat(43) }, {}],
    ['another address to be sent back to', {}, { redirectUri: 'http://127.0.0.1:8788/oauth/callback' }],
    ['another resource', {}, { resource: 'http://127.0.0.1/other' }],
  ])('are not given for a code with %s', async (_, secret, change) => {
    const { open, code } = await consented({ registers: true }, local);
    const spoilt = { ...open, secrets: { ...open.secrets, ...secret }, asked: { ...open.asked, ...change } };
    expect(await reasonOf(redeemCode(spoilt, code))).toMatch(/invalid_grant|invalid_target/);
  });

  test('are taken back when their code is used twice', async () => {
    const { server, open, code } = await consented({ registers: true }, local);
    const tokens = await redeemCode(open, code);
    expect(await reasonOf(redeemCode(open, code))).toContain('the code of the consent is used up');
    expect(server.authorization.people?.counts.ended).toBe(1);
    expect(await reasonOf(renewTokens(open, tokens.refreshToken ?? ''))).toContain('invalid_grant');
  });
});

describe('an authorization server that breaks the rules', () => {
  /** Serves these documents; `@` in them is the origin. */
  async function serve(server: Record<string, unknown>, registration: unknown = {}): Promise<string> {
    const documents: Record<string, unknown> = {
      '/.well-known/oauth-protected-resource/mcp': { resource: '@/mcp', authorization_servers: ['@'] },
      '/.well-known/oauth-authorization-server': { ...whole, ...server },
      '/register': registration,
    };
    const http = createServer((request, response) => {
      const known = documents[request.url ?? ''];
      const text = typeof known === 'string' ? known : JSON.stringify(known)?.replaceAll('@', at);
      const type = typeof known === 'string' ? 'text/html' : 'application/json';
      if (text === undefined) response.writeHead(404).end();
      else response.writeHead(request.url === '/register' ? 201 : 200, { 'content-type': type }).end(text);
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const address = http.address();
    const at = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    running.push({ close: async () => void http.close() });
    return `${at}/mcp`;
  }

  const whole = {
    issuer: '@',
    token_endpoint: '@/token',
    authorization_endpoint: '@/authorize',
    registration_endpoint: '@/register',
    code_challenge_methods_supported: ['S256'],
    response_types_supported: ['code'],
  };

  test.each([
    ['asks nobody', { authorization_endpoint: undefined }, {}, /asks nobody for consent/],
    ['sends people to a script', { authorization_endpoint: 'javascript:alert(1)' }, {}, /neither http: nor https:/],
    [
      'sends people to a metadata service',
      { authorization_endpoint: 'http://169.254.169.254/latest' },
      {},
      /169\.254|not allowed|forbidden/,
    ],
    ['sends people away without TLS', { authorization_endpoint: 'http://login.example.com/' }, {}, /without TLS/],
    ['does not know PKCE', { code_challenge_methods_supported: undefined }, {}, /knows PKCE/],
    ['knows only plain challenges', { code_challenge_methods_supported: ['plain'] }, {}, /knows PKCE/],
    [
      'registers clients without TLS',
      { registration_endpoint: 'http://login.example.com/' },
      {},
      /gives secrets without TLS/,
    ],
    [
      'registers clients at a metadata service',
      { registration_endpoint: 'http://169.254.169.254/' },
      {},
      /169\.254|not allowed|forbidden/,
    ],
    ['registers with a page', {}, '<html>', /form of RFC 7591/],
    [
      'registers with more than anybody reads',
      {},
      `"${'x'.repeat(100_000)}"`,
      /form of RFC 7591|cannot be reached|longer|larger/,
    ],
    ['registers nobody', {}, { client_id: '' }, /form of RFC 7591/],
    ['keeps its secret', {}, { client_id: 'a', token_endpoint_auth_method: 'client_secret_post' }, /does not say/],
  ])('is refused if it %s', async (_, server, registration, reason) => {
    const url = await serve(server, registration);
    expect(await reasonOf(prepareConsent({ url }, { own: local, fetch, allowLocal: true }))).toMatch(reason);
  });

  test('has the registration that it refuses explained, with what to do', async () => {
    const { url } = await protectedServer({ registers: true });
    const own = { origin: 'http://sextant.example.com', documentUrl: null };
    expect(await reasonOf(prepareConsent({ url }, { own, fetch, allowLocal: true }))).toMatch(
      /invalid_redirect_uri.*does not send people back.*by hand/,
    );
  });
});
