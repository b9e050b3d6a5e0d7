import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

/**
 * Plants violations of the boundaries between the folders in an empty copy of the tree and shows that the linter, with the
 * repository's own configuration, rejects them.
 */

interface Planted {
  readonly folder: string;
  /** Its name, where a rule is for one file. */
  readonly file?: string;
  readonly text: string;
  /** The rule that it breaks; null for none. */
  readonly rule: string | null;
}

const importing = (folder: string, from: string, rule: string | null): Planted => ({
  folder,
  text: `import { thing } from '${from}';\n\nexport const used = thing;\n`,
  rule,
});
const forbidden = (folder: string, ...from: readonly string[]): Planted[] =>
  from.map((each) => importing(folder, each, 'eslint(no-restricted-imports)'));
const allowed = (folder: string, ...from: readonly string[]): Planted[] =>
  from.map((each) => importing(folder, each, null));
const importingTypes = (folder: string, file: string, from: string, rule: string | null): Planted => ({
  folder,
  file,
  text: `import type { Thing } from '${from}';\n\nexport type Used = Thing;\n`,
  rule,
});
const using = (folder: string, expression: string, rule: string | null): Planted => ({
  folder,
  text: `export const used = ${expression};\n`,
  rule,
});

const planted: readonly Planted[] = [
  ...forbidden('src/core', '#adapters/settings.ts', '#adapters/mcp/session.ts', '#api/app.ts', '#agents/steps.ts'),
  ...forbidden(
    'src/core',
    '#workflows/exploration.ts',
    '#durable-objects/directory/directory.ts',
    '#prompts/audit/v1.md',
  ),
  ...forbidden('src/core', '../adapters/settings.ts', '../adapters/mcp/session.ts', '../api/app.ts'),
  ...forbidden('src/core/units', '../../adapters/mcp/session.ts', '#api/routes/index.ts'),
  ...forbidden('src/core', 'cloudflare:workers', 'node:fs', 'node:fs/promises', 'hono', 'hono/factory'),
  ...forbidden('src/core', '@hono/zod-openapi', 'openai', 'openai/resources', '@modelcontextprotocol/sdk/types.js'),
  ...forbidden(
    'src/adapters',
    '#agents/steps.ts',
    '#api/app.ts',
    '#workflows/steps/drive-unit.ts',
    '#durable-objects/directory/directory.ts',
  ),
  ...forbidden('src/adapters/mcp', '#api/routes/index.ts', 'cloudflare:workers', 'node:crypto'),
  ...forbidden('src/agents', '#adapters/mcp/session.ts', '#api/app.ts', 'cloudflare:workers', 'node:fs/promises'),
  ...forbidden(
    'src/api',
    '#workflows/steps/drive-unit.ts',
    '#durable-objects/directory/directory.ts',
    'cloudflare:workers',
    'node:fs',
  ),
  ...forbidden('src/api/routes', '#durable-objects/directory/directory.ts', 'cloudflare:workers'),
  ...forbidden('offline', '#core/values/random.ts', '#adapters/mcp/session.ts', '../src/core/values/random.ts'),
  ...forbidden('offline/models', '../../src/core/units/unit.ts', '#prompts/audit/v1.md'),
  ...allowed('src/core', '#core/values/random.ts', 'zod'),
  ...allowed('src/adapters', '#core/values/random.ts', '#prompts/audit/v1.md', '@modelcontextprotocol/sdk/types.js'),
  ...allowed('src/agents', '#core/values/random.ts'),
  ...allowed('src/api', '#core/values/random.ts', '#adapters/settings.ts', 'hono'),
  ...allowed('workflows', '#adapters/settings.ts', '#agents/steps.ts', 'cloudflare:workers'),
  ...allowed('durable-objects', '#core/values/random.ts', 'cloudflare:workers'),
  ...allowed('offline', 'node:fs', './other.ts'),
  importingTypes('src/api', 'services.ts', '#durable-objects/directory/directory.ts', null),
  importingTypes('src/api', 'other.ts', '#durable-objects/directory/directory.ts', 'eslint(no-restricted-imports)'),
  using('src/core', 'Math.random()', 'eslint(no-restricted-properties)'),
  using('src/core', 'Date.now()', 'eslint(no-restricted-properties)'),
  using('src/core', 'fetch', 'eslint(no-restricted-globals)'),
  using('src/core', 'setTimeout', 'eslint(no-restricted-globals)'),
  using('src/core', 'setInterval', 'eslint(no-restricted-globals)'),
  using('src/adapters', '[Date.now(), fetch]', null),
];
const fileOf = ({ folder, file }: Planted, place: number): string => `${folder}/${file ?? `planted-${place}.ts`}`;

const report = z.object({ diagnostics: z.array(z.object({ code: z.string().default(''), filename: z.string() })) });

const root = join(import.meta.dirname, '../..');
const found = new Map<string, string[]>();
let copy = '';

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'boundaries-'));
  copyFileSync(join(root, '.oxlintrc.json'), join(copy, '.oxlintrc.json'));
  for (const [index, each] of planted.entries()) {
    mkdirSync(join(copy, each.folder), { recursive: true });
    writeFileSync(join(copy, fileOf(each, index)), each.text);
  }
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
  const { stdout } = spawnSync(process.execPath, [oxlint, '--format', 'json', '.'], { cwd: copy, encoding: 'utf8' });
  for (const { filename, code } of report.parse(JSON.parse(stdout)).diagnostics) {
    found.set(filename, [...(found.get(filename) ?? []), code]);
  }
});
afterAll(() => rmSync(copy, { recursive: true }));

describe('the linter decides as planned on', () => {
  test.each(
    planted.map(
      (each, index) => [`${each.folder}: ${each.text.split('\n')[0]}`, fileOf(each, index), each.rule] as const,
    ),
  )('%s', (_what, file, rule) => {
    expect(found.get(file) ?? []).toEqual(rule === null ? [] : [rule]);
  });
});
