import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { ApiEnv } from '#api/context.ts';
import { setEtagAndCacheHeaders } from '#api/etag.ts';
import { answerFromPageCache } from '#api/middleware/page-cache.ts';
import { fakeServices } from '../support/fake-services.ts';

/** An app whose public page says how often it was made, behind a cache that keeps everything. */
function cachedApp({ hasCache = true } = {}) {
  const kept = new Map<string, Response>();
  const pageCache = {
    match: async (url: string) => kept.get(url)?.clone(),
    put: async (url: string, response: Response) => void kept.set(url, response),
  };
  let made = 0;
  const app = new Hono<ApiEnv>();
  app.use(async (c, next) => {
    c.set('services', fakeServices({ pageCache: hasCache ? pageCache : null }));
    await next();
    c.res.headers.set('x-request-id', crypto.randomUUID());
  });
  app.use(answerFromPageCache);
  app.all('/page', (c) => {
    made += 1;
    setEtagAndCacheHeaders(c, `"${made}"`);
    return c.req.header('if-none-match') === `"${made}"` ? c.body(null, 304) : c.text(`made ${made} times`);
  });
  app.get('/private', (c) => {
    made += 1;
    return c.text(`made ${made} times`);
  });
  app.get('/missing', (c) => {
    setEtagAndCacheHeaders(c, '"0"');
    return c.text('there is nothing', 404);
  });
  const executionCtx = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
  const ask = (path: string, init: RequestInit = {}) => app.request(path, init, {}, executionCtx);
  return { kept, ask, text: async (path: string, init?: RequestInit) => (await ask(path, init)).text() };
}

test('a public page is rendered once for all requests of the same address', async () => {
  const { ask, text } = cachedApp();
  const first = await ask('/page?limit=5');
  const second = await ask('/page?limit=5', { headers: { authorization: 'Bearer somebody' } });
  expect([await first.text(), await second.text()]).toEqual(['made 1 times', 'made 1 times']);
  expect(second.headers.get('etag')).toBe('"1"');
  expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  expect(await text('/page?limit=6')).toBe('made 2 times');
});

test('a client with the cached page gets 304, and one with another page gets the page', async () => {
  const { ask } = cachedApp();
  await ask('/page');
  const held = await ask('/page', { headers: { 'if-none-match': '"1"' } });
  expect([held.status, held.body, held.headers.get('etag')]).toEqual([304, null, '"1"']);
  const other = await ask('/page', { headers: { 'if-none-match': '"0"' } });
  expect([other.status, await other.text()]).toEqual([200, 'made 1 times']);
});

test('responses that are private, not found, incomplete or not to a GET are not cached', async () => {
  const { ask, kept } = cachedApp();
  await ask('/private');
  await ask('/missing');
  await ask('/page', { method: 'POST' });
  expect((await ask('/page', { headers: { 'if-none-match': '"3"' } })).status).toBe(304);
  expect(kept.size).toBe(0);
});

test('without a cache every request is rendered', async () => {
  const { text } = cachedApp({ hasCache: false });
  expect([await text('/page'), await text('/page')]).toEqual(['made 1 times', 'made 2 times']);
});
