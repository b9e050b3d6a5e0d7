import { expect, test } from 'vitest';
import { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import { makeUpstashStore } from '#adapters/vector/upstash.ts';
import { contractDimension, vectorStoreContract } from '../support/vector-store-contract.ts';
import { startIndex } from '../support/world.ts';

/** The client and our wire under it, in the runtime that they are deployed to. */

const token = 'token-of-the-index';
const fetch = makeGuardedFetch({ admission: new Admission(), allowLocal: true, maxBytes: 1_000_000 });

vectorStoreContract('Upstash Vector in workerd', async () => {
  const { url } = await startIndex({ dimension: contractDimension });
  return makeUpstashStore({ admission: new Admission(), id: 'k-1', url, token, fetch });
});

test('faults of Upstash have the same codes in workerd as in Node', async () => {
  const index = await startIndex();
  const code = async (timeoutMs = 5_000) => {
    const store = makeUpstashStore({
      admission: new Admission(),
      id: 'k-1',
      url: index.url,
      token,
      fetch,
      timeoutMs,
      sleep: async () => undefined,
    });
    const described = await store.describe();
    return described.ok ? 'well' : described.fault.code;
  };
  expect(await code()).toBe('well');
  await index.tell([{ behaviour: { kind: 'hang' } }]);
  expect(await code(300)).toBe('timeout');
  await index.tell([{ behaviour: { kind: 'cut', when: 'before-headers' } }]);
  expect(await code()).toBe('unreachable');
  await index.tell([{ behaviour: { kind: 'cut', when: 'mid-json' } }]);
  expect(await code()).toBe('connection-lost');
  await index.tell([{ behaviour: { kind: 'huge', bytes: 2_000_000 } }]);
  expect(await code()).toBe('malformed-protocol');
  await index.tell([{ behaviour: { kind: 'status', status: 401 } }]);
  expect(await code()).toBe('http-status');
});
