import { beforeAll, describe, expect, test } from 'vitest';
import { exports } from 'cloudflare:workers';
import { z } from 'zod';
import { readSignedCard, readSignedShare, signCard, signShare } from '#adapters/secrets/share-tokens.ts';
import { shareRecord } from '#core/access/share/share-record.ts';
import { serverRecord } from '#core/catalog/server.ts';
import type { TestBed } from '../support/evaluation.ts';
import { openLeaderboard, publish } from '../support/open-leaderboard.ts';
import { encryptionKey, prepareRunsToShare } from '../support/shared-runs.ts';
import { call, expectStatus, newWorkspace, pageOf, problemOf } from '../support/workspace.ts';

let bed: TestBed;
let evaluation: string;
let exploration: string;

beforeAll(async () => {
  ({ bed, evaluation, exploration } = await prepareRunsToShare());
});

/** Returns what a server sees of a new link to a run: its path, and the token of its card. */
async function shareAndFindCard(run: string): Promise<{ path: string; card: string; token: string }> {
  const { url, token } = shareRecord.parse(expectStatus(await bed.workspace.post('/v1/shares', { run }), 201));
  const { pathname, search, searchParams } = new URL(url);
  return { path: pathname + search, card: searchParams.get('card') ?? '', token };
}

const fetchPath = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  exports.default.fetch(new Request(`http://sextant.test${path}`, { headers }));

/** Returns the properties by which a page unfolds. */
async function readCardOfPage(path: string): Promise<Record<string, string>> {
  const text = z.string().parse(expectStatus(await call(null, 'GET', path), 200));
  return Object.fromEntries(
    Array.from(text.matchAll(/<meta (?:property|name)="(og:[^"]+)" content="([^"]*)"/g), ([, name, content]) => [
      name ?? '',
      content ?? '',
    ]),
  );
}

/** Expects a PNG, and returns its size. */
async function expectPng(answer: Response): Promise<[width: number, height: number]> {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
  const bytes = new Uint8Array(await answer.arrayBuffer());
  expect(Array.from(bytes.subarray(0, 8))).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const header = new DataView(bytes.buffer);
  return [header.getUint32(16), header.getUint32(20)];
}

describe('a link to a run', () => {
  test('unfolds with the names and the verdict of the evaluation, and a picture of its agents', async () => {
    const { path, card } = await shareAndFindCard(evaluation);
    const shown = await readCardOfPage(path);
    expect(shown['og:title']).toBe('one and two');
    expect(shown['og:description']).toBe('Rules stood in for models. 2 units are too few to tell one and two apart.');
    expect(shown['og:image']).toBe(`http://sextant.test/cards/${card}.png`);
    const picture = await fetchPath(`/cards/${card}.png`);
    expect(await expectPng(picture)).toEqual([1200, 630]);
    const etag = picture.headers.get('etag') ?? '';
    expect((await fetchPath(`/cards/${card}.png`, { 'if-none-match': etag })).status).toBe(304);
    // A part of the run has the card of the run.
    expect(await readCardOfPage(path.replace('?', '/tools?'))).toMatchObject({ 'og:title': 'one and two' });
  });

  test('unfolds with how far an exploration has come', async () => {
    const { path, card } = await shareAndFindCard(exploration);
    const shown = await readCardOfPage(path);
    expect(shown['og:description']).toMatch(/\d+ of \d+ units were accepted, over \d+ tools; /);
    expect(await expectPng(await fetchPath(`/cards/${card}.png`))).toEqual([1200, 630]);
  });

  test('says nothing of the run without a card, or with the card of another run', async () => {
    const [{ card }, other] = [await shareAndFindCard(evaluation), await shareAndFindCard(exploration)];
    const forged = card.replace(evaluation, exploration);
    for (const search of [
      '',
      '?card=',
      '?card=sxc_x',
      `?card=${forged}`,
      `?card=${other.card}`,
      `?card=${other.token}`,
    ])
      expect(await readCardOfPage(`/evaluations/${evaluation}${search}`), search).toMatchObject({
        'og:title': 'Sextant',
        'og:image': 'http://sextant.test/card.png',
      });
    for (const token of [forged, other.token, 'x'])
      expect(problemOf(await call(null, 'GET', `/cards/${token}.png`))).toEqual([404, 'not-found']);
  });

  test('says nothing of the run after it was revoked, or has ended, or while a server is private', async () => {
    const { path, card } = await shareAndFindCard(evaluation);
    const expectGone = async (gone: string) => {
      expect(await readCardOfPage(`/evaluations/${evaluation}?card=${gone}`)).toMatchObject({ 'og:title': 'Sextant' });
      expect(problemOf(await call(null, 'GET', `/cards/${gone}.png`))).toEqual([404, 'not-found']);
    };
    const { items } = pageOf(serverRecord).parse(expectStatus(await bed.workspace.get('/v1/servers'), 200));
    const mark = async (isPrivate: boolean) =>
      expectStatus(await bed.workspace.post(`/v1/servers/${items[0]?.id}/relist`, { private: isPrivate }), 200);
    await mark(true);
    await expectGone(card);
    await mark(false);
    expect(await readCardOfPage(path)).toMatchObject({ 'og:title': 'one and two' });
    expect((await bed.workspace.remove(`/v1/shares/${evaluation}`)).status).toBe(204);
    await expectGone(card);
    const past = { workspace: bed.workspace.id, run: evaluation, endsAt: 1_700_000_000, revocations: 9 };
    await expectGone(await signCard(encryptionKey, past));
  });
});

test('the token of a card opens nothing, and is no share under another prefix, nor a share a card', async () => {
  const { card, token } = await shareAndFindCard(evaluation);
  expect(problemOf(await call(card, 'GET', `/v1/evaluations/${evaluation}`))).toEqual([401, 'unauthorized']);
  const disguised = card.replace('sxc_', 'sxs_');
  expect(problemOf(await call(disguised, 'GET', `/v1/evaluations/${evaluation}`))).toEqual([401, 'unauthorized']);
  const share = await readSignedShare(encryptionKey, token);
  expect(share).not.toBeNull();
  expect(await readSignedCard(encryptionKey, card)).toEqual(share);
  expect(await readSignedShare(encryptionKey, disguised)).toBeNull();
  expect(await readSignedCard(encryptionKey, token.replace('sxs_', 'sxc_'))).toBeNull();
  if (share === null) return;
  expect(await signCard(encryptionKey, share)).not.toBe(await signShare(encryptionKey, share));
});

test('a leaderboard and its entries have pictures, without a key', async () => {
  const board = await openLeaderboard(await newWorkspace());
  const at = `/leaderboards/${board.id}`;
  expect(await expectPng(await fetchPath(`${at}/card.png`))).toEqual([1200, 630]);
  const [best, second] = [
    await publish(board, 0.8, { name: 'Best <b>' }),
    await publish(board, 0.2, { name: 'Second' }),
  ];
  expect(await readCardOfPage(at)).toMatchObject({ 'og:image': `http://sextant.test${at}/card.png` });
  expect(await readCardOfPage(`${at}/entries/${second.id}`)).toMatchObject({
    'og:title': 'Second',
    'og:description': `Rank 2 of 2 in the tier service of ${board.name}.`,
    'og:image': `http://sextant.test${at}/entries/${second.id}/card.png`,
  });
  for (const path of [`${at}/card.png`, `${at}/entries/${best.id}/card.png`])
    expect(await expectPng(await fetchPath(path))).toEqual([1200, 630]);
  for (const path of [`/leaderboards/lb_${'f'.repeat(24)}/card.png`, `${at}/entries/sub_none/card.png`])
    expect((await fetchPath(path)).status, path).toBe(404);
});
