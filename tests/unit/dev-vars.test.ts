import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { settingsSchema } from '#adapters/settings.ts';
import { withoutModelVars, readDevVars } from '../../engine/dev-vars.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-vars-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('variables without a value count as not set, and a missing file as empty', () => {
  const file = join(folder, '.dev.vars');
  writeFileSync(file, 'OPENAI_API_KEY="sk-1"\nAGENT_MODEL=\n');
  expect([...readDevVars(file)]).toEqual([['OPENAI_API_KEY', 'sk-1']]);
  expect(readDevVars(join(folder, 'none')).size).toBe(0);
});

test('no variable of a model is left when they are dropped, and every other one is', () => {
  const names = Object.keys(settingsSchema.shape);
  const left = [...withoutModelVars(new Map(names.map((name) => [name, 'set']))).keys()];
  expect(left.filter((name) => /MODEL$|OPENAI|PRICE|JUDGE|AGENT|WRITER|CRITIC|EMBEDDER/.test(name))).toEqual([]);
  expect(left).toEqual(expect.arrayContaining(['UPSTASH_REDIS_REST_URL', 'ALLOW_LOCAL_SERVERS']));
});
