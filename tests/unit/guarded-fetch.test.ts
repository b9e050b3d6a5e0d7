import { describe, expect, test } from 'vitest';
import { Admission } from '#adapters/network/admission.ts';
import { FetchGuardError, makeGuardedFetch, type FetchLike } from '#adapters/network/guarded-fetch.ts';

interface Seen {
  readonly url: string;
  readonly method: string | undefined;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

/** A network of fixed answers by url; what it was asked is in `seen`. */
function network(answers: Record<string, () => Response | Promise<Response>>): { fetch: FetchLike; seen: Seen[] } {
  const seen: Seen[] = [];
  const fetch: FetchLike = async (url, init = {}) => {
    const headers = Object.fromEntries(new Headers(init.headers));
    seen.push({ url: String(url), method: init.method, headers, body: init.body });
    const answer = answers[String(url)];
    if (answer === undefined) throw new TypeError('fetch failed');
    return answer();
  };
  return { fetch, seen };
}

const to =
  (location: string, status = 307) =>
  () =>
    new Response('moved', { status, headers: { location } });
const fine = () => new Response('fine');
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof FetchGuardError ? error.code : error),
  );
const guard = (fetch: FetchLike, maxBytes = 100, timeoutMs = 1_000) =>
  makeGuardedFetch({ admission: new Admission(), allowLocal: false, maxBytes, timeoutMs, fetch });

describe('a guarded fetch', () => {
  test('follows three redirects but not four', async () => {
    const { fetch } = network({
      'https://a.com/0': to('/1'),
      'https://a.com/1': to('https://a.com/2'),
      'https://a.com/2': to('3'),
      'https://a.com/3': fine,
      'https://a.com/x': to('/0'),
    });
    expect(await (await guard(fetch)('https://a.com/0')).text()).toBe('fine');
    expect(await codeOf(guard(fetch)('https://a.com/x'))).toBe('too-many-redirects');
  });

  test.each([
    'http://127.0.0.1/',
    'http://0x7f.1/',
    'file:///etc/passwd',
    'https://u:p@a.com/',
    'http://[::1]/',
    '//localhost/',
  ])('follows no redirect to %s', async (target) => {
    const { fetch, seen } = network({ 'https://a.com/': to('https://b.com/'), 'https://b.com/': to(target) });
    expect(await codeOf(guard(fetch)('https://a.com/'))).toBe('address-forbidden');
    expect(seen.map(({ url }) => url)).toEqual(['https://a.com/', 'https://b.com/']);
  });

  const headers = { authorization: 'Bearer s', 'x-key': 's', cookie: 's', accept: 'a/b', 'mcp-session-id': 's' };

  test('drops secrets when a redirect leaves their origin', async () => {
    const { fetch, seen } = network({
      'https://a.com/': to('https://a.com/same'),
      'https://a.com/same': to('https://a.com:8443/'),
      'https://a.com:8443/': fine,
    });
    await guard(fetch)('https://a.com/', { headers });
    expect(seen[1]?.headers).toEqual(headers);
    expect(seen[2]?.headers).toEqual({ accept: 'a/b' });
  });

  test('keeps POST on 307 and 308, and changes it to GET on 301, 302 and 303', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const { fetch, seen } = network({ 'https://a.com/': to('/b', status), 'https://a.com/b': fine });
      await guard(fetch)('https://a.com/', { method: 'POST', body: 'x' });
      expect([seen[1]?.method, seen[1]?.body]).toEqual(status >= 307 ? ['POST', 'x'] : ['GET', undefined]);
    }
  });

  test('treats a redirect without a location as an answer', async () => {
    const { fetch } = network({ 'https://a.com/': () => new Response('here', { status: 302 }) });
    expect((await guard(fetch)('https://a.com/')).status).toBe(302);
  });
});

describe('the body limit of a guarded fetch', () => {
  const streamed =
    (chunks: number[], failAtEnd = false) =>
    () => {
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const next = chunks.shift();
          if (next !== undefined) return controller.enqueue(new Uint8Array(next));
          if (failAtEnd) controller.error(new TypeError('terminated'));
          else controller.close();
        },
      });
      return new Response(body);
    };
  const read = (answer: () => Response) => {
    const { fetch } = network({ 'https://a.com/': answer });
    return codeOf(guard(fetch)('https://a.com/').then((response) => response.text()));
  };

  test('accepts a body of exactly the limit and refuses one more byte', async () => {
    expect(await read(streamed([60, 40]))).toBe('no error');
    expect(await read(streamed([60, 41]))).toBe('body-too-large');
  });
  test('refuses an announced oversized body without reading it', async () => {
    expect(await read(() => new Response('a', { headers: { 'content-length': '101' } }))).toBe('body-too-large');
  });
  test('stops reading an endless body', async () => {
    expect(await read(streamed(Array.from({ length: 1_000 }, () => 10)))).toBe('body-too-large');
  });
  test('reports a body that breaks off', async () => {
    expect(await read(streamed([10], true))).toBe('connection-lost');
  });
  test('accepts a missing body', async () => {
    expect(await read(() => new Response(null, { status: 204 }))).toBe('no error');
  });
  test('reports a failed connection, a time-out, and an abort by the caller', async () => {
    const hang: FetchLike = (_url, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
    expect(await codeOf(guard(network({}).fetch)('https://a.com/'))).toBe('unreachable');
    expect(await codeOf(guard(hang, 100, 20)('https://a.com/'))).toBe('timeout');
    const own = new Error('mine');
    const later = new AbortController();
    setTimeout(() => later.abort(own), 10);
    expect(await codeOf(guard(hang)('https://a.com/', { signal: later.signal }))).toBe(own);
  });
});
