import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keySourceText, findApiAddressAndKey } from '../../client/http/access.ts';
import { findStarted, forgetStarted, rememberStarted } from '../../engine/started.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sextant-home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const nothing = { url: undefined, key: undefined };
const folderWithKey = (name: string, key: string): string => {
  const folder = join(home, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ key, encryptionKey: 'x' }));
  return folder;
};

test('the address and the key of the Sextant that was started last are found, whatever its port and folder are', () => {
  folderWithKey('.', 'usual');
  const folder = folderWithKey('demo', 'of-the-demo');
  rememberStarted({ url: 'http://127.0.0.1:4711', folder, starter: process.pid }, home);
  expect(findApiAddressAndKey(nothing, {}, false, home)).toEqual({ url: 'http://127.0.0.1:4711', key: 'of-the-demo' });
  expect(findApiAddressAndKey({ ...nothing, key: 'mine' }, {}, false, home).key).toBe('mine');
  expect(findApiAddressAndKey(nothing, { SEXTANT_URL: 'http://127.0.0.1:1' }, false, home).key).toBe('usual');
});

test('a Sextant that ended is not looked for', () => {
  folderWithKey('.', 'usual');
  const gone = 2 ** 22 + 1;
  rememberStarted({ url: 'http://127.0.0.1:4711', folder: home, starter: gone }, home);
  expect(findStarted(home)).toBeNull();
  expect(findApiAddressAndKey(nothing, {}, false, home)).toEqual({ url: 'http://127.0.0.1:8787', key: 'usual' });
});

test('a Sextant that ends forgets itself, and not a later one', () => {
  rememberStarted({ url: 'http://127.0.0.1:4711', folder: home, starter: process.pid }, home);
  forgetStarted(process.pid + 1, home);
  expect(findStarted(home)).not.toBeNull();
  forgetStarted(process.pid, home);
  expect(findStarted(home)).toBeNull();
});

test('the key of this machine is never sent to another machine', () => {
  folderWithKey('.', 'usual');
  const elsewhere = { ...nothing, url: 'https://sextant.example.com' };
  expect(() => findApiAddressAndKey(elsewhere, {}, false, home)).toThrow(
    'no key: give one with --key or in SEXTANT_KEY',
  );
  expect(findApiAddressAndKey(elsewhere, {}, true, home).key).toBe('');
});

test('an empty SEXTANT_KEY is refused in the words of a terminal', () => {
  expect(() => findApiAddressAndKey(nothing, { SEXTANT_KEY: '' }, false, home)).toThrow('SEXTANT_KEY is empty');
});

test('where a refused key comes from can be said', () => {
  expect(keySourceText({ key: 'k' }, { SEXTANT_KEY: 'e' })).toContain('--key');
  expect(keySourceText({ key: undefined }, { SEXTANT_KEY: 'e' })).toContain('SEXTANT_KEY');
  expect(keySourceText({ key: undefined }, {})).toContain('started last on this machine');
});
