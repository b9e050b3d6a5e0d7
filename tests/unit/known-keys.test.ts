import { expect, test } from 'vitest';
import type { Caller } from '#core/access/access.ts';
import { KnownKeys } from '#api/known-keys.ts';

const caller = (key: string): Caller => ({ workspace: 'w', key, scopes: ['read'] });

/** A directory that knows the hashes that begin with "known", and counts look-ups. */
function directory() {
  const asked: string[] = [];
  const authenticate = async (hash: string) => {
    asked.push(hash);
    return hash.startsWith('known') ? caller(`key of ${hash}`) : null;
  };
  return { asked, authenticate };
}

test('a known key is looked up once in thirty seconds', async () => {
  const keys = new KnownKeys();
  const asking = directory();
  for (const nowMs of [0, 1, 29_999, 30_000, 30_001])
    expect(await keys.findCallerByKeyHash('known', asking, nowMs)).toEqual(caller('key of known'));
  expect(asking.asked).toEqual(['known', 'known']);
});

test('an unknown key is looked up each time, so that a new key works at once', async () => {
  const keys = new KnownKeys();
  const asking = directory();
  for (const nowMs of [0, 1]) expect(await keys.findCallerByKeyHash('new', asking, nowMs)).toBeNull();
  expect(asking.asked).toHaveLength(2);
});

test('a key that is removed during its lookup is looked up again', async () => {
  const keys = new KnownKeys();
  const asking = directory();
  await keys.findCallerByKeyHash('known', asking, 0);
  keys.forgetKeyById('key of known');
  const answer = keys.findCallerByKeyHash('known', asking, 1);
  keys.forgetKeyById('key of known');
  await answer;
  await keys.findCallerByKeyHash('known', asking, 2);
  expect(asking.asked).toHaveLength(3);
});

test('at most a thousand keys are remembered, the latest ones', async () => {
  const keys = new KnownKeys();
  const asking = directory();
  for (let n = 0; n <= 1_000; n += 1) await keys.findCallerByKeyHash(`known ${n}`, asking, 0);
  await keys.findCallerByKeyHash('known 1000', asking, 1);
  expect(asking.asked).toHaveLength(1_001);
  await keys.findCallerByKeyHash('known 0', asking, 1);
  expect(asking.asked).toHaveLength(1_002);
});
