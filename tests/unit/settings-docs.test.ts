import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { settingsSchema } from '#adapters/settings.ts';

const fileAt = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

interface Row {
  readonly names: readonly string[];
  readonly default: string;
}

/** The rows of the page's table; one row may name several settings. */
const rows: Row[] = fileAt('docs/configuration.md')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [, names = '', , value = ''] = line.split('|').map((cell) => cell.trim());
    return { names: Array.from(names.matchAll(/`([A-Z0-9_]+)`/g), ([, name = '']) => name), default: value };
  });

const sorted = (names: Iterable<string>): string[] => [...names].toSorted();

/** The default of a setting; undefined if it is required. */
const defaults: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(settingsSchema.shape).map(([name, schema]) => [name, schema.safeParse(undefined).data]),
);

describe('docs/configuration.md', () => {
  test('lists every setting exactly once and nothing else', () => {
    expect(sorted(rows.flatMap(({ names }) => names))).toEqual(sorted(Object.keys(settingsSchema.shape)));
  });

  test('has the numbers of the defaults', () => {
    const numbers = rows
      .filter(({ default: value }) => /^\d+$/.test(value))
      .flatMap(({ names, default: value }) => names.map((name) => [name, Number(value)]));
    const real = Object.entries(defaults).filter(([, value]) => typeof value === 'number');
    expect(Object.fromEntries(numbers)).toEqual(Object.fromEntries(real));
  });
});

test('and wrangler.toml agree on the settings without a default', () => {
  const [, vars = ''] = /^\[vars\]\n([\s\S]*?)^\[/m.exec(fileAt('wrangler.toml')) ?? [];
  const set = Array.from(vars.matchAll(/^([A-Z0-9_]+) = "/gm), ([, name = '']) => name);
  expect(set.filter((name) => !(name in settingsSchema.shape))).toEqual([]);
  const needed = Object.entries(settingsSchema.shape).filter(([, schema]) => !schema.safeParse(undefined).success);
  const secrets = ['ENCRYPTION_KEY', 'SIGNING_KEY', 'ROOT_KEY_SHA256'];
  expect(needed.map(([name]) => name).filter((name) => !secrets.includes(name) && !set.includes(name))).toEqual([]);
});
