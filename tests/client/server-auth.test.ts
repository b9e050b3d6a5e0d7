import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { fakeApi, json } from './fake-api.ts';
import { server } from './listed-server.ts';
import { runVerb } from './run-verb.ts';

const bodyOf = (text: string | undefined): unknown => JSON.parse(text ?? '');
const listed = json({ items: [server], nextCursor: null });
const shown = { type: 'client-credentials', clientId: 'me', scope: 'tools', issuer: 'https://auth.example.com' };
const folder = mkdtempSync(join(tmpdir(), 'sextant-key-'));
const keyFile = join(folder, 'key.pem');
const { privateKey } = generateKeyPairSync('ed25519', {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
writeFileSync(keyFile, privateKey);

const consent = {
  id: 'cns_1',
  url: 'https://files.example.com/mcp',
  issuer: 'https://auth.example.com',
  clientId: 'me',
  clientSource: 'registered',
  scope: null,
  state: 'waiting',
  problem: null,
  server: null,
  until: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-01T00:10:00.000Z',
};
const started = json({ consent, page: 'https://sextant.example.com/oauth/consent?state=s' }, 201);
const byConsent = { ...server, auth: { ...shown, type: 'authorization-code', consent: 'cns_1' } };
const adding = ['servers', 'add', 'files', 'https://files.example.com/mcp', '--domain', 'files', '--consent'];

afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true }));

test('"servers add" takes the secret of an OAuth client from the environment', async () => {
  vi.stubEnv('CLIENT_SECRET', 'hush');
  await using api = await fakeApi(json({ ...server, auth: shown }, 201));
  const words = adding.filter((word) => word !== '--consent');
  const named = ['--client-id', 'me', '--client-secret-env', 'CLIENT_SECRET', '--scope', 'tools more'];
  const { lines } = await runVerb(api, ...words, ...named);
  expect(bodyOf(api.requests[0]?.body)).toMatchObject({
    auth: { type: 'client-credentials', clientId: 'me', clientSecret: 'hush', scope: 'tools more' },
  });
  expect(lines).toContain('secrets: OAuth by https://auth.example.com');
});

test('"servers add --consent" shows where to consent, waits, and registers the server', async () => {
  await using api = await fakeApi(started, json({ ...consent, state: 'given' }), json(byConsent, 201));
  const { lines, notes } = await runVerb(api, ...adding, '--scope', 'tools');
  expect(notes).toContain('https://sextant.example.com/oauth/consent?state=s');
  expect(api.requests.map(({ line }) => line)).toEqual([
    'POST /v1/consents',
    'GET /v1/consents/cns_1',
    'POST /v1/servers',
  ]);
  expect(bodyOf(api.requests[0]?.body)).toEqual({ url: 'https://files.example.com/mcp', scope: 'tools' });
  expect(bodyOf(api.requests[2]?.body)).toMatchObject({ auth: { type: 'authorization-code', consent: 'cns_1' } });
  expect(lines).toContain('secrets: consent by https://auth.example.com');
});

test.each([
  [{ state: 'failed', problem: 'consent was denied' }, /nobody has consented: consent was denied/],
  [{ state: 'expired' }, /nobody has consented: the consent is expired/],
])('"servers add --consent" says why nobody has consented: %j', async (ended, problem) => {
  await using api = await fakeApi(started, json({ ...consent, ...ended }));
  await expect(runVerb(api, ...adding)).rejects.toThrow(problem);
  expect(api.requests).toHaveLength(2);
});

test('"servers consent" gives a registered server another consent, with the client that its owner has registered', async () => {
  vi.stubEnv('CLIENT_SECRET', 'hush');
  const known = json({ server: byConsent, tools: [], functionSchemas: [] });
  await using api = await fakeApi(listed, known, started, json({ ...consent, state: 'given' }), json(byConsent));
  const client = ['--client-id', 'me', '--client-secret-env', 'CLIENT_SECRET'];
  const { lines } = await runVerb(api, 'servers', 'consent', 'files', ...client);
  expect(bodyOf(api.requests[2]?.body)).toEqual({ url: server.url, clientId: 'me', clientSecret: 'hush' });
  expect(api.requests.at(-1)?.line).toBe('PATCH /v1/servers/srv_1');
  expect(bodyOf(api.requests.at(-1)?.body)).toEqual({ auth: { type: 'authorization-code', consent: 'cns_1' } });
  expect(lines).toEqual(['files: consent by https://auth.example.com']);
});

test.each([
  [['--private-key', keyFile], /--private-key is for machines/],
  [['--client-secret-env', 'CLIENT_SECRET'], /give --client-id/],
])('"servers add --consent" refuses %j before anything is sent', async (options, problem) => {
  await using api = await fakeApi(started);
  await expect(runVerb(api, ...adding, ...options)).rejects.toThrow(problem);
  expect(api.requests).toEqual([]);
});

test('"servers secrets" takes a private key from a file', async () => {
  await using api = await fakeApi(listed, json({ ...server, auth: { ...shown, type: 'private-key-jwt' } }));
  const named = ['--client-id', 'me', '--private-key', keyFile, '--key-algorithm', 'EdDSA', '--key-id', 'k1'];
  const { lines } = await runVerb(api, 'servers', 'secrets', 'files', ...named);
  expect(api.requests[1]?.line).toBe('PATCH /v1/servers/srv_1');
  expect(bodyOf(api.requests[1]?.body)).toEqual({
    auth: { type: 'private-key-jwt', clientId: 'me', privateKey, algorithm: 'EdDSA', keyId: 'k1' },
  });
  expect(lines).toEqual(['files: OAuth by https://auth.example.com']);
});

test('"servers secrets" takes a private key as a JWK, without what does not belong to the key', async () => {
  const file = join(folder, 'key.json');
  const jwk = createPrivateKey(privateKey).export({ format: 'jwk' });
  writeFileSync(file, JSON.stringify({ ...jwk, kid: 'k2', use: 'sig' }));
  await using api = await fakeApi(listed, json({ ...server, auth: { ...shown, type: 'private-key-jwt' } }));
  await runVerb(api, 'servers', 'secrets', 'files', '--client-id', 'me', '--private-key', file);
  expect(bodyOf(api.requests[1]?.body)).toMatchObject({ auth: { privateKey: { ...jwk, kid: 'k2' } } });
  expect(api.requests[1]?.body).not.toContain('use');
  writeFileSync(file, JSON.stringify({ ...jwk, d: undefined }));
  const options = ['--client-id', 'me', '--private-key', file];
  await expect(runVerb(api, 'servers', 'secrets', 'files', ...options)).rejects.toThrow(/no private key/);
});

test('"servers secrets" replaces headers, or takes secrets away', async () => {
  const changed = json({ ...server, headerNames: ['X-Key'] });
  await using api = await fakeApi(listed, changed, listed, json(server));
  expect((await runVerb(api, 'servers', 'secrets', 'files', '--header', 'X-Key: 1')).lines).toEqual([
    'files: headers: X-Key',
  ]);
  expect((await runVerb(api, 'servers', 'secrets', 'files', '--no-headers', '--no-auth')).lines).toEqual([
    'files: none',
  ]);
  const bodies = api.requests.filter(({ line }) => line.startsWith('PATCH')).map(({ body }) => bodyOf(body));
  expect(bodies).toEqual([{ headers: { 'X-Key': '1' } }, { headers: {}, auth: null }]);
});

test.each([
  ['nothing', [], /say what is to change/],
  ['a secret without a client', ['--client-secret-env', 'NO_SUCH'], /give --client-id/],
  ['a client without a secret', ['--client-id', 'me'], /one of --client-secret-env and --private-key/],
  ['two kinds of secrets', ['--client-id', 'me', '--client-secret-env', 'A', '--private-key', keyFile], /one of/],
  ['an empty variable', ['--client-id', 'me', '--client-secret-env', 'NO_SUCH'], /no NO_SUCH/],
  ['a file that is not there', ['--client-id', 'me', '--private-key', `${keyFile}.none`], /cannot be read/],
])('"servers secrets" refuses %s before anything is sent', async (_, options, problem) => {
  await using api = await fakeApi(listed);
  await expect(runVerb(api, 'servers', 'secrets', 'files', ...options)).rejects.toThrow(problem);
  expect(api.requests).toEqual([]);
});
