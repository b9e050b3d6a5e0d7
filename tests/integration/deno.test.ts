import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { rootKey } from '../support/root-key.ts';

const root = join(import.meta.dirname, '../..');
const started = z.object({ loaded: z.int(), url: z.url() });

/** Finds the program that npm installs beside the package `deno`, where there is one for this machine. */
function denoProgram(): string {
  const [program] = globSync('node_modules/@deno/*/deno{,.exe}', { cwd: root });
  if (program !== undefined && existsSync(join(root, 'node_modules/deno'))) return join(root, program);
  throw new Error(
    `Deno is not here: run \`npm ci\`; if it is still missing, npm has no Deno for ${process.platform}-${process.arch}, or for a Linux without glibc.`,
  );
}

async function startApp() {
  const cache = mkdtempSync(join(tmpdir(), 'deno-'));
  // It may reach nothing but its own port, and take nothing from anywhere but node_modules.
  const args = ['run', '--node-modules-dir=manual', '--no-lock', '--no-remote', '--cached-only', '--no-prompt'];
  const allowed = [`--allow-read=${root}`, '--allow-env', '--allow-net=127.0.0.1'];
  const child = spawn(denoProgram(), [...args, ...allowed, 'tests/support/deno-app.ts'], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: cache, DENO_DIR: cache, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' },
  });
  const ended = once(child, 'close');
  let complaints = '';
  child.stderr.on('data', (text: Buffer) => (complaints += text.toString()));
  const close = async () => {
    child.stdin.end();
    await ended;
    rmSync(cache, { recursive: true });
  };
  for await (const line of createInterface(child.stdout)) return { ...started.parse(JSON.parse(line)), close };
  await close();
  throw new Error(`Deno ended: ${complaints}`);
}

describe('the API in Deno', () => {
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    app = await startApp();
  }, 60_000);
  afterAll(() => app?.close());
  const ask = (path: string, headers: Record<string, string> = {}) => fetch(app.url + path, { headers });

  test('loads every file of core, adapters, agents and api', () => {
    const files = globSync('src/{core,adapters,agents,api}/**/*.ts', { cwd: root, exclude: ['**/*.d.ts'] });
    expect(app.loaded).toBe(files.length);
    expect(files.length).toBeGreaterThan(300);
  });

  test('reports its health and serves its description', async () => {
    const health = await ask('/health');
    expect([health.status, await health.json()]).toMatchObject([200, { status: 'ok' }]);
    const document = await ask('/openapi.json');
    expect([document.status, await document.json()]).toMatchObject([200, { openapi: '3.1.0' }]);
  });

  test('serves a page as HTML', async () => {
    const page = await ask('/leaderboards');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
    expect(await page.text()).toContain('<h1>Leaderboards</h1>');
  });

  test('answers requests with a key and refuses those without', async () => {
    expect((await ask('/v1/keys')).status).toBe(401);
    const answer = await ask('/v1/keys', { authorization: `Bearer ${rootKey}` });
    expect([answer.status, await answer.json()]).toEqual([200, { items: [], nextCursor: null }]);
  });

  test('answers unknown paths with a problem document', async () => {
    const answer = await ask('/v1/nothing', { authorization: `Bearer ${rootKey}` });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    expect(await answer.json()).toMatchObject({ code: 'not-found' });
  });
});
