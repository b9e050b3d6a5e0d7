import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findFreePortsByName } from '../../engine/free-ports.ts';
import { startDevServer } from '../support/dev-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-start-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `npm start` with options with which it should start nothing, and gives what it says where. */
function answerTo(...options: readonly string[]): Promise<{ code: number | null; said: string; noted: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../scripts/start.ts'), ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [said, noted] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (noted += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, said, noted })));
}

test('a second start in the same folder does not disturb the first one', async () => {
  const server = await startDevServer(folder, await findFreePortsByName(['port', 'gatewayPort', 'modelsPort']));
  try {
    const ports = await findFreePortsByName(['port', 'gatewayPort', 'modelsPort']);
    await expect(startDevServer(folder, ports)).rejects.toThrow(/process \d+ runs in .* already/);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  } finally {
    expect(await server.stop()).toBe(0);
  }
});

test('an interrupted start ends at once, without waiting for the Worker', async () => {
  const ports = await findFreePortsByName(['port', 'gateway-port', 'models-port']);
  const options = Object.entries(ports).map(([name, port]) => `--${name}=${port}`);
  const script = join(import.meta.dirname, '../../scripts/start.ts');
  const child = spawn(process.execPath, [script, `--folder=${join(folder, 'interrupted')}`, ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const begunMs = performance.now();
  child.kill('SIGINT');
  expect(await ended).toBe(1);
  expect(performance.now() - begunMs).toBeLessThan(15_000);
});

test.each([
  [['--port', 'abc'], '--port "abc": give a port, from 1 to 65535'],
  [['--prot', '1'], '"start" has no option --prot'],
  [['--servers', 'none.json'], '--servers "none.json": the file cannot be read'],
])('invalid options are refused in one line: %s', async (options, words) => {
  const { code, noted } = await answerTo('--folder', folder, ...options);
  expect(code).toBe(2);
  expect(noted).toContain(words);
  expect(noted.trim().split('\n')).toHaveLength(1);
});

test.each([
  ['where the system makes no folders', '/proc/sextant/kept', 'the folder /proc/sextant/kept cannot be made'],
  ['that is a file', import.meta.filename, 'it is no folder'],
])('a folder %s is refused at once, in one line', async (_, kept, words) => {
  const { code, noted } = await answerTo('--folder', kept);
  expect(code).toBe(1);
  expect(noted).toContain(words);
  expect(noted.trim().split('\n')).toHaveLength(1);
});

test('a port that is in use is refused with the option that names it', async () => {
  const ports = await findFreePortsByName(['port', 'gateway', 'models']);
  const taken = createServer().listen(ports.gateway, '127.0.0.1');
  try {
    const { code, noted } = await answerTo(
      `--folder=${join(folder, 'taken')}`,
      `--port=${ports.port}`,
      `--gateway-port=${ports.gateway}`,
      `--models-port=${ports.models}`,
    );
    expect([code, noted.trim().split('\n').at(-1)]).toEqual([
      1,
      `port ${ports.gateway} is in use; end what listens there, or give another --gateway-port`,
    ]);
  } finally {
    taken.close();
  }
});

test('--help lists the options with their defaults and starts nothing', async () => {
  const { code, said, noted } = await answerTo('--help');
  expect([code, noted]).toEqual([0, '']);
  for (const words of [
    '--port PORT',
    '8787',
    '8970',
    '8971',
    '--folder FOLDER',
    '.sextant without it',
    '--servers FILE',
  ])
    expect(said).toContain(words);
});
