import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createApp } from '#api/app.ts';
import { longestAddressChars, mostHeaderChars } from '#api/middleware/check-request-head.ts';
import { fakeServices } from '../support/fake-services.ts';

const app = createApp(fakeServices());
const problem = z.object({ code: z.string(), detail: z.string(), requestId: z.string() });

async function ask(url: string, headers: Record<string, string> = {}): Promise<[number, string, string]> {
  const answer = await app.request(url, { headers });
  const read = problem.safeParse(await answer.json());
  return [answer.status, read.data?.code ?? '', read.data?.detail ?? ''];
}

describe('the head of a request', () => {
  test('may have as many characters in its headers as a client needs, and no more', async () => {
    const fits = 'a'.repeat(mostHeaderChars - 'x-long: \r\n'.length);
    expect((await ask('http://sextant.test/health', { 'x-long': fits }))[0]).toBe(200);
    expect(await ask('http://sextant.test/health', { 'x-long': `${fits}a` })).toEqual([
      431,
      'headers-too-large',
      'the headers of a request may have 32768 characters together; these have 32769',
    ]);
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`x-${n}`, 'value']));
    expect((await ask('http://sextant.test/v1/servers', many))[0]).toBe(431);
  });

  test('may have an address as long as a client needs, and no longer', async () => {
    const address = (chars: number) => `http://sextant.test/health?a=`.padEnd(chars, 'a');
    expect((await ask(address(longestAddressChars)))[0]).toBe(200);
    expect(await ask(address(longestAddressChars + 1))).toEqual([
      400,
      'invalid-request',
      'an address may have 16384 characters; this one has 16385',
    ]);
  });
});
