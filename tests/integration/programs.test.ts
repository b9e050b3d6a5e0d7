import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeProcessRunner } from '#adapters/programs/process.ts';
import type { ProgramReply, RunProgram } from '#core/ports.ts';
import { buildWorkerIfChanged } from '../../engine/build-worker.ts';
import { programWorkerEntry } from '../../engine/installation.ts';
import { startProgramProcesses, type ProgramProcesses } from '../../engine/programs/processes.ts';

/** Programs in processes of their own, as `npm start` runs them. */

let processes: ProgramProcesses;
let run: RunProgram;
beforeAll(async () => {
  processes = await startProgramProcesses(await buildWorkerIfChanged(programWorkerEntry));
  run = makeProcessRunner(processes.address);
}, 60_000);
afterAll(() => processes.stop());

const echo = async (name: string, argumentsText: string): Promise<ProgramReply> =>
  name === 'failing' ? { ok: false, message: 'it failed' } : { ok: true, text: argumentsText, json: null };

const runFor = (code: string, ms = 20_000, call = echo, outputChars = 500) =>
  run({ code, outputChars }, call, AbortSignal.timeout(ms));

describe('a program', () => {
  test('calls tools, works with what they return, prints and returns', async () => {
    const code = `const one = await tools.a__b({ x: 1 });\nconsole.log('got', one);\nreturn one.x + 1;`;
    expect(await runFor(code)).toEqual({ kind: 'returned', text: '2', truncated: false, printed: 'got {"x":1}\n' });
  });

  test('gets the structured content of a result in place of its text', async () => {
    const call = async (): Promise<ProgramReply> => ({ ok: true, text: '12', json: '{"result":12}' });
    expect(await runFor('return (await tools.a()).result', 20_000, call)).toMatchObject({ text: '12' });
  });

  test('that throws comes back with message and line, one of a tool too', async () => {
    expect(await runFor('const x = null;\n\nx.foo;')).toMatchObject({
      kind: 'threw',
      message: "TypeError: Cannot read properties of null (reading 'foo')",
      line: 3,
    });
    expect(await runFor('\nawait tools.failing({});')).toMatchObject({ message: 'Error: it failed', line: 2 });
    expect(await runFor("throw 'a text'")).toMatchObject({ kind: 'threw', message: 'a text', line: null });
  });

  test('that is no code comes back with message and line', async () => {
    const broken = { kind: 'threw', message: "SyntaxError: Unexpected token ';'", line: 2 };
    expect(await runFor('const x = 1;\nconst y = ;')).toMatchObject(broken);
    expect(await runFor('if (true) {\n  const y = 1;')).toMatchObject({
      message: 'SyntaxError: Unexpected end of input',
      line: 2,
    });
  });

  test('may be a whole function, or fenced', async () => {
    expect(await runFor('```js\nasync () => {\n  return 3;\n}\n```')).toMatchObject({ text: '3' });
    expect(await runFor('async function () { return 4; }')).toMatchObject({ text: '4' });
  });

  test('may return nothing', async () => {
    expect(await runFor('await tools.a()')).toEqual({ kind: 'returned', text: null, truncated: false, printed: '' });
  });

  test('returns and prints only so much', async () => {
    const end = await runFor(`for (let n = 0; n < 1000; n += 1) console.log('line', n); return 'x'.repeat(1e6);`);
    expect(end).toMatchObject({ kind: 'returned', text: 'x'.repeat(500), truncated: true });
    expect(end.printed).toHaveLength(500);
  });
});

describe('a program cannot', () => {
  test('use the network, by fetch or by a socket', async () => {
    expect(await runFor(`await fetch('${processes.address}')`)).toMatchObject({
      kind: 'threw',
      message: expect.stringContaining('fetch is not'),
    });
    const socket = `const { connect } = await import('cloudflare:sockets'); await connect('127.0.0.1:80').opened;`;
    expect(await runFor(socket)).toMatchObject({ kind: 'threw', message: expect.stringContaining('not permitted') });
  });

  test('import modules of Node, or make code of texts', async () => {
    expect(await runFor(`await import('node:fs')`)).toMatchObject({
      message: expect.stringContaining('No such module'),
    });
    const made = `return (() => {}).constructor('return 1')()`;
    expect(await runFor(made)).toMatchObject({ message: expect.stringContaining('Code generation from strings') });
  });

  test('take memory outside of its heap', async () => {
    for (const name of [
      'ArrayBuffer',
      'Uint8Array',
      'Response',
      'Blob',
      'WebAssembly',
      'SharedArrayBuffer',
      'TextEncoder',
    ])
      expect(await runFor(`return typeof ${name}`)).toMatchObject({ text: 'undefined' });
  });

  test('run without end', async () => {
    const begun = Date.now();
    expect(await runFor('for (;;);', 1_500)).toMatchObject({ kind: 'stopped', why: 'signal' });
    expect(Date.now() - begun).toBeLessThan(10_000);
    expect(await runFor('return 1')).toMatchObject({ text: '1' });
  });

  test('run without end before it begins, or behind a pattern', async () => {
    expect(await runFor('}; for (;;); {', 1_500)).toMatchObject({ kind: 'stopped' });
    expect(await runFor(`return /(a+)+$/.test('a'.repeat(60) + 'b')`, 1_500)).toMatchObject({ kind: 'stopped' });
  });

  test('take all memory', async () => {
    const end = await runFor(`const all = []; for (;;) all.push('x'.repeat(1000) + all.length);`, 60_000);
    expect(end).toMatchObject({ kind: 'stopped', why: 'resources' });
  }, 90_000);

  test('leave the calls unanswered that it makes: 10,000 of them reach their end', async () => {
    let calls = 0;
    const count = async (): Promise<ProgramReply> => {
      calls += 1;
      return { ok: true, text: '', json: null };
    };
    const end = await runFor(`for (let n = 0; n < 10000; n += 1) await tools.a(); return 'done';`, 60_000, count);
    expect(end).toMatchObject({ kind: 'returned', text: 'done' });
    expect(calls).toBe(10_000);
  }, 90_000);
});

test('an address that is not the secret one gives no process', async () => {
  const { origin } = new URL(processes.address);
  expect((await fetch(origin, { method: 'POST' })).status).toBe(404);
});
