import { OpenAPIHono } from '@hono/zod-openapi';
import { describe, expect, test } from 'vitest';
import { errorCodes } from '#core/values/errors.ts';
import { scorers } from '#core/evaluation/scorers.ts';
import { createApp } from '#api/app.ts';
import type { ApiEnv } from '#api/context.ts';
import { makeFixedDocumentHandler } from '#api/fixed-document.ts';
import { fakeServices } from '../support/fake-services.ts';

const paths = ['/openapi.json', '/docs', '/docs/errors', '/docs/style.css'];

describe('a document that never changes', () => {
  test('is rendered only once', async () => {
    let made = 0;
    const app = new OpenAPIHono<ApiEnv>();
    const text = () => {
      made += 1;
      return 'as ever';
    };
    app.get('/document', makeFixedDocumentHandler({ contentType: 'text/plain', text }));
    for (let n = 0; n < 5; n += 1) expect(await (await app.request('/document')).text()).toBe('as ever');
    expect(made).toBe(1);
  });

  test.each(paths)('may be cached and is not resent to a client that has it: %s', async (path) => {
    const app = createApp(fakeServices());
    const first = await app.request(path);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    const second = await app.request(path, { headers: { 'if-none-match': etag } });
    expect([second.status, await second.text(), second.headers.get('etag')]).toEqual([304, '', etag]);
    const other = await app.request(path, { headers: { 'if-none-match': '"another"' } });
    expect([other.status, await other.text()]).toEqual([200, await first.text()]);
  });
});

describe('every answer', () => {
  test('may not be cached unless it says so, and has nosniff', async () => {
    const app = createApp(fakeServices());
    for (const path of ['/health', '/nothing', '/v1/benchmarks', '/docs', '/openapi.json']) {
      const { headers } = await app.request(path);
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
      const kept = ['/docs', '/openapi.json'].includes(path) ? 'public, max-age=300' : 'no-store';
      expect([path, headers.get('cache-control')]).toEqual([path, kept]);
    }
  });
});

describe('a page of the service', () => {
  const page = async (path: string) => (await createApp(fakeServices()).request(path)).text();

  test('has landmarks, a way to the other pages, and a description for those who share it', async () => {
    const docs = await page('/docs');
    for (const part of ['<header', '<main id="main"', '<footer', 'href="/leaderboards"', 'href="/docs#scores"'])
      expect(docs).toContain(part);
    expect(docs).toMatch(/<meta name="description" content="[^"]+" \/>/);
    expect(docs).toContain('<meta property="og:title" content="Sextant API" />');
  });

  test('explains every score, and shows the codes of errors with a list of them', async () => {
    const docs = await page('/docs');
    for (const { question } of scorers) expect(docs).toContain(question);
    const errors = await page('/docs/errors');
    for (const code of errorCodes) expect(errors).toContain(`<a href="#${code}">`);
    expect(errors).not.toContain('`');
  });
});
