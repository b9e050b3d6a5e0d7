import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { migrate, type Migration } from '#durable-objects/shared/migrate.ts';
import { unique } from '../support/workspace.ts';

const first = 'CREATE TABLE IF NOT EXISTS letters (letter TEXT PRIMARY KEY);';
const second: Migration = (sql) => {
  sql.exec('ALTER TABLE letters ADD COLUMN code INTEGER NOT NULL DEFAULT 0');
  sql.exec('UPDATE letters SET code = unicode(letter)');
};

/** Runs something on empty storage. */
const onStorage = (check: (storage: DurableObjectStorage) => void | Promise<void>) =>
  runInDurableObject(env.ATTEMPT.getByName(unique('migrated')), async (_object, { storage }) => {
    await storage.deleteAll();
    await check(storage);
  });

const apply = (storage: DurableObjectStorage, ...migrations: Migration[]) =>
  migrate(storage, { object: 'Alphabet', migrations });
const version = ({ sql }: DurableObjectStorage) => sql.exec('SELECT version FROM schema_version').toArray();
const letters = ({ sql }: DurableObjectStorage) => sql.exec('SELECT * FROM letters').toArray();

test('empty storage runs all migrations in order', async () => {
  await onStorage((storage) => {
    apply(storage, first, second);
    storage.sql.exec("INSERT INTO letters VALUES ('a', 97)");
    expect(version(storage)).toEqual([{ version: 2 }]);
  });
});

test('storage from before versions counts as version 0 and keeps its rows', async () => {
  await onStorage((storage) => {
    storage.sql.exec(first);
    storage.sql.exec("INSERT INTO letters VALUES ('a')");
    apply(storage, first, second);
    expect(letters(storage)).toEqual([{ letter: 'a', code: 97 }]);
    expect(version(storage)).toEqual([{ version: 2 }]);
  });
});

test('a migration is applied once, no matter how often an object starts', async () => {
  await onStorage((storage) => {
    apply(storage, first);
    storage.sql.exec("INSERT INTO letters VALUES ('a')");
    apply(storage, first, second);
    storage.sql.exec("UPDATE letters SET code = 1 WHERE letter = 'a'");
    apply(storage, first, second);
    expect(letters(storage)).toEqual([{ letter: 'a', code: 1 }]);
  });
});

test('if one of several migrations fails, none is applied', async () => {
  await onStorage((storage) => {
    apply(storage, first);
    storage.sql.exec("INSERT INTO letters VALUES ('a')");
    expect(() => apply(storage, first, second, 'INSERT INTO nothing_there VALUES (1)')).toThrow('nothing_there');
    expect(version(storage)).toEqual([{ version: 1 }]);
    expect(letters(storage)).toEqual([{ letter: 'a' }]);
  });
});

test('storage of a newer version is refused with advice, and left unchanged', async () => {
  await onStorage((storage) => {
    apply(storage, first, second);
    expect(() => apply(storage, first)).toThrow(
      'the storage of this Alphabet has schema version 2, and this release knows versions up to 1: deploy the release that wrote it',
    );
    expect(version(storage)).toEqual([{ version: 2 }]);
  });
});
