import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeWritableFolder } from '../../engine/make-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-folder-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'file');
writeFileSync(file, '');

test('a folder is made with those above it, and one that is there is left alone', () => {
  const wanted = join(folder, 'a/b/c');
  makeWritableFolder(wanted);
  const made = statSync(wanted);
  makeWritableFolder(wanted);
  expect(made.isDirectory()).toBe(true);
  expect(statSync(wanted).ino).toBe(made.ino);
});

test('a file in place of the folder is refused', () => {
  expect(() => makeWritableFolder(file)).toThrow(`nothing can be kept in ${file}: it is no folder`);
});

test('a folder in a file cannot be made, and the part that cannot is named', () => {
  const wanted = join(file, 'a', 'b');
  expect(() => makeWritableFolder(wanted)).toThrow(
    `the folder ${wanted} cannot be made, because ${join(file, 'a')} cannot: a part of the path is no folder`,
  );
});
