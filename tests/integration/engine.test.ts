import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { buildWorkerIfChanged } from '../../engine/build-worker.ts';
import { parseWranglerConfig } from '../../engine/engine.ts';
import { root } from '../../engine/installation.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-worker-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('wrangler.toml', () => {
  const text = readFileSync(join(root, 'wrangler.toml'), 'utf8');

  test('is read with all of its objects and Workflows', () => {
    const { durable_objects: objects, workflows } = parseWranglerConfig(text);
    expect(objects.bindings.map(({ class_name: name }) => name)).toContain('ExplorationRun');
    expect(workflows.map(({ class_name: name }) => name)).toContain('ExplorationWorkflow');
  });

  test('is refused with a setting that this machine would not heed', () => {
    const more = `${text}\n[[kv_namespaces]]\nbinding = "CACHE"\nid = "1"\n`;
    expect(() => parseWranglerConfig(more)).toThrow('kv_namespaces');
  });
});

test('a Worker is built again if a file that it was built from has other content, and only then', async () => {
  const path = (name: string): string => join(folder, name);
  const entry = relative(root, path('entry.ts'));
  writeFileSync(
    path('entry.ts'),
    `import { said } from './said.ts';\nexport default { fetch: () => new Response(said) };`,
  );
  writeFileSync(path('said.ts'), `export const said: string = 'first';`);
  const built = await buildWorkerIfChanged(entry);
  expect(readFileSync(built, 'utf8')).toContain('first');
  const { mtimeMs } = statSync(built);
  // Another time, the same content.
  writeFileSync(path('said.ts'), `export const said: string = 'first';`);
  await buildWorkerIfChanged(entry);
  expect(statSync(built).mtimeMs).toBe(mtimeMs);
  writeFileSync(path('said.ts'), `export const said: string = 'second';`);
  await buildWorkerIfChanged(entry);
  expect(readFileSync(built, 'utf8')).toContain('second');
  rmSync(join(built, '..'), { recursive: true });
});

test('the package has the runtime that its Miniflare is made for', () => {
  const manifest = z.object({ dependencies: z.object({ workerd: z.string() }) });
  const read = (path: string) => manifest.parse(JSON.parse(readFileSync(join(root, path), 'utf8')));
  expect(read('package.json')).toEqual(read('node_modules/miniflare/package.json'));
});
