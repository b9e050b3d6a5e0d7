import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

/** Packs Sextant, installs the package into an empty folder, and uses it there, with the Node of this machine instead of that of npm's scripts. */

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'sextant-package-'));
const [prefix, home, work] = [join(folder, 'prefix'), join(folder, 'home'), join(folder, 'work')];
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((part) => !part.includes('node_modules'))
  .join(delimiter);

function run(command: string, args: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', ...options });
  return { status, stdout, stderr };
}

const sextant = (...words: readonly string[]) =>
  run(join(prefix, 'bin/sextant'), words, { cwd: work, env: { PATH: path, HOME: home } });

const packed = z.tuple([
  z.object({ filename: z.string(), size: z.int(), files: z.array(z.object({ path: z.string() })) }),
]);
let tarball: z.infer<typeof packed>[0];

beforeAll(() => {
  for (const each of [home, work]) mkdirSync(each);
  // The pages are built already, and other tests are reading them.
  const built = run(process.execPath, [join(root, 'scripts/build-package.ts')], { cwd: root });
  expect(built, built.stderr).toMatchObject({ status: 0 });
  const pack = run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { cwd: root });
  [tarball] = packed.parse(JSON.parse(pack.stdout));
  const install = ['install', '--global', '--prefix', prefix, '--prefer-offline', '--no-audit', '--no-fund'];
  const installed = run('npm', [...install, join(folder, tarball.filename)], { cwd: folder });
  expect(installed, installed.stderr).toMatchObject({ status: 0 });
});

test('the package is smaller than 60 MB, and holds what is built and no sources', () => {
  expect(statSync(join(folder, tarball.filename)).size).toBeLessThan(60_000_000);
  const paths = tarball.files.map((file) => file.path);
  expect(paths.filter((file) => file.endsWith('.ts'))).toEqual([]);
  expect(paths).toEqual(expect.arrayContaining(['bin/sextant.mjs', 'dist/worker/index.js', 'web/dist/app.html']));
  // What the Worker draws pictures with lies beside it.
  const drawing = ['index_bg.wasm', 'inter-regular.ttf', 'inter-semibold.ttf', 'LICENSES.md'];
  expect(paths).toEqual(expect.arrayContaining(drawing.map((name) => `dist/worker/${name}`)));
});

test('the installed command says its version and its help in the Node of this machine', () => {
  expect(sextant('--version')).toMatchObject({ status: 0, stdout: 'sextant 0.2.0\n' });
  expect(sextant('--help').stdout).toContain('Usage: sextant <verb>');
});

test('the installed command checks a local server from an empty folder, and writes nothing there', () => {
  const server = join(root, 'node_modules/time-mcp/dist/index.js');
  writeFileSync(
    join(work, 'mcp.json'),
    JSON.stringify({ mcpServers: { time: { command: process.execPath, args: [server] } } }),
  );
  const checked = sextant('check', 'mcp.json', '--allow', 'writes', '--units', '4', '--json');
  expect(checked, checked.stderr).toMatchObject({ status: 0 });
  const { tools, exploration } = z
    .object({
      tools: z.array(z.object({ calls: z.int() })),
      exploration: z.object({
        status: z.string(),
        report: z.object({ offline: z.boolean(), attempts: z.int(), tools: z.array(z.json()) }),
      }),
    })
    .parse(JSON.parse(checked.stdout));
  expect(tools).toHaveLength(6);
  expect(tools.every(({ calls }) => calls > 0)).toBe(true);
  expect(exploration).toMatchObject({ status: 'completed', report: { offline: true } });
  expect(exploration.report.attempts).toBeGreaterThan(2);
  expect(exploration.report.tools).toHaveLength(6);
  expect(readdirSync(work)).toEqual(['mcp.json']);
});
