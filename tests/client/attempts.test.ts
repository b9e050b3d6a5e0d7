import { spawn } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createClient } from '../../client/client.ts';
import { Output } from '../../client/command-line/output.ts';
import { parseLineToVerbOrHelp } from '../../client/command-line/parse-line.ts';
import { program } from '../../client/program.ts';
import { runVerb } from './run-verb.ts';
import { fakeApi, json, problem, type FakeApi, type Handler } from './fake-api.ts';

const finished = json({ status: 'finished' });
const wait = json({ status: 'wait', retryAfterMs: 30 });
const evaluated = json({ evaluated: true, again: false });

/** Hands an attempt out. */
const claimed =
  (
    id: string,
    request = 'Add 2 and 3.\nThen stop.',
    timeMs = 60_000,
    more: Readonly<Record<string, unknown>> = {},
  ): Handler =>
  (...answering) =>
    json({
      status: 'claimed',
      attempt: {
        id,
        request,
        mcp: { url: `http://gateway/mcp/attempts/${id}`, headers: { Authorization: `Bearer token-${id}` } },
        deadline: new Date(Date.now() + timeMs).toISOString(),
        ...more,
      },
    })(...answering);

/** An API that answers claims in order, and responses likewise; the last one of each is repeated. `givenBack` answers what is given back. */
function attemptsApi(
  claims: readonly Handler[],
  responses: readonly Handler[] = [evaluated],
  givenBack: Handler = json({ again: true }),
): Promise<FakeApi> {
  let [claimCount, responseCount] = [0, 0];
  return fakeApi((request, ...rest) => {
    if (request.url === '/v1/attempts/claim') {
      claimCount += 1;
      return claims[Math.min(claimCount, claims.length) - 1]?.(request, ...rest);
    }
    if (request.method === 'DELETE') return givenBack(request, ...rest);
    responseCount += 1;
    return responses[Math.min(responseCount, responses.length) - 1]?.(request, ...rest);
  });
}

interface Run {
  readonly lines: readonly string[];
  readonly notes: readonly string[];
  /** What the verb threw. */
  readonly error: unknown;
}

/** Runs the verb on a command, and reads what it says. */
async function run(api: FakeApi, command: string, options: readonly string[] = [], signal?: AbortSignal): Promise<Run> {
  const argv = ['attempts', 'run', 'evl_1', '--agent', 'mine', `--command=${command}`, ...options];
  const request = parseLineToVerbOrHelp(argv, program);
  if (request.kind === 'help') throw new Error('no verb');
  const [out, notes]: [string[], string[]] = [[], []];
  const output = new Output(
    options.includes('--json'),
    { columns: 250, write: (text) => out.push(text) },
    { write: (text) => notes.push(text) },
  );
  const interruption = signal ?? new AbortController().signal;
  const client = createClient({ url: api.url, key: 'key', retries: 0, signal: interruption });
  const error = await request.command
    .run(request.given, { isServiceNamed: true, client, output, signal: interruption })
    .then(() => null)
    .catch((thrown: unknown) => thrown);
  return { lines: out.join('').trimEnd().split('\n'), notes, error };
}

const responses = (api: FakeApi): unknown[] =>
  api.requests.filter(({ line }) => line.endsWith('/response')).map(({ line, body }) => [line, JSON.parse(body)]);

/** A command that lasts so long: Node is there wherever the tests run, other programs may not be. */
const sleeps = (ms: number): string => `"${process.execPath}" -e "setTimeout(() => 0, ${ms})"`;

const folder = () => mkdtemp(join(tmpdir(), 'sextant-attempts-'));

/** Whether a process is there; one that nobody has waited for yet is not. */
async function isAlive(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return status !== null && !status.includes(') Z ');
}

async function pidIn(file: string): Promise<number> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (/^\d+\n$/.test(text)) return Number(text);
    await sleep(10);
  }
}

test('a command gets its attempt in the environment and on standard input, and its output is the response', async () => {
  await using api = await attemptsApi([claimed('att_1'), finished]);
  const script = [
    'const input = require("node:fs").readFileSync(0, "utf8");',
    'const names = Object.keys(process.env).filter((name) => name.startsWith("SEXTANT_")).sort();',
    'console.log(JSON.stringify({ input, ...Object.fromEntries(names.map((name) => [name, process.env[name]])) }) + "\\n");',
  ].join('');
  process.env['SEXTANT_KEY'] = 'what reads the expected chains';
  const { lines, error } = await run(api, `"${process.execPath}" -e '${script}'`);
  delete process.env['SEXTANT_KEY'];
  expect(error).toBeNull();
  const [claim, response] = api.requests;
  expect(claim).toMatchObject({
    line: 'POST /v1/attempts/claim',
    body: '{"evaluation":"evl_1","agent":"mine","heartbeat":true}',
  });
  expect(response?.line).toBe('POST /v1/attempts/att_1/response');
  const { response: printed } = z.object({ response: z.string() }).parse(JSON.parse(response?.body ?? ''));
  // The command strips only one of the two line breaks at the end.
  expect(printed).toMatch(/\}\n$/);
  expect(JSON.parse(printed)).toEqual({
    input: 'Add 2 and 3.\nThen stop.',
    SEXTANT_ATTEMPT: 'att_1',
    SEXTANT_DEADLINE: expect.stringMatching(/^\d{4}-.*Z$/),
    SEXTANT_MCP_AUTHORIZATION: 'Bearer token-att_1',
    SEXTANT_MCP_TOKEN: 'token-att_1',
    SEXTANT_MCP_URL: 'http://gateway/mcp/attempts/att_1',
    SEXTANT_REQUEST: 'Add 2 and 3.\nThen stop.',
  });
  expect(lines).toEqual([
    expect.stringMatching(/^Add 2 and 3\. Then stop\. {37,} \d\.\d s {2}answered, \d+ characters$/),
    '1 attempt, 1 answered',
  ]);
});

test('an attempt with a lease gets heartbeats three times as often while its command runs, and none otherwise', async () => {
  const leased: Handler = (...answering) => claimed('att_1', 'Wait.', 60_000, { leaseMs: 300 })(...answering);
  const beats: number[] = [];
  await using api = await fakeApi((request, ...rest) => {
    if (request.url?.endsWith('/heartbeat') === true) {
      beats.push(Date.now());
      // One is lost.
      return (beats.length === 2 ? problem(503, 'internal-error') : json({ heldUntil: '2026-01-01T00:00:00.000Z' }))(
        request,
        ...rest,
      );
    }
    if (request.url !== '/v1/attempts/claim') return evaluated(request, ...rest);
    return (api.requests.length === 1 ? leased : finished)(request, ...rest);
  });
  const { lines } = await run(api, sleeps(700));
  expect(lines.at(-1)).toBe('1 attempt, 1 answered');
  expect(beats.length).toBeGreaterThanOrEqual(4);
  const all = beats.length;
  await sleep(300);
  expect(beats).toHaveLength(all);
});

test('a service that goes away in the middle of a claim or a response is waited for, and asked the same again', async () => {
  const cut: Handler = (_, response) => void response.destroy();
  const over = problem(409, 'attempt-over');
  await using api = await fakeApi(cut, claimed('att_1'), cut, evaluated, finished);
  const { lines, error } = await run(api, 'echo done');
  expect(error).toBeNull();
  expect(lines.at(-1)).toBe('1 attempt, 1 answered');
  const [first, again] = api.requests.map(({ headers }) => headers['idempotency-key']);
  expect(again).toBe(first);
  expect(responses(api)).toEqual([
    ['POST /v1/attempts/att_1/response', { response: 'done' }],
    ['POST /v1/attempts/att_1/response', { response: 'done' }],
  ]);
  await using gone = await fakeApi(claimed('att_2'), cut, over, finished);
  expect((await run(gone, 'echo done')).lines.at(-1)).toBe('1 attempt, 1 over');
});

test('a command finds its models where the claim says that they are', async () => {
  const urls = { openai: 'http://gateway/o/v1', anthropic: 'http://gateway/a', gemini: 'http://gateway/g' };
  const models = { names: ['main', 'small'], urls, token: 'token-of-models' };
  await using api = await attemptsApi([claimed('att_1', 'Add.', 60_000, { models }), finished]);
  const script =
    'for (const [name, value] of Object.entries(process.env).sort()) if (name.startsWith("SEXTANT_MODEL")) console.log(name + "=" + value)';
  const { error } = await run(api, `"${process.execPath}" -e '${script}'`);
  expect(error).toBeNull();
  expect(responses(api)).toMatchObject([
    [
      'POST /v1/attempts/att_1/response',
      {
        response: [
          'SEXTANT_MODEL=main',
          'SEXTANT_MODEL_TOKEN=token-of-models',
          'SEXTANT_MODEL_URL_ANTHROPIC=http://gateway/a',
          'SEXTANT_MODEL_URL_GEMINI=http://gateway/g',
          'SEXTANT_MODEL_URL_OPENAI=http://gateway/o/v1',
        ].join('\n'),
      },
    ],
  ]);
});

test('every claim has its own key, so that a repeated claim takes no second attempt', async () => {
  await using api = await attemptsApi([claimed('att_1'), claimed('att_2'), finished]);
  await run(api, 'true');
  const keys = api.requests.flatMap(({ line, headers }) =>
    line === 'POST /v1/attempts/claim' ? [headers['idempotency-key']] : [],
  );
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(3);
  await using flaky = await fakeApi(problem(503, 'internal-error'), claimed('att_1'));
  const { attempts } = createClient({ url: flaky.url, key: 'key', backoff: { firstMs: 1, longestMs: 1 } });
  expect(await attempts.claim({ evaluation: 'e', agent: 'a' })).toMatchObject({ attempt: { id: 'att_1' } });
  const [first, second] = flaky.requests.map(({ headers }) => headers['idempotency-key']);
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).toBe(first);
});

test('a command that fails gives no answer, even if it printed something', async () => {
  await using api = await attemptsApi([claimed('att_1'), claimed('att_2'), finished]);
  const { lines, error } = await run(
    api,
    'echo half an answer; if [ $SEXTANT_ATTEMPT = att_1 ]; then exit 3; else kill -KILL $$; fi',
    ['--keep-going'],
  );
  expect(error).toBeNull();
  expect(responses(api)).toEqual([
    ['POST /v1/attempts/att_1/response', { response: '', crashed: true }],
    ['POST /v1/attempts/att_2/response', { response: '', crashed: true }],
  ]);
  expect(lines[0]).toMatch(/ crashed with exit code 3: counts with an empty response$/);
  expect(lines[1]).toMatch(/ crashed with exit code 137: counts with an empty response$/);
  expect(lines[2]).toBe('2 attempts, 2 crashed');
});

test('repeated crashes of a command that has answered stop the work, unless it should keep going', async () => {
  const eight = Array.from({ length: 8 }, (_, index) => claimed(`att_${index}`));
  const crashing = '[ $SEXTANT_ATTEMPT = att_0 ]';
  await using api = await attemptsApi([...eight, finished]);
  const stopped = await run(api, crashing);
  expect(stopped.error).toMatchObject({ message: expect.stringContaining('crashed 5 times in a row') });
  expect(stopped.lines.at(-1)).toBe('6 attempts, 1 answered, 5 crashed');
  await using other = await attemptsApi([...eight, finished]);
  const gone = await run(other, crashing, ['--keep-going']);
  expect([gone.error, gone.lines.at(-1)]).toEqual([null, '8 attempts, 1 answered, 7 crashed']);
});

test('a command that crashes before it has answered once stops the work at the first crash', async () => {
  await using api = await attemptsApi([claimed('att_1'), claimed('att_2'), finished]);
  const { lines, error } = await run(api, 'exit 4');
  expect(error).toMatchObject({ message: expect.stringContaining('exit code 4 before it had answered once') });
  expect(lines.at(-1)).toBe('1 attempt, 1 crashed');
});

test('a crashed attempt that is held is shown as such, with both ways to settle it', async () => {
  const held = json({ evaluated: false, again: false, held: true, calls: 2, progress: { made: 11, of: 48 } });
  const answered = json({ evaluated: true, again: false, calls: 1, progress: { made: 12, of: 48 } });
  await using api = await attemptsApi([claimed('att_1'), claimed('att_2'), finished], [answered, held]);
  const { lines, notes, error } = await run(api, '[ $SEXTANT_ATTEMPT = att_1 ]');
  expect(error).toBeNull();
  expect(lines[0]).toMatch(/ 12 of 48 {2}answered, 0 characters, 1 call$/);
  expect(lines[1]).toMatch(/ 11 of 48 {2}crashed with exit code 1: held without a score$/);
  expect(notes.join('')).toMatch(
    /^1 crashed attempt held without a score\nnext: .* attempts retry evl_1 --agent mine .*attempts fail evl_1/,
  );
});

test('when nothing is left, the next command is noted, unless programs read the output', async () => {
  await using api = await attemptsApi([claimed('att_1'), finished]);
  const { notes } = await run(api, 'echo hi');
  expect(notes.join('')).toMatch(/^next: .* watch evl_1; or .* results evl_1\n$/);
  await using other = await attemptsApi([claimed('att_1'), finished]);
  expect((await run(other, 'echo hi', ['--json'])).notes).toEqual([]);
});

test.each([
  ['no-such-command --at-all', 'is not found (exit code 127)'],
  ['/dev/null', 'cannot be run (exit code 126)'],
])('%s stops the work before the queue is wasted', async (command, why) => {
  await using api = await attemptsApi([claimed('att_1')]);
  const { lines, error } = await run(api, command);
  expect(error).toMatchObject({ name: 'CommandError', message: expect.stringContaining(why) });
  expect(api.requests.map(({ line }) => line)).toEqual(['POST /v1/attempts/claim', 'DELETE /v1/attempts/att_1']);
  expect(lines[0]).toContain('given back, and in the queue again');
  expect(lines.at(-1)).toBe('1 attempt, 1 not started');
});

test.each([
  [json({ again: false }), 'given back, and ended with what was done until then'],
  [problem(500, 'internal-error'), 'the claim runs out by itself'],
])('an attempt that cannot be started says what became of it', async (answer, words) => {
  await using api = await attemptsApi([claimed('att_1')], [evaluated], answer);
  const { lines, error } = await run(api, 'no-such-command');
  expect(error).toMatchObject({ name: 'CommandError' });
  expect(lines[0]).toContain(words);
});

test('at the deadline the command and its child processes end, and the claim is left to expire', async () => {
  await using api = await attemptsApi([claimed('att_1', 'Slow.', 700), finished]);
  const file = join(await folder(), 'pid');
  // The grandchild ignores what it is asked for, and holds the output open.
  const stubborn = `sh -c 'trap "" TERM; echo $$ > ${file}; while :; do ${sleeps(100)}; done' & wait`;
  const { lines, error } = await run(api, stubborn);
  expect(error).toBeNull();
  expect(await isAlive(await pidIn(file))).toBe(false);
  expect(responses(api)).toEqual([]);
  expect(lines).toEqual([
    expect.stringMatching(/^Slow\..* ended at the deadline: the claim runs out by itself$/),
    '1 attempt, 1 too late',
  ]);
});

test('processes that a command leaves running are ended and do not delay the attempt', async () => {
  await using api = await attemptsApi([claimed('att_1'), finished]);
  const file = join(await folder(), 'pid');
  const { error } = await run(
    api,
    `sh -c 'echo $$ > ${file}; exec ${sleeps(60_000)}' & while [ ! -s ${file} ]; do :; done; echo done`,
  );
  expect(error).toBeNull();
  expect(await isAlive(await pidIn(file))).toBe(false);
  expect(responses(api)).toEqual([['POST /v1/attempts/att_1/response', { response: 'done' }]]);
});

/** Says how many are there with it; the third one lets all of them go. */
const countingAgent = `
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
const [, , folder] = process.argv;
const own = join(folder, process.env.SEXTANT_ATTEMPT);
writeFileSync(own, '');
for (let n = 0; readdirSync(folder).length < 3 && n < 250; n += 1) await sleep(20);
await sleep(200);
console.log(readdirSync(folder).length);
rmSync(own);
`;

test('as many commands run at once as requested, and no more', async () => {
  const six = Array.from({ length: 6 }, (_, index) => claimed(`att_${index}`));
  await using api = await attemptsApi([...six, finished]);
  const [at, script] = [await folder(), join(await folder(), 'count.mjs')];
  await writeFile(script, countingAgent);
  const { lines, error } = await run(api, `"${process.execPath}" "${script}" "${at}"`, ['--parallel', '3']);
  expect(error).toBeNull();
  expect(lines.at(-1)).toBe('6 attempts, 6 answered');
  const seen = api.requests.flatMap(({ line, body }) =>
    line.endsWith('/response') ? [Number(/\d+/.exec(body)?.[0])] : [],
  );
  expect(Math.max(...seen)).toBe(3);
});

test('if there is nothing to claim right now, it waits and claims again', async () => {
  await using api = await attemptsApi([wait, wait, claimed('att_1'), wait, finished]);
  const { lines, notes, error } = await run(api, 'echo hi');
  expect([error, lines.at(-1)]).toEqual([null, '1 attempt, 1 answered']);
  expect(api.requests).toHaveLength(6);
  // Once until there is something again; then the next command.
  expect(notes).toHaveLength(3);
  expect(notes[0]).toContain('nothing to claim just now');
});

test('an attempt that is already closed is reported and skipped', async () => {
  await using api = await attemptsApi(
    [claimed('att_1'), claimed('att_2'), finished],
    [problem(409, 'attempt-over'), evaluated],
  );
  const { lines, error } = await run(api, 'echo hi');
  expect(error).toBeNull();
  expect(lines[0]).toMatch(/ over already: detail of attempt-over$/);
  expect(lines.at(-1)).toBe('2 attempts, 1 answered, 1 over');
});

test('an attempt that a fault broke is reported', async () => {
  await using api = await attemptsApi(
    [claimed('att_1'), claimed('att_1b'), finished],
    [json({ evaluated: false, again: true }), json({ evaluated: false, again: false })],
  );
  const { lines } = await run(api, 'echo hi');
  expect(lines[0]).toMatch(/answered, 2 characters; a fault broke it, so it is in the queue again$/);
  expect(lines[1]).toMatch(/answered, 2 characters; a fault broke it once more: not evaluated$/);
});

test('a refusal that does not concern one attempt stops the work after the others are done', async () => {
  await using api = await attemptsApi([claimed('att_1'), problem(404, 'not-found')]);
  const { error, lines } = await run(api, `${sleeps(200)}; echo hi`, ['--parallel', '2']);
  expect(error).toMatchObject({ code: 'not-found' });
  expect(lines.at(-1)).toBe('1 attempt, 1 answered');
});

test('a response may have 32,000 characters, and a longer one is cut between characters', async () => {
  await using api = await attemptsApi([claimed('att_1'), claimed('att_2'), finished]);
  const script = [
    'const whole = process.env.SEXTANT_ATTEMPT === "att_1";',
    'process.stdout.write(whole ? "x".repeat(32000) + "\\r\\n" : "x".repeat(31999) + "\\u{1f600}".repeat(1e5));',
  ].join('');
  const { lines } = await run(api, `"${process.execPath}" -e '${script}'`);
  expect(responses(api)).toEqual([
    ['POST /v1/attempts/att_1/response', { response: 'x'.repeat(32_000) }],
    ['POST /v1/attempts/att_2/response', { response: 'x'.repeat(31_999) }],
  ]);
  expect(lines[0]).toMatch(/answered, 32,000 characters$/);
  expect(lines[1]).toMatch(
    /answered, with the first 31,999 characters: it printed more than 32,000, which are refused$/,
  );
});

test('with --json each event is a line without the token', async () => {
  await using api = await attemptsApi([wait, claimed('att_1', 'Add.'), finished]);
  const { lines } = await run(api, 'echo hi', ['--json']);
  const deadline = expect.any(String);
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    { type: 'waiting' },
    { type: 'claimed', attempt: 'att_1', request: 'Add.', deadline },
    {
      type: 'ended',
      attempt: 'att_1',
      durationMs: expect.any(Number),
      outcome: { kind: 'answered', chars: 2, cut: false, evaluated: true, again: false },
    },
    {
      type: 'summary',
      counts: { answered: 1, crashed: 0, 'too-late': 0, over: 0, 'not-started': 0, interrupted: 0 },
      held: 0,
    },
  ]);
  expect(lines.join('')).not.toContain('token-att_1');
});

test('waiting can be interrupted', async () => {
  await using api = await attemptsApi([json({ status: 'wait', retryAfterMs: 60_000 })]);
  const { lines, error } = await run(api, 'true', [], AbortSignal.timeout(300));
  expect(error).toMatchObject({ name: 'TimeoutError' });
  expect(lines).toEqual(['0 attempts']);
});

/** The command line as a process of its own. */
const commandLine = (api: FakeApi, command: string) => {
  const cli = join(import.meta.dirname, '../../client/cli.ts');
  const argv = [cli, 'attempts', 'run', 'evl_1', '--agent', 'mine', '--parallel', '2', '--command', command];
  return spawn(process.execPath, argv, { env: { ...process.env, SEXTANT_URL: api.url, SEXTANT_KEY: 'key' } });
};

test('Ctrl-C ends the commands and their child processes, whose standard error is passed through', async () => {
  await using api = await attemptsApi([claimed('att_1', 'Slow.'), wait]);
  const file = join(await folder(), 'pid');
  const cli = commandLine(
    api,
    `echo to the error output >&2; sh -c 'echo $$ > ${file}; exec ${sleeps(60_000)}' & wait`,
  );
  const said: string[] = [];
  for (const stream of [cli.stdout, cli.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const grandchild = await pidIn(file);
  const exited = new Promise<number | null>((resolve) => cli.once('close', resolve));
  cli.kill('SIGINT');
  expect(await exited).toBe(130);
  expect(await isAlive(grandchild)).toBe(false);
  expect(responses(api)).toEqual([]);
  expect(said.join('')).toContain('to the error output');
  expect(said.join('')).toMatch(/Slow\..* interrupted: given back, and in the queue again/);
  expect(api.requests.map(({ line }) => line)).toContain('DELETE /v1/attempts/att_1');
});

test('work stops when nobody reads the output any more', async () => {
  await using api = await attemptsApi([claimed('att_1'), claimed('att_2'), wait]);
  const file = join(await folder(), 'pid');
  const cli = commandLine(
    api,
    `if [ $SEXTANT_ATTEMPT = att_2 ]; then echo $$ > ${file}; exec ${sleeps(60_000)}; fi; while [ ! -s ${file} ]; do ${sleeps(20)}; done`,
  );
  cli.stdout.destroy();
  const exited = new Promise<number | null>((resolve) => cli.once('exit', resolve));
  const other = await pidIn(file);
  expect(await exited).toBe(0);
  while (await isAlive(other)) await sleep(10);
});

test.each([
  ['retry', 3, '3 crashed attempts can be claimed again'],
  ['fail', 1, '1 crashed attempt counted with an empty response'],
  ['retry', 0, 'no crashed attempt is held there'],
])('attempts %s settles what is held: %i', async (what, attempts, words) => {
  await using api = await fakeApi(json({ attempts }));
  const { lines, notes } = await runVerb(api, 'attempts', what, 'evl_1', '--agent', 'mine');
  expect(lines).toEqual([words]);
  expect(notes.includes('next: ')).toBe(attempts > 0);
  expect(api.requests.map(({ line, body }) => [line, JSON.parse(body)])).toEqual([
    ['POST /v1/evaluations/evl_1/crashes', { do: what, agent: 'mine' }],
  ]);
});
