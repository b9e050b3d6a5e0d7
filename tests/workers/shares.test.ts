import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isShareToken, readSignedShare, signShare } from '#adapters/secrets/share-tokens.ts';
import { evaluationCase } from '#core/evaluation/case.ts';
import { evaluationRecord } from '#core/evaluation/record.ts';
import { explorationRecord } from '#core/exploration/record.ts';
import { serverRecord } from '#core/catalog/server.ts';
import { shareRecord, type ShareRecord } from '#core/access/share/share-record.ts';
import type { TestBed } from '../support/evaluation.ts';
import { encryptionKey, prepareRunsToShare } from '../support/shared-runs.ts';
import { call, expectStatus, keyFor, pageOf, problemOf, type Answer } from '../support/workspace.ts';

let bed: TestBed;
let evaluation: string;
let exploration: string;

beforeAll(async () => {
  ({ bed, evaluation, exploration } = await prepareRunsToShare());
});

const share = async (run: string, more: Readonly<Record<string, unknown>> = {}): Promise<ShareRecord> =>
  shareRecord.parse(expectStatus(await bed.workspace.post('/v1/shares', { run, ...more }), 201));

const get = (token: string, path: string): Promise<Answer> => call(token, 'GET', path);

const problemText = ({ body }: Answer): string => z.object({ detail: z.string() }).parse(body).detail;

describe('a link that shows an evaluation', () => {
  test('reads its record, events, cases, tools and results', async () => {
    const { token, url, endsAt } = await share(evaluation);
    const { searchParams, origin, pathname, hash } = new URL(url);
    expect([origin + pathname, hash]).toEqual([`http://sextant.test/evaluations/${evaluation}`, `#share=${token}`]);
    expect(searchParams.get('card')).toMatch(/^sxc_/);
    const days = (Date.parse(endsAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7);
    const at = `/v1/evaluations/${evaluation}`;
    expect(evaluationRecord.parse(expectStatus(await get(token, at), 200)).id).toBe(evaluation);
    const cases = pageOf(evaluationCase).parse(expectStatus(await get(token, `${at}/cases`), 200)).items;
    expect(cases).toHaveLength(4);
    for (const part of [
      '/events',
      `/cases/${cases[0]?.id}`,
      '/tools',
      '/results',
      '/results/units',
      '/compare?a=one&b=two',
    ])
      expect((await get(token, `${at}${part}`)).status, part).toBe(200);
  });

  test('reads and does nothing else', async () => {
    const { token } = await share(evaluation);
    const own = `/v1/evaluations/${evaluation}`;
    for (const path of [
      '/v1/evaluations',
      '/v1/servers',
      '/v1/keys',
      `/v1/explorations/${exploration}`,
      `${own}/export`,
      `${own}/writes`,
      `${own}/labels`,
      `/v1/catalogs/cat_other`,
    ])
      expect(problemOf(await get(token, path)), path).toEqual([403, 'forbidden']);
    for (const [method, path] of [
      ['POST', `${own}/cancel`],
      ['DELETE', `${own}/cases/x/texts`],
      ['POST', '/v1/shares'],
    ] as const)
      expect(problemOf(await call(token, method, path, method === 'POST' ? { run: evaluation } : undefined))).toEqual([
        403,
        'forbidden',
      ]);
  });
});

test('a link that shows an exploration reads its units and its catalog, and no other', async () => {
  const { token } = await share(exploration, { days: 1 });
  const at = `/v1/explorations/${exploration}`;
  const { config } = explorationRecord.parse(expectStatus(await get(token, at), 200));
  for (const path of [
    `${at}/units`,
    `${at}/transitions`,
    `${at}/tools`,
    `${at}/richness`,
    `/v1/catalogs/${config.catalog}`,
  ])
    expect((await get(token, path)).status, path).toBe(200);
  const { items } = pageOf(serverRecord).parse(expectStatus(await bed.workspace.get('/v1/servers'), 200));
  const other = await bed.workspace.catalog(...items.slice(0, 1));
  expect(problemOf(await get(token, `/v1/catalogs/${other.id}`))).toEqual([403, 'forbidden']);
});

describe('a link is refused', () => {
  test('after its end, with when that was', async () => {
    const token = await signShare(encryptionKey, {
      workspace: bed.workspace.id,
      run: evaluation,
      endsAt: 1_700_000_000,
      revocations: 0,
    });
    const answer = await get(token, `/v1/evaluations/${evaluation}`);
    expect(problemOf(answer)).toEqual([401, 'unauthorized']);
    expect(problemText(answer)).toBe('the link ended at 2023-11-14T22:13:20.000Z; ask for a new one');
  });

  test('after it was revoked, as all that were made before and none that is made after', async () => {
    const [first, second, other] = [await share(evaluation), await share(evaluation), await share(exploration)];
    const reader = await keyFor(bed.workspace.id, 'read', 'run', 'submit');
    const path = `/v1/shares/${evaluation}`;
    expect(problemOf(await call(reader, 'DELETE', path))).toEqual([403, 'forbidden']);
    expect(problemOf(await call(first.token, 'DELETE', path))).toEqual([403, 'forbidden']);
    expect((await get(first.token, `/v1/evaluations/${evaluation}`)).status).toBe(200);
    expect((await call(bed.workspace.key, 'DELETE', path)).status).toBe(204);
    for (const { token } of [first, second]) {
      const answer = await get(token, `/v1/evaluations/${evaluation}`);
      expect(problemOf(answer)).toEqual([401, 'unauthorized']);
      expect(problemText(answer)).toBe('the link was revoked; ask for a new one');
    }
    expect((await get(other.token, `/v1/explorations/${exploration}`)).status).toBe(200);
    const later = await share(evaluation);
    expect((await get(later.token, `/v1/evaluations/${evaluation}`)).status).toBe(200);
    expect((await call(bed.workspace.key, 'DELETE', path)).status).toBe(204);
    expect(problemOf(await get(later.token, `/v1/evaluations/${evaluation}`))).toEqual([401, 'unauthorized']);
    expect(problemOf(await call(bed.workspace.key, 'DELETE', '/v1/shares/evl_none'))).toEqual([404, 'not-found']);
    expect(problemOf(await call(bed.workspace.key, 'DELETE', '/v1/shares/bm_1'))).toEqual([400, 'invalid-request']);
  });

  test('if the deployment did not sign it, or if it names a run of another workspace', async () => {
    const { token } = await share(evaluation);
    const forged = await get(token.replace(evaluation, exploration), `/v1/explorations/${exploration}`);
    expect(problemOf(forged)).toEqual([401, 'unauthorized']);
    expect(problemText(forged)).toBe('the link was not made here, or is not whole');
    const endsAt = Math.floor(Date.now() / 1_000) + 60;
    const foreign = await signShare(encryptionKey, {
      workspace: 'elsewhere',
      run: evaluation,
      endsAt,
      revocations: 0,
    });
    expect(problemOf(await get(foreign, `/v1/evaluations/${evaluation}`))).toEqual([404, 'not-found']);
  });

  test('while one of its servers is private, also one that was shared before', async () => {
    const { token } = await share(exploration);
    const of = await share(evaluation);
    const { items } = pageOf(serverRecord).parse(expectStatus(await bed.workspace.get('/v1/servers'), 200));
    const mark = async (isPrivate: boolean) =>
      expectStatus(await bed.workspace.post(`/v1/servers/${items[0]?.id}/relist`, { private: isPrivate }), 200);
    await mark(true);
    expect(problemOf(await get(token, `/v1/explorations/${exploration}/units`))).toEqual([403, 'private-server']);
    expect(problemOf(await get(of.token, `/v1/evaluations/${evaluation}/cases`))).toEqual([403, 'private-server']);
    expect(problemOf(await bed.workspace.post('/v1/shares', { run: exploration }))).toEqual([403, 'private-server']);
    await mark(false);
    expect((await get(token, `/v1/explorations/${exploration}/units`)).status).toBe(200);
  });
});

test('only an admin makes links, of runs that there are, for 1 to 90 days', async () => {
  const reader = await keyFor(bed.workspace.id, 'read', 'run', 'submit');
  expect(problemOf(await call(reader, 'POST', '/v1/shares', { run: evaluation }))).toEqual([403, 'forbidden']);
  expect(problemOf(await bed.workspace.post('/v1/shares', { run: 'evl_none' }))).toEqual([404, 'not-found']);
  for (const body of [{ run: bed.benchmark.id }, { run: evaluation, days: 0 }, { run: evaluation, days: 91 }, {}])
    expect(problemOf(await bed.workspace.post('/v1/shares', body))).toEqual([400, 'invalid-request']);
});

const key = btoa('k'.repeat(32));
const known = { workspace: 'main', run: 'evl_01abc', endsAt: 1_800_000_000, revocations: 3 };

describe('the token of a share', () => {
  test('says what was signed, and fits into the header of a key', async () => {
    const token = await signShare(key, known);
    expect(isShareToken(token)).toBe(true);
    expect(await readSignedShare(key, token)).toEqual(known);
    const longest = {
      workspace: 'w'.repeat(60),
      run: `exp_${'a'.repeat(36)}`,
      endsAt: 9_999_999_999,
      revocations: 1_000,
    };
    expect((await signShare(key, longest)).length).toBeLessThanOrEqual(200);
  });

  test('is worth nothing when any character of it is another, or under another key', async () => {
    const token = await signShare(key, known);
    for (let at = 4; at < token.length; at += 1) {
      const other = `${token.slice(0, at)}${token[at] === 'a' ? 'b' : 'a'}${token.slice(at + 1)}`;
      expect(await readSignedShare(key, other), other).toBeNull();
    }
    expect(await readSignedShare(btoa('x'.repeat(32)), token)).toBeNull();
    for (const cut of ['sxs_', 'sxs_main', token.slice(0, -1), `${token}a`])
      expect(await readSignedShare(key, cut)).toBeNull();
  });
});
