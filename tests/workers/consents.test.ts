import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { benchmarkRecord } from '#core/benchmarks/benchmark.ts';
import { serverRecord } from '#core/catalog/server.ts';
import { consentRecord } from '#core/catalog/consent/consent.ts';
import { evaluateToEnd, type TestBed } from '../support/evaluation.ts';
import { listObjects, storedSince } from '../support/every-object.ts';
import { exploreToEnd } from '../support/exploration.ts';
import { Person } from '../support/person.ts';
import type { ServerSpec } from '../support/script.ts';
import { call, expectStatus, newWorkspace, problemOf, type TestWorkspace } from '../support/workspace.ts';
import { startModel, startServer, tools } from '../support/world.ts';

const origin = 'http://127.0.0.1:8787';
const send = (request: Request): Promise<Response> => exports.default.fetch(request);
const startedConsent = z.object({ consent: consentRecord, page: z.url() });

/** Asks for a consent at the address at which a person could answer. */
const ask = ({ key }: TestWorkspace, body: Record<string, unknown>) =>
  call(key, 'POST', '/v1/consents', body, { origin });

async function asked(workspace: TestWorkspace, url: string, more: Record<string, unknown> = {}) {
  return startedConsent.parse(expectStatus(await ask(workspace, { url, ...more }), 201));
}

const consentOf = async (workspace: TestWorkspace, id: string) =>
  consentRecord.parse(expectStatus(await workspace.get(`/v1/consents/${id}`), 200));

const withConsent = z.object({ server: serverRecord, consent: consentRecord.nullable() });
const readServer = async (workspace: TestWorkspace, id: string) =>
  withConsent.parse(expectStatus(await workspace.get(`/v1/servers/${id}`), 200));

const auth = (consent: string) => ({ type: 'authorization-code', consent });

async function behindConsent(spec: Partial<ServerSpec> = {}) {
  const workspace = await newWorkspace();
  const people = { registers: true };
  const outside = await startServer({ tools: tools('apple', 'pear'), tokenSeconds: 60, people, ...spec });
  return { workspace, outside, person: new Person(send) };
}

/** A server that is registered with a consent. */
async function registered(spec: Partial<ServerSpec> = {}) {
  const ground = await behindConsent(spec);
  const { workspace, outside, person } = ground;
  const { consent, page } = await asked(workspace, outside.url);
  await person.consent(page);
  const server = await workspace.server('fruit', outside.url, { auth: auth(consent.id) });
  return { ...ground, consent, server };
}

const relist = (workspace: TestWorkspace, id: string) => workspace.post(`/v1/servers/${id}/relist`, {});

describe('a server that people consent to', () => {
  test('is registered when somebody has consented, and forgotten with its tokens', async () => {
    const { workspace, outside, person } = await behindConsent();
    const without = await workspace.post('/v1/servers', { name: 'fruit', domain: 'testing', url: outside.url });
    expect(JSON.stringify(without.body)).toContain('servers add --consent');
    const { consent, page } = await asked(workspace, outside.url);
    expect(consent).toMatchObject({ state: 'waiting', clientSource: 'registered', scope: 'tools', server: null });
    const early = { name: 'fruit', domain: 'testing', url: outside.url, auth: auth(consent.id) };
    expect(problemOf(await workspace.post('/v1/servers', early))).toEqual([409, 'consent-needed']);

    const question = await person.open(page);
    expect(question.html).toContain('Continue only if you asked for this yourself');
    expect(question.html).toContain(workspace.id);
    const done = await person.consent(page);
    expect([done.status, done.html]).toEqual([200, expect.stringContaining('You may close this page')]);
    for (const { headers } of [question, done]) {
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
    }

    expect(await consentOf(workspace, consent.id)).toMatchObject({ state: 'given', until: null });
    const server = await workspace.server('fruit', outside.url, { auth: auth(consent.id) });
    expect(server).toMatchObject({ tools: 2, auth: { type: 'authorization-code', consent: consent.id } });
    expect((await readServer(workspace, server.id)).consent).toMatchObject({ state: 'given', server: server.id });

    expectStatus(await workspace.remove(`/v1/servers/${server.id}`), 204);
    expect(problemOf(await workspace.get(`/v1/consents/${consent.id}`))).toEqual([404, 'not-found']);
    expect((await outside.log()).consents).toMatchObject({ registered: 1, ended: 1 });
  });

  test('knows Sextant as the client that its owner has registered, before anything else', async () => {
    const { workspace, outside, person } = await behindConsent();
    const client = { clientId: 'desk', clientSecret: 'desk secret' };
    const { consent, page } = await asked(workspace, outside.url, client);
    expect(consent).toMatchObject({ clientId: 'desk', clientSource: 'pre-registered' });
    expect((await person.consent(page)).status).toBe(200);
    const server = await workspace.server('fruit', outside.url, { auth: auth(consent.id) });
    expectStatus(await relist(workspace, server.id), 200);
    expect((await outside.log()).consents.registered).toBe(0);
    const wrong = await asked(workspace, outside.url, { ...client, clientSecret: 'no secret' });
    const refused = await person.consent(wrong.page);
    expect([refused.status, refused.html]).toEqual([400, expect.stringContaining('the secret or the key is wrong')]);
  });

  test('that registers no clients is refused with what to do', async () => {
    const { workspace, outside } = await behindConsent({ people: {} });
    const refused = await ask(workspace, { url: outside.url });
    expect(problemOf(refused)).toEqual([422, 'server-unauthorized']);
    expect(JSON.stringify(refused.body)).toMatch(
      /registers no clients by itself; register Sextant there by hand.*oauth.callback/,
    );
    const elsewhere = await workspace.post('/v1/consents', { url: outside.url });
    expect(problemOf(elsewhere)).toEqual([409, 'consent-needed']);
    expect(JSON.stringify(elsewhere.body)).toContain('set PUBLIC_ORIGIN');
  });

  test('is used on by a run that outlives its tokens, whose refresh tokens are each used once', async () => {
    const { workspace, outside, server } = await registered({ tokenSeconds: 1 });
    const { id: catalog } = await workspace.catalog(server);
    const ground = { workspace, catalog, model: await startModel([]), servers: { fruit: outside } };
    const { run } = await exploreToEnd(ground, { batch: 3 });
    const made = await workspace.post('/v1/benchmarks', { explorations: [run], privateShare: 0, floor: false });
    const bed: TestBed = { ...ground, benchmark: benchmarkRecord.parse(expectStatus(made, 201)) };
    const before = await outside.log();
    const begun = Date.now();
    const { cases, results } = await evaluateToEnd(bed, ['steady'], { concurrency: 4, trials: 12 });
    const lives = Math.floor((Date.now() - begun) / 1_000);
    expect(cases).toHaveLength(36);
    expect(results('steady').notEvaluated).toBe(0);
    const after = await outside.log();
    expect(after.tokens - before.tokens).toBeGreaterThanOrEqual(Math.max(1, lives));
    expect(after.consents.ended).toBe(0);
  });

  test('gives one new token to all who ask at once, also when the present one is refused', async () => {
    const { outside, consent } = await registered();
    const stub = () => env.CONSENT.getByName(consent.id);
    const first = await stub().giveToken(null);
    if (!first.ok) throw new Error(first.problem.detail);
    const { tokens } = await outside.log();
    await outside.revokeTokens();
    const given = await Promise.all(Array.from({ length: 20 }, () => stub().giveToken(first.value.value)));
    const values = new Set(given.map((each) => (each.ok ? each.value.value : each.problem.detail)));
    expect(values.size).toBe(1);
    expect(values).not.toContain(first.value.value);
    const later = await outside.log();
    expect([later.tokens - tokens, later.consents.ended]).toEqual([1, 0]);
  });

  test('whose consent was ended says that somebody has to consent again, and continues with the new one', async () => {
    const { workspace, outside, person, consent, server } = await registered();
    await outside.endConsents();
    const refused = await relist(workspace, server.id);
    expect(problemOf(refused)).toEqual([422, 'server-unauthorized']);
    expect(JSON.stringify(refused.body)).toMatch(/somebody has to consent again.*servers consent.*invalid_grant/);
    expect((await readServer(workspace, server.id)).consent).toMatchObject({ state: 'lost' });

    const next = await asked(workspace, outside.url);
    await person.consent(next.page);
    const change = { auth: auth(next.consent.id) };
    expectStatus(await call(workspace.key, 'PATCH', `/v1/servers/${server.id}`, change), 200);
    expectStatus(await call(workspace.key, 'PATCH', `/v1/servers/${server.id}`, change), 200);
    expectStatus(await relist(workspace, server.id), 200);
    expect((await readServer(workspace, server.id)).consent).toMatchObject({ id: next.consent.id, state: 'given' });
    // Attempts under way may use the earlier one for an hour.
    expect((await consentOf(workspace, consent.id)).state).toBe('lost');
  });

  test('that gives nothing to renew a token with is usable until the token runs out', async () => {
    const { workspace, server } = await registered({ people: { registers: true, renews: false }, tokenSeconds: 2 });
    const { consent } = await readServer(workspace, server.id);
    expect(consent).toMatchObject({ state: 'given', until: expect.any(String) });
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect((await readServer(workspace, server.id)).consent).toMatchObject({ state: 'lost' });
    expect(JSON.stringify((await relist(workspace, server.id)).body)).toContain('nothing to renew it with');
  });
});

describe('a consent', () => {
  test('is found by its own workspace alone, and holds for one server at its address', async () => {
    const { workspace, outside, consent } = await registered();
    const other = await newWorkspace();
    expect(problemOf(await other.get(`/v1/consents/${consent.id}`))).toEqual([404, 'not-found']);
    const body = { name: 'other', domain: 'testing', url: outside.url, auth: auth(consent.id) };
    expect(problemOf(await other.post('/v1/servers', body))).toEqual([409, 'consent-needed']);
    expect(problemOf(await workspace.post('/v1/servers', body))).toEqual([409, 'consent-needed']);
    const elsewhere = { ...body, url: `${outside.url}/` };
    expect(problemOf(await workspace.post('/v1/servers', elsewhere))).toEqual([409, 'consent-needed']);
    const made = `${consent.id.slice(0, -1)}${consent.id.endsWith('0') ? '1' : '0'}`;
    expect(problemOf(await workspace.get(`/v1/consents/${made}`))).toEqual([404, 'not-found']);
    const guessed = await workspace.post('/v1/servers', { ...body, auth: auth(made) });
    expect(problemOf(guessed)).toEqual([409, 'consent-needed']);
  });

  test('that a refused registration has used can be used for the next one', async () => {
    const { workspace, outside, person } = await behindConsent();
    const { consent, page } = await asked(workspace, outside.url);
    await person.consent(page);
    const body = { name: 'fruit', domain: 'testing', url: outside.url, auth: auth(consent.id) };
    const refused = await workspace.post('/v1/servers', { ...body, effects: { unlisted: 'reads' } });
    expect(problemOf(refused)).toEqual([400, 'invalid-request']);
    expect((await consentOf(workspace, consent.id)).server).toBeNull();
    expectStatus(await workspace.post('/v1/servers', body), 201);
  });

  test('is denied in words', async () => {
    const { workspace, outside, person } = await behindConsent();
    const { consent, page } = await asked(workspace, outside.url);
    const denied = await person.open(await person.decide(page, 'deny'));
    expect(denied.status).toBe(400);
    expect(denied.html).toContain('consent was denied (access_denied): &quot;the person said no&quot;');
    expect(await consentOf(workspace, consent.id)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('consent was denied'),
    });
  });

  /** Changes the answer of the authorization server on its way back. */
  const hostile: readonly (readonly [string, (query: URLSearchParams) => void, RegExp])[] = [
    [
      'from another authorization server',
      (query) => query.set('iss', 'https://evil.example'),
      /another authorization server/,
    ],
    [
      'from an issuer that differs by a slash',
      (query) => query.set('iss', `${query.get('iss')}/`),
      /another authorization server/,
    ],
    ['that does not say from whom it is', (query) => query.delete('iss'), /does not say that it is from/],
    ['that says something twice', (query) => query.append('code', 'other'), /says something twice/],
    ['with a code that was made up', (query) => query.set('code', 'made up'), /invalid_grant/],
    ['without a code', (query) => query.delete('code'), /no code/],
    ['that is too long', (query) => query.set('code', 'x'.repeat(5_000)), /no code/],
  ];

  test.each(hostile)('refuses an answer %s, and takes no other one afterwards', async (_, spoil, reason) => {
    const { workspace, outside, person } = await behindConsent();
    const { consent, page } = await asked(workspace, outside.url);
    const right = await person.decide(page);
    const wrong = new URL(right);
    spoil(wrong.searchParams);
    const refused = await person.open(wrong.href);
    expect([refused.status, refused.html]).toEqual([400, expect.stringMatching(reason)]);
    expect(await consentOf(workspace, consent.id)).toMatchObject({ state: 'failed' });
    const again = await person.open(right);
    expect([again.status, again.html]).toEqual([400, expect.stringContaining('answered before')]);
  });

  test('shows nothing of an error that comes from another authorization server, and escapes one that does not', async () => {
    const { workspace, outside, person } = await behindConsent();
    const marked = '<script>alert(1)</script>';
    const answer = async (iss: string | null) => {
      const { page } = await asked(workspace, outside.url);
      const url = new URL(await person.decide(page, 'deny'));
      url.searchParams.set('error', `access_denied${marked}`);
      url.searchParams.set('error_description', `${marked}\u202Egnp.exe`);
      if (iss !== null) url.searchParams.set('iss', iss);
      return (await person.open(url.href)).html;
    };
    const own = await answer(null);
    expect(own).not.toContain('<script');
    expect(own).toContain('&lt;script&gt;');
    expect(own).not.toContain('\u202E');
    const others = await answer('https://evil.example');
    for (const shown of ['script&gt;', '<script', 'alert(1)', 'gnp.exe']) expect(others).not.toContain(shown);
  });

  test('takes no answer twice', async () => {
    const { workspace, outside, person } = await behindConsent();
    const { consent, page } = await asked(workspace, outside.url);
    const location = await person.decide(page);
    const both = await Promise.all([person.open(location), person.open(location)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect((await consentOf(workspace, consent.id)).state).toBe('given');
    expect((await person.open(page)).html).toContain('answered before');
    expect((await outside.log()).consents.ended).toBe(0);
  });

  test('takes no answer from a browser that has not seen its page', async () => {
    const { workspace, outside, person } = await behindConsent();
    const { consent, page } = await asked(workspace, outside.url);
    const location = await person.decide(page);
    const stranger = await new Person(send).open(location);
    expect([stranger.status, stranger.html]).toEqual([400, expect.stringContaining('another browser')]);
    expect((await consentOf(workspace, consent.id)).state).toBe('failed');
  });

  test('is not passed by a page of another site, which opens its page and sends the browser on', async () => {
    const { workspace, outside, person } = await behindConsent();
    const { consent, page } = await asked(workspace, outside.url);
    const attacker = new Person(send);
    const authorizationUrl = await attacker.proceed(page);
    const { headers } = await person.open(page);
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    // The authorization server consents at once where a person is signed in and has consented before.
    const done = await person.open(await person.answer(authorizationUrl));
    expect([done.status, done.html]).toEqual([400, expect.stringContaining('another browser')]);
    expect((await consentOf(workspace, consent.id)).state).toBe('failed');
  });

  test('is continued from once, by the browser that has loaded its page, from the page as loaded last', async () => {
    const { workspace, outside, person } = await behindConsent();
    const { consent, page } = await asked(workspace, outside.url);
    const early = await person.open(page);
    const { html } = await person.open(page);
    const stranger = new Person(send);
    await stranger.open(page);
    const cookieless = await new Person(send).click(page, html);
    const refused = [await person.click(page, early.html), await stranger.click(page, html), cookieless];
    for (const { status, html: shown, headers } of refused) {
      expect([status, headers.get('location')]).toEqual([400, null]);
      expect(shown).toContain('is not the one that this browser opened last');
    }
    // The page that says so is one to continue from.
    const { html: shown } = await person.click(page, early.html);
    const twin = person.copy();
    const first = await person.click(page, shown);
    expect([first.status, first.headers.get('location')]).toEqual([303, expect.stringContaining('code_challenge')]);
    const second = await twin.click(page, shown);
    expect([second.status, second.html]).toEqual([400, expect.stringContaining('continued from it already')]);
    expect((await consentOf(workspace, consent.id)).state).toBe('waiting');
  });

  test('keeps its cookies to the host of a deployment with TLS, and its page leads where browsers let it', async () => {
    const { workspace, outside } = await behindConsent();
    const { page } = await asked(workspace, outside.url);
    const { headers } = await send(new Request(page.replace(/^http:/, 'https:')));
    const [cookie = '', ...others] = headers.getSetCookie();
    expect(others).toEqual([]);
    for (const part of ['__Host-sextant-page-', 'Secure', 'HttpOnly', 'SameSite=Strict', 'Path=/'])
      expect(cookie).toContain(part);
    expect(headers.get('content-security-policy')).toContain("form-action 'self' http:;");
  });

  test('is not found by a state that was made up, changed, or given twice', async () => {
    const { workspace, outside, person } = await behindConsent();
    const { consent, page } = await asked(workspace, outside.url);
    const state = new URL(page).searchParams.get('state') ?? '';
    for (const wrong of [
      '',
      'made-up',
      `${state.slice(0, -4)}AAAA`,
      consent.id,
      `${state}&state=${state}`,
      '%F0%9F%92%A9',
    ])
      for (const place of ['consent', 'callback']) {
        const seen = await person.open(`${origin}/oauth/${place}?code=c&state=${wrong}`);
        expect([seen.status, seen.html]).toEqual([400, expect.stringContaining('belongs to no consent')]);
      }
    expect((await consentOf(workspace, consent.id)).state).toBe('waiting');
  });

  test('that is not answered in time is over', async () => {
    const { workspace, outside, person } = await behindConsent();
    const { consent, page } = await asked(workspace, outside.url);
    const location = await person.decide(page);
    await runInDurableObject(env.CONSENT.getByName(consent.id), (_, { storage }) => {
      const known = z.looseObject({}).parse(storage.kv.get('asked'));
      storage.kv.put('asked', { ...known, expiresAt: new Date(Date.now() - 1).toISOString() });
    });
    expect((await consentOf(workspace, consent.id)).state).toBe('expired');
    for (const address of [page, location])
      expect((await person.open(address)).html).toContain('the time for this consent is over');
  });

  test('that no server uses is withdrawn at its authorization server after an hour', async () => {
    const { workspace, outside, person } = await behindConsent();
    const { consent, page } = await asked(workspace, outside.url);
    await person.consent(page);
    expect(await runDurableObjectAlarm(env.CONSENT.getByName(consent.id))).toBe(true);
    expect(problemOf(await workspace.get(`/v1/consents/${consent.id}`))).toEqual([404, 'not-found']);
    expect((await outside.log()).consents.ended).toBe(1);
  });

  test('that a server uses stays', async () => {
    const { consent } = await registered();
    expect(await runDurableObjectAlarm(env.CONSENT.getByName(consent.id))).toBe(false);
  });
});

test('no secret of a consent is stored in plain text, shown or logged, also not by runs that use it', async () => {
  const logged: string[] = [];
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, method).mockImplementation(
      (...parts: unknown[]) => void logged.push(parts.map(String).join(' ')),
    );
  const before = await listObjects();
  const { workspace, outside, person } = await behindConsent({ tokenSeconds: 1 });
  const { consent, page } = await asked(workspace, outside.url);
  const seen = [await person.open(page), await person.consent(page)];
  const server = await workspace.server('fruit', outside.url, { auth: auth(consent.id) });
  const { id: catalog } = await workspace.catalog(server);
  const ground = { workspace, catalog, model: await startModel([]), servers: { fruit: outside } };
  // The first token runs out, so that the run needs another one.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const { run, events } = await exploreToEnd(ground, { batch: 3 });
  await outside.endConsents();
  const lost = await relist(workspace, server.id);
  const paths = [`/v1/servers/${server.id}`, `/v1/consents/${consent.id}`, `/v1/explorations/${run}/units`];
  const answers = await Promise.all(paths.map((path) => workspace.get(path)));
  const { requests, consents } = await outside.log();
  const tokens = requests.flatMap(({ headers }) => String(headers['authorization']).split(' ').slice(1));
  const secrets = [...new Set([...tokens, ...consents.secrets])];
  // Codes, secrets of clients, refresh tokens and access tokens.
  expect(secrets.length).toBeGreaterThan(4);
  const texts = new Map([
    ...(await storedSince(before)),
    ['console', logged.join('\n')],
    ['answers', JSON.stringify([server, events, lost.body, ...answers.map(({ body }) => body)])],
    ['pages', seen.map(({ html }) => html).join('\n')],
  ]);
  expect([...texts.keys()].some((key) => key.startsWith('CONSENT '))).toBe(true);
  const found = [...texts].flatMap(([where, text]) =>
    secrets.filter((secret) => text.includes(secret)).map(() => where),
  );
  expect(found).toEqual([]);
  vi.restoreAllMocks();
});

test('the document of the client is served where authorization servers can read it', async () => {
  const at = (base: string) => call(null, 'GET', '/oauth/client.json', undefined, { origin: base });
  const { status, headers, body } = await at('https://sextant.example.com');
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'application/json',
    'public, max-age=3600',
  ]);
  expect(body).toMatchObject({
    client_id: 'https://sextant.example.com/oauth/client.json',
    redirect_uris: ['https://sextant.example.com/oauth/callback'],
    token_endpoint_auth_method: 'none',
    application_type: 'web',
  });
  for (const hidden of [origin, 'http://sextant.example.com', 'https://10.0.0.1'])
    expect(problemOf(await at(hidden))).toEqual([404, 'not-found']);
});
