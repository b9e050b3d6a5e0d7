import { describe, expect, test } from 'vitest';
import { tryDecryptSecret, encryptSecret } from '#adapters/secrets/encryption.ts';
import { isEqualInConstantTime, hashApiKey } from '#adapters/secrets/keys.ts';

const key = btoa('0123456789abcdef0123456789abcdef');
const otherKey = btoa('0123456789abcdef0123456789abcdeX');

async function envelope(text = 'Bearer ünïcode 🔑'): Promise<string> {
  const sealed = await encryptSecret(key, text, 'server:1');
  return sealed.ok ? sealed.value : '';
}

describe('the encryption of secrets', () => {
  test('opens what it sealed, with a different ciphertext each time', async () => {
    const [first, second] = [await envelope(), await envelope()];
    expect(first).not.toBe(second);
    expect(first).toMatch(/^v1\.[A-Za-z0-9+/=]+\.[A-Za-z0-9+/=]+$/);
    expect(await tryDecryptSecret(key, first, 'server:1')).toEqual({ ok: true, value: 'Bearer ünïcode 🔑' });
    expect(await tryDecryptSecret(key, await envelope(''), 'server:1')).toEqual({ ok: true, value: '' });
  });

  test('does not open with another key, for another place, or after a change', async () => {
    const sealed = await envelope();
    const changed = sealed.replace(/.{3}(?=..$)/, (end) => (end === 'AAA' ? 'BBB' : 'AAA'));
    expect(await tryDecryptSecret(otherKey, sealed, 'server:1')).toEqual({ ok: false, problem: 'not-authentic' });
    expect(await tryDecryptSecret(key, sealed, 'server:2')).toEqual({ ok: false, problem: 'not-authentic' });
    expect(await tryDecryptSecret(key, changed, 'server:1')).toEqual({ ok: false, problem: 'not-authentic' });
    expect(await tryDecryptSecret(key, sealed.replace('v1', 'v2'), 'server:1')).toEqual({
      ok: false,
      problem: 'unknown-version',
    });
    expect(await tryDecryptSecret(key, `${sealed}.x`, 'server:1')).toEqual({ ok: false, problem: 'malformed' });
    expect(await tryDecryptSecret(key, 'v1.%%.%%', 'server:1')).toEqual({ ok: false, problem: 'malformed' });
    expect(await tryDecryptSecret(key, 'v1.AAAA.AAAA', 'server:1')).toEqual({ ok: false, problem: 'malformed' });
  });

  test.each(['', 'short', btoa('only sixteen byt'), '%%%'])('refuses a bad key: %s', async (bad) => {
    expect(await encryptSecret(bad, 'x', 'c')).toEqual({ ok: false, problem: 'bad-key' });
    expect(await tryDecryptSecret(bad, await envelope(), 'c')).toEqual({ ok: false, problem: 'bad-key' });
  });
});

describe('API keys', () => {
  test('are stored as hashes', async () => {
    expect(await hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
  test.each([
    ['', '', true],
    ['a', 'a', true],
    ['abc', 'abd', false],
    ['abc', 'ab', false],
    ['ab', 'abab', false],
    ['abc', '', false],
    ['', 'abc', false],
    ['é', 'é', true],
  ])('compare %j and %j in constant time', (left, right, equal) => {
    expect(isEqualInConstantTime(left, right)).toBe(equal);
  });
});
