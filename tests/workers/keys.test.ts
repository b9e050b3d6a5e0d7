import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { keyRecord } from '#core/access/access.ts';
import { rootKey } from '../support/root-key.ts';
import { call, expectStatus, keyFor, newWorkspace, pageOf, problemOf, unique } from '../support/workspace.ts';

const documented = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ security: z.array(z.unknown()).optional() }))),
  security: z.array(z.unknown()),
});

/** What everybody may read. */
const open = [
  'GET /health',
  'GET /v1/benchmarks/{id}/floor',
  'GET /v1/benchmarks/{id}/public',
  'GET /v1/benchmarks/{id}/public/export',
  ...[
    '',
    '/{id}',
    '/{id}/entries',
    '/{id}/entries/{entry}',
    '/{id}/entries/{entry}/badge.svg',
    '/{id}/entries/{entry}/cases',
    '/{id}/entries/{entry}/history',
    '/{id}/entries/{entry}/record',
    '/{id}/entries/{entry}/traces',
    '/{id}/export',
    '/{id}/front',
    '/{id}/log',
  ].map((path) => `GET /v1/leaderboards${path}`),
  'GET /v1/signing-key',
];

/** The endpoints of the document; those that it says are for everybody, and the others. */
async function endpoints(): Promise<{ open: string[]; closed: string[] }> {
  const { paths, security } = documented.parse(expectStatus(await call(null, 'GET', '/openapi.json'), 200));
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      isOpen: (operation.security ?? security).length === 0,
    })),
  );
  const named = (isOpen: boolean) => all.filter((each) => each.isOpen === isOpen).map(({ name }) => name);
  return { open: named(true), closed: named(false) };
}

const callOf = (endpoint: string): [string, string] => {
  const [method = '', path = ''] = endpoint.split(' ');
  return [method, path.replace('{number}', '1').replaceAll(/\{\w+\}/g, 'x')];
};

describe('the API keys', () => {
  test('are required, so that every endpoint that needs one answers 401 without it', async () => {
    const documentedAs = await endpoints();
    expect(documentedAs.open.toSorted()).toEqual(open);
    const { closed } = documentedAs;
    expect(closed.length).toBeGreaterThan(50);
    for (const endpoint of closed) {
      const [method, path] = callOf(endpoint);
      for (const authorization of [
        undefined,
        'Bearer',
        'Bearer sxt_unknown',
        `Basic ${rootKey}`,
        `Bearer ${rootKey}x`,
      ]) {
        const answer = await call(null, method, path, undefined, {
          headers: authorization === undefined ? {} : { authorization },
        });
        expect([endpoint, authorization, ...problemOf(answer)]).toEqual([endpoint, authorization, 401, 'unauthorized']);
        expect(answer.headers.get('www-authenticate')).toBe(
          authorization?.startsWith('Bearer ') === true
            ? 'Bearer realm="sextant", error="invalid_token"'
            : 'Bearer realm="sextant"',
        );
      }
    }
  });

  test('are checked before body and path, which reveal nothing without one', async () => {
    expect(problemOf(await call(null, 'POST', '/v1/explorations', '{'))).toEqual([401, 'unauthorized']);
    expect(problemOf(await call(null, 'POST', '/v1/servers', { unknown: 1 }))).toEqual([401, 'unauthorized']);
    expect(problemOf(await call(null, 'GET', '/v1/servers?limit=nonsense'))).toEqual([401, 'unauthorized']);
  });

  test('are refused without the scope and accepted with it', async () => {
    const { id } = await newWorkspace();
    const [reader, submitter, runner] = [await keyFor(id, 'read'), await keyFor(id, 'submit'), await keyFor(id, 'run')];
    const forbidden = [403, 'forbidden'];
    expect(problemOf(await call(reader, 'POST', '/v1/servers', {}))).toEqual(forbidden);
    expect(problemOf(await call(reader, 'POST', '/v1/keys', { name: 'a', scopes: ['admin'] }))).toEqual(forbidden);
    expect(problemOf(await call(runner, 'POST', '/v1/keys', { name: 'a', scopes: ['admin'] }))).toEqual(forbidden);
    expect(problemOf(await call(runner, 'GET', '/v1/keys'))).toEqual(forbidden);
    expect(problemOf(await call(runner, 'POST', '/v1/wake'))).toEqual(forbidden);
    expect(problemOf(await call(submitter, 'GET', '/v1/servers'))).toEqual(forbidden);
    for (const path of [
      '/v1/explorations/x/evolutions',
      '/v1/explorations/x/evolutions/1/cancel',
      '/v1/reviews/x/y/decision',
    ])
      for (const key of [reader, submitter])
        expect([path, ...problemOf(await call(key, 'POST', path, {}))]).toEqual([path, ...forbidden]);
    for (const path of ['/v1/reviews/x/y', '/v1/explorations/x/evolutions/1']) {
      expect([path, ...problemOf(await call(submitter, 'GET', path))]).toEqual([path, ...forbidden]);
      expect([path, ...problemOf(await call(reader, 'GET', path))]).toEqual([path, 404, 'not-found']);
    }
    expect((await call(reader, 'GET', '/v1/servers')).status).toBe(200);
    expect(problemOf(await call(runner, 'POST', '/v1/servers', {}))).toEqual([400, 'invalid-request']);
  });

  test('can be created, listed page by page, and removed permanently', async () => {
    const workspace = await newWorkspace();
    const made = [];
    for (const name of ['first', 'second', 'third']) {
      const answer = await workspace.post('/v1/keys', { name, scopes: ['read', 'read'] });
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const body = expectStatus(answer, 201);
      made.push(keyRecord.extend({ secret: z.string() }).parse(body));
    }
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(3);
    expect(made[0]?.scopes).toEqual(['read']);

    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = expectStatus(await workspace.get(`/v1/keys?limit=2&cursor=${cursor}`), 200);
      const { items, nextCursor } = pageOf(keyRecord).parse(page);
      expect(items.length).toBeLessThanOrEqual(2);
      expect(JSON.stringify(page)).not.toContain('sxt_');
      seen.push(...items.map(({ name }) => name));
      cursor = nextCursor;
    }
    expect(seen.toSorted()).toEqual(['first', 'of a test', 'second', 'third']);

    const [first] = made;
    expect((await call(first?.secret ?? '', 'GET', '/v1/servers')).status).toBe(200);
    expect((await workspace.remove(`/v1/keys/${first?.id}`)).status).toBe(204);
    expect(problemOf(await call(first?.secret ?? '', 'GET', '/v1/servers'))).toEqual([401, 'unauthorized']);
    expect(problemOf(await workspace.remove(`/v1/keys/${first?.id}`))).toEqual([404, 'not-found']);
  });

  test('of another workspace cannot be seen or removed', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const { id, secret } = keyRecord
      .extend({ secret: z.string() })
      .parse(expectStatus(await theirs.post('/v1/keys', { name: 'theirs', scopes: ['read'] }), 201));
    expect(problemOf(await mine.remove(`/v1/keys/${id}`))).toEqual([404, 'not-found']);
    expect(JSON.stringify((await mine.get('/v1/keys')).body)).not.toContain(id);
    expect((await call(secret, 'GET', '/v1/servers')).status).toBe(200);
  });

  test('may follow the word "Bearer" in any letter case', async () => {
    const key = await keyFor(unique('ws'), 'read');
    for (const word of ['Bearer', 'bearer', 'BEARER']) {
      const answer = await call(null, 'GET', '/v1/servers', undefined, {
        headers: { authorization: `${word} ${key}` },
      });
      expect(answer.status).toBe(200);
    }
  });

  test('are not created by bad requests', async () => {
    const workspace = await newWorkspace();
    for (const body of [
      {},
      { name: '', scopes: ['read'] },
      { name: 'a', scopes: [] },
      { name: 'a', scopes: ['all'] },
      { name: 'a', scopes: ['read'], secret: 'mine' },
    ]) {
      expect(problemOf(await workspace.post('/v1/keys', body))).toEqual([400, 'invalid-request']);
    }
  });

  test('include the root key of the workspace main', async () => {
    const name = unique('by-root');
    expect((await call(rootKey, 'POST', '/v1/keys', { name, scopes: ['read'] })).status).toBe(201);
    expect(JSON.stringify((await call(await keyFor('main', 'admin'), 'GET', '/v1/keys?limit=500')).body)).toContain(
      name,
    );
  });
});
