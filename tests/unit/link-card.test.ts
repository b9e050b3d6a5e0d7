import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { linkCardTags } from '#core/pictures/link-card.ts';
import { createApp } from '#api/app.ts';
import { fakeServices } from '../support/fake-services.ts';

const card = { origin: 'https://s.example', title: 'Board', description: 'Three entries.' };
const root = join(import.meta.dirname, '../..');

it('names a picture by its whole address', () => {
  const tags = linkCardTags(card);
  expect(tags).toContain('<meta property="og:image" content="https://s.example/card.png" />');
  expect(tags).toContain('<meta name="twitter:card" content="summary_large_image" />');
  expect(linkCardTags({ ...card, origin: null })).not.toContain('image');
});

it('escapes and cuts texts from outside', () => {
  const tags = linkCardTags({ ...card, title: '"><script>\u202e', description: 'x'.repeat(1_000) });
  expect(tags).toContain('<meta property="og:title" content="&quot;&gt;&lt;script&gt;␦" />');
  expect(tags).toContain(`og:description" content="${'x'.repeat(199)}…"`);
});

it('says the size that the picture has', () => {
  const png = readFileSync(join(root, 'web/public/card.png'));
  expect(png.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001a\n');
  const tags = linkCardTags(card);
  expect(tags).toContain(`og:image:width" content="${png.readUInt32BE(16)}"`);
  expect(tags).toContain(`og:image:height" content="${png.readUInt32BE(20)}"`);
});

it('shows of a run that needs a key nothing but what Sextant is', async () => {
  const readPage = () =>
    Promise.resolve(new Response('<head></head>', { headers: { etag: '"1"', 'referrer-policy': 'no-referrer' } }));
  const app = createApp(Object.assign(fakeServices(), { readPage }));
  const page = await app.request('https://s.example/evaluations/evl_secret');
  const text = await page.text();
  expect([page.headers.get('etag'), page.headers.get('referrer-policy')]).toEqual([null, 'no-referrer']);
  expect(text).toContain('<meta property="og:title" content="Sextant" />');
  expect(text).toContain('content="https://s.example/card.png"');
  expect(text).not.toContain('evl_secret');
});
