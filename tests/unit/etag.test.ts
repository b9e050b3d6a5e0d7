import { expect, test } from 'vitest';
import { makeEtagFromParts, ifNoneMatchHasEtag } from '#api/etag.ts';
import { harnessVersion } from '#core/values/harness-version.ts';

test('a version matches if any of the tags is its own', () => {
  const etag = makeEtagFromParts('lb_1', 7, 'execution', 0);
  for (const held of [etag, `W/${etag}`, `"other", ${etag}`, ` W/"x" , W/${etag}`])
    expect(ifNoneMatchHasEtag(held, etag)).toBe(true);
  for (const held of ['', etag.slice(1, -1), makeEtagFromParts('lb_1', 8, 'execution', 0), '"', ','])
    expect(ifNoneMatchHasEtag(held, etag)).toBe(false);
});

test('a wildcard tag gets the full answer', () => {
  for (const held of ['*', ' * ']) expect(ifNoneMatchHasEtag(held, makeEtagFromParts('lb_1', 7))).toBe(false);
});

test('a version includes the harness, which may render the page differently', () => {
  expect(makeEtagFromParts('lb_1', 7)).toBe(`"${encodeURIComponent(harnessVersion)}.lb_1.7"`);
});

test('text from the client cannot break out of the tag', () => {
  expect(makeEtagFromParts('a"b\r\n', 1)).toMatch(/^"[^"\r\n]*a%22b%0D%0A\.1"$/);
});
