import { chmod, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { PresetAttempt } from '../../client/external-agent/presets/preset.ts';
import { presets } from '../../client/external-agent/presets/presets.ts';
import { fakeApi, json, type FakeApi } from './fake-api.ts';
import { submission } from './board-records.ts';
import { evaluation } from './records.ts';
import { runVerb } from './run-verb.ts';

const attempt = (ownTools: boolean): PresetAttempt => ({
  request: 'Tell "the size" of a file.',
  mcp: { url: 'http://gateway/mcp/attempts/att_1', token: 'token-of-tools' },
  model: {
    name: 'a-model',
    urls: {
      openai: 'http://gateway/m/openai/v1',
      anthropic: 'http://gateway/m/anthropic',
      gemini: 'http://gateway/m/gemini',
    },
    token: 'token-of-models',
  },
  ownTools,
});

/** What each program prints that answered "It is done.", and what it prints that failed. */
const printed: Readonly<Record<string, { readonly answer: string; readonly failure: string | null }>> = {
  'claude-code': {
    answer: JSON.stringify({ type: 'result', is_error: false, result: 'It is done.' }),
    failure: JSON.stringify({ type: 'result', is_error: true, result: 'API Error: 401' }),
  },
  codex: { answer: 'It is done.\n', failure: null },
  gemini: {
    answer: JSON.stringify({ response: 'It is done.', stats: {} }),
    failure: JSON.stringify({ error: { message: 'API Error' } }),
  },
  qwen: {
    answer: JSON.stringify([{ type: 'system' }, { type: 'result', is_error: false, result: 'It is done.' }]),
    failure: JSON.stringify([{ type: 'result', is_error: true, result: 'API Error' }]),
  },
  opencode: {
    answer: [
      { type: 'text', part: { messageID: 'm1', text: 'I look.' } },
      { type: 'tool_use', part: { messageID: 'm1' } },
      { type: 'text', part: { messageID: 'm2', text: 'It is ' } },
      { type: 'text', part: { messageID: 'm2', text: 'done.' } },
    ]
      .map((event) => JSON.stringify(event))
      .join('\n'),
    failure: JSON.stringify({ type: 'error' }),
  },
};

describe.each(presets.map((preset) => [preset.name, preset] as const))('the preset %s', (name, preset) => {
  test('gives its program the server and the model of the attempt, in files and variables of its own', () => {
    const start = preset.start(attempt(false));
    const given = JSON.stringify(start);
    for (const part of [
      'http://gateway/mcp/attempts/att_1',
      'token-of-tools',
      'http://gateway/m/',
      'token-of-models',
      'a-model',
    ])
      expect(given).toContain(part);
    // Everybody on the machine can read the arguments of a program.
    expect(start.arguments.join(' ')).not.toContain('token-of');
    expect([start.input, ...start.arguments]).toContain('Tell "the size" of a file.');
    expect(start).not.toEqual(preset.start(attempt(true)));
  });

  test('reads the answer in its output, and tells a failure', () => {
    const { answer = '', failure = '' } = printed[name] ?? {};
    expect(preset.readAnswer(answer)).toBe('It is done.');
    if (failure !== null) expect([preset.readAnswer(failure), preset.readAnswer('')]).toEqual([null, null]);
  });
});

/** A program that prints what it got, as JSON under `answer`; it also has a version. */
const source = `#!${process.execPath}
const fs = require('node:fs');
if (process.argv[2] === '--version') { console.log('fake 1.2.3 (of nobody)'); process.exit(0); }
const files = JSON.parse(fs.readFileSync('settings.json', 'utf8'));
const input = fs.readFileSync(0, 'utf8');
if (input.includes('break')) { console.log(JSON.stringify({ error: 'broken' })); process.exit(0); }
const seen = { input, files, argv: process.argv.slice(2), folder: process.cwd(), env: process.env };
console.log(JSON.stringify({ answer: { text: JSON.stringify(seen) } }));
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sextant-presets-'));
  await writeFile(join(folder, 'fake-agent'), source);
  await chmod(join(folder, 'fake-agent'), 0o755);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH'] ?? ''}`);
  vi.stubEnv('SEXTANT_KEY', 'what reads the expected chains');
  vi.stubEnv('OPENAI_API_KEY', 'the key of the user');
});
afterEach(() => vi.unstubAllEnvs());

async function presetFile(more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const file = join(folder, 'fake.json');
  const preset = {
    name: 'fake',
    program: 'fake-agent',
    install: 'npm install fake-agent',
    endpoint: { baseUrl: 'https://models.example/v1', keyVariable: 'OPENAI_API_KEY' },
    model: 'usual',
    arguments: ['--model', '{model}'],
    environment: { MODEL_URL: '{modelUrlOpenai}', MODEL_TOKEN: '{modelToken}' },
    files: { 'work/settings.json': { mcp: { url: '{mcpUrl}', token: '{mcpToken}' }, literal: '{unknown}' } },
    answer: { json: ['answer', 'text'] },
    ...more,
  };
  await writeFile(file, JSON.stringify(preset));
  return file;
}

function attemptsApi(request: string): Promise<FakeApi> {
  let claims = 0;
  return fakeApi((asked, ...rest) => {
    if (asked.url !== '/v1/attempts/claim') return json({ evaluated: true, again: false })(asked, ...rest);
    claims += 1;
    if (claims > 1) return json({ status: 'finished' })(asked, ...rest);
    return json({
      status: 'claimed',
      attempt: {
        id: 'att_1',
        request,
        mcp: { url: 'http://gateway/mcp/attempts/att_1', headers: { Authorization: 'Bearer token-of-tools' } },
        models: { names: ['a-model'], urls: attempt(false).model.urls, token: 'token-of-models' },
        deadline: new Date(Date.now() + 60_000).toISOString(),
      },
    })(asked, ...rest);
  });
}

const responseIn = (api: FakeApi): unknown =>
  JSON.parse(api.requests.find(({ line }) => line.endsWith('/response'))?.body ?? 'null');

test('"attempts run --cli" makes attempts with a program of a file, in a folder and an environment of their own', async () => {
  await using api = await attemptsApi('Add 2 and 3.');
  await runVerb(api, 'attempts', 'run', 'evl_1', '--agent', 'x', '--cli', 'fake', '--cli-config', await presetFile());
  const { response } = z.object({ response: z.string() }).parse(responseIn(api));
  const seen = z
    .object({
      input: z.string(),
      files: z.unknown(),
      argv: z.array(z.string()),
      folder: z.string(),
      env: z.record(z.string(), z.string()),
    })
    .parse(JSON.parse(response));
  expect(seen).toMatchObject({
    input: 'Add 2 and 3.',
    files: { mcp: { url: 'http://gateway/mcp/attempts/att_1', token: 'token-of-tools' }, literal: '{unknown}' },
    argv: ['--model', 'a-model'],
    env: {
      MODEL_URL: 'http://gateway/m/openai/v1',
      MODEL_TOKEN: 'token-of-models',
      HOME: seen.folder.replace(/work$/, 'home'),
    },
  });
  expect(Object.keys(seen.env)).not.toContain('SEXTANT_KEY');
  expect(Object.keys(seen.env)).not.toContain('OPENAI_API_KEY');
  // Nothing of it is left.
  await expect(readdir(seen.folder)).rejects.toThrow('ENOENT');
});

test('a program that ends without an answer crashed', async () => {
  await using api = await attemptsApi('Please break.');
  const words = ['attempts', 'run', 'evl_1', '--agent', 'x', '--cli', 'fake', '--cli-config', await presetFile()];
  await expect(runVerb(api, ...words)).rejects.toThrow('crashed with exit code 1 before it had answered once');
  expect(responseIn(api)).toEqual({ response: '', crashed: true });
});

test('"evaluate --cli" names the program with its version, its model and where that is, with the key of the environment', async () => {
  await using api = await fakeApi(json(evaluation(), 202));
  const file = await presetFile();
  const common = ['evaluate', '--benchmark', 'bm_1', '--detach', '--cli-config', file];
  await runVerb(api, ...common, '--cli', 'fake', '--cli', 'other:fake=m2', '--attempt-seconds', '90');
  const program = { name: 'fake', version: '1.2.3' };
  const endpoint = { baseUrl: 'https://models.example/v1', apiKey: 'the key of the user' };
  expect(JSON.parse(api.requests[0]?.body ?? '')).toMatchObject({
    agents: [
      { name: 'fake', loop: 'external', models: [{ model: 'usual', endpoint }], program, limits: { timeMs: 90_000 } },
      { name: 'other', loop: 'external', models: [{ model: 'm2', endpoint }], program },
    ],
  });
  await runVerb(api, ...common, '--cli', 'fake', '--base-url', 'http://localhost:1/v1', '--prompt-price', '2');
  expect(JSON.parse(api.requests[1]?.body ?? '')).toMatchObject({
    agents: [{ models: [{ endpoint: { baseUrl: 'http://localhost:1/v1', promptPricePerMTok: 2 } }] }],
  });
});

test('"submit gateway --cli" names the program, its model and the key that pays, and makes the attempts', async () => {
  let claims = 0;
  await using api = await fakeApi((asked, ...rest) => {
    if (asked.url === '/v1/submissions') return json(submission({ tier: 'gateway' }), 202)(asked, ...rest);
    claims += asked.url === '/v1/attempts/claim' ? 1 : 0;
    return json({ status: 'finished' })(asked, ...rest);
  });
  const words = ['submit', 'gateway', '--leaderboard', 'lb_1', '--name', 'Fake', '--detach'];
  const file = await presetFile();
  await runVerb(api, ...words, '--cli', 'fake=m2', '--cli-config', file);
  expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual({
    leaderboard: 'lb_1',
    name: 'Fake',
    tier: 'gateway',
    models: [{ model: 'm2', endpoint: { baseUrl: 'https://models.example/v1', apiKey: 'the key of the user' } }],
    program: { name: 'fake', version: '1.2.3' },
  });
  expect(claims).toBe(1);
  const two = ['--cli', 'fake', '--cli', 'b:fake', '--cli-config', file];
  await expect(runVerb(api, ...words, ...two)).rejects.toThrow('a submission is of one agent');
  await expect(runVerb(api, ...words, '--base-url', 'http://m')).rejects.toThrow('only a command-line agent');
});

test('"evaluate --shown-tool" gives agents that load their tools some from the start, and is refused without such an agent', async () => {
  await using api = await fakeApi(json(evaluation(), 202));
  const words = ['evaluate', '--benchmark', 'bm_1', '--detach', '--shown-tool', 'files/read', '--agent', 'a=m'];
  await runVerb(api, ...words, '--tool-search-agent', 'b=m', '--routing-agent', 'c=m');
  const { agents } = z.object({ agents: z.array(z.unknown()) }).parse(JSON.parse(api.requests[0]?.body ?? ''));
  expect(agents).toEqual([
    { name: 'a', model: 'm' },
    { name: 'c', model: 'm', loop: 'routing' },
    { name: 'b', model: 'm', loop: 'tool-search', retrieval: { shown: ['files/read'] } },
  ]);
  await expect(runVerb(api, ...words)).rejects.toThrow('--shown-tool: no agent was given with --tool-search-agent');
});

test('a program that is not there is a sentence with the command that installs it', async () => {
  await using api = await fakeApi(json(evaluation(), 202));
  const file = await presetFile({ program: 'no-such-agent' });
  await expect(runVerb(api, 'evaluate', '--benchmark', 'bm_1', '--cli', 'fake', '--cli-config', file)).rejects.toThrow(
    'no-such-agent is not found; install it with: npm install fake-agent',
  );
  expect(api.requests).toEqual([]);
});

test.each([
  [
    ['--cli', 'nobody'],
    '--cli nobody: give one of claude-code, codex, gemini, opencode, qwen, or a file with --cli-config',
  ],
  [['--external-agent', 'mine', '--cli-own-tools'], 'go with --cli'],
])('"evaluate %s" is refused: %s', async (words, message) => {
  await using api = await fakeApi(json(evaluation(), 202));
  await expect(runVerb(api, 'evaluate', '--benchmark', 'bm_1', ...words)).rejects.toThrow(message);
});

test('a file of a program is refused that lacks something, or writes elsewhere', async () => {
  await using api = await attemptsApi('Add.');
  const run = async (more: Readonly<Record<string, unknown>>) =>
    runVerb(api, 'attempts', 'run', 'evl_1', '--agent', 'x', '--cli', 'fake', '--cli-config', await presetFile(more));
  await expect(run({ program: '' })).rejects.toThrow('fake.json');
  await expect(run({ files: { '../elsewhere': 'x' } })).rejects.toThrow("is not in the attempt's folder");
});

test('without its key a program is not evaluated at its usual endpoint', async () => {
  vi.stubEnv('OPENAI_API_KEY', '');
  await using api = await fakeApi(json(evaluation(), 202));
  await expect(
    runVerb(api, 'evaluate', '--benchmark', 'bm_1', '--cli', 'fake', '--cli-config', await presetFile()),
  ).rejects.toThrow('--cli fake: set OPENAI_API_KEY to the key for https://models.example/v1');
});
