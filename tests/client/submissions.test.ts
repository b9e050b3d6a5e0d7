import { spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventBody } from '#core/reports/events.ts';
import type { SubmissionRecord } from '#core/leaderboards/submissions/record.ts';
import { exitCodeFor, errorText } from '../../client/command-line/error-output.ts';
import { programOrVerbHelpText } from '../../client/command-line/help.ts';
import { parseLineToVerbOrHelp } from '../../client/command-line/parse-line.ts';
import { makeProgressDisplay } from '../../client/progress/display.ts';
import {
  advanceSubmissionView,
  makeSubmissionDrawing,
  initialSubmissionView,
} from '../../client/progress/submission.ts';
import { program } from '../../client/program.ts';
import { submission } from './board-records.ts';
import { fakeApi, json, type FakeApi, type Handler } from './fake-api.ts';
import { event } from './records.ts';
import { framesOf, runVerb } from './run-verb.ts';

const progress = { attempts: 40, made: 10, notEvaluated: 1, relaunched: 0, units: 10, unitsDone: 2 };
const changed = (state: SubmissionRecord['state'], reason: string): EventBody => ({
  type: 'submission.changed',
  state,
  reason,
});
const progressed = (made: number): EventBody => ({ type: 'submission.progressed', progress: { ...progress, made } });
const over: EventBody = { type: 'run.ended', status: 'completed', reason: '' };

const after = (...bodies: readonly EventBody[]) =>
  bodies
    .map((body, index) => event(index + 1, body))
    .reduce(advanceSubmissionView, initialSubmissionView(submission()));

test('the progress of a submission follows its events, regardless of the record', () => {
  const late = submission({ state: 'scoring', reason: 'x', progress });
  expect(initialSubmissionView(late)).toMatchObject({ state: 'queued', reason: 'submitted', progress: null });
  expect(after(changed('validating', 'its turn'), changed('scoring', 'valid'), progressed(20), over)).toMatchObject({
    state: 'scoring',
    reason: 'valid',
    progress: { made: 20 },
    endedAt: Date.parse('2026-01-01T00:01:05Z'),
  });
});

test('the progress block of a submission has its lines', () => {
  const { blockLines } = makeSubmissionDrawing(submission());
  const now = Date.parse('2026-01-01T00:00:42Z');
  expect(blockLines(after(), now)).toEqual([
    'submission sub_1 (steady, service): queued (submitted)',
    '  attempts        ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ none yet',
    '  time            42 s',
  ]);
  expect(blockLines(after(changed('scoring', 'a\u001B[2J'), progressed(20)), now)).toEqual([
    'submission sub_1 (steady, service): scoring (a[2J)',
    '  attempts        ███████████████░░░░░░░░░░░░░░░ 20 of 40 attempts, 1 not evaluated',
    '  time            42 s',
  ]);
});

test('without a terminal there is a line for each state and for each tenth of the attempts', () => {
  const written: string[] = [];
  const display = makeProgressDisplay(makeSubmissionDrawing(submission()), { write: (text) => written.push(text) });
  const bodies = [
    changed('validating', ''),
    changed('scoring', 'valid'),
    progressed(1),
    progressed(4),
    progressed(5),
    over,
  ];
  for (const [index, body] of bodies.entries()) display.showEvent(event(index + 1, body));
  display.end();
  expect(written).toEqual([
    'submission sub_1 (steady, service): validating\n',
    'submission sub_1 (steady, service): scoring (valid)\n',
    'steady: 4 of 40 attempts, 1 not evaluated\n',
  ]);
});

/** An API that accepts a submission and returns these records of it. */
function submissionApi(end: Partial<SubmissionRecord>, claims: readonly Handler[] = []): Promise<FakeApi> {
  const ended = submission({ state: 'published', reason: 'scored', ...end });
  const events = [changed('validating', ''), changed(ended.state, ended.reason), over];
  let claimed = 0;
  return fakeApi((request, response, body) => {
    const url = request.url ?? '';
    if (url.endsWith('/events')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void response.end(framesOf(events.map((each, index) => event(index + 1, each))));
    }
    if (url === '/v1/attempts/claim')
      return claims[Math.min((claimed += 1), claims.length) - 1]?.(request, response, body);
    if (url.endsWith('/response')) return json({ evaluated: true, again: false })(request, response, body);
    return json(request.method === 'POST' ? submission() : ended, 202)(request, response, body);
  });
}

const bodyOf = (api: FakeApi): unknown => JSON.parse(api.requests[0]?.body ?? '');
const to = ['--leaderboard', 'lb_1', '--name', 'My agent'];

test('a model is submitted with its key from the environment and followed to the end', async () => {
  await using api = await submissionApi({});
  process.env['MY_MODEL_KEY'] = 'sk-secret';
  const words = [
    '--model',
    'm',
    '--base-url',
    'https://m.test/v1',
    '--model-key-env',
    'MY_MODEL_KEY',
    '--loop',
    'prompted-calling',
  ];
  const { lines } = await runVerb(api, 'submit', 'service', ...to, ...words, '--prompt-price', '2.5');
  delete process.env['MY_MODEL_KEY'];
  expect(bodyOf(api)).toEqual({
    leaderboard: 'lb_1',
    name: 'My agent',
    tier: 'service',
    agent: {
      loop: 'prompted-calling',
      model: 'm',
      endpoint: { baseUrl: 'https://m.test/v1', apiKey: 'sk-secret', promptPricePerMTok: 2.5 },
    },
  });
  expect(api.requests[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  expect(lines).toEqual([
    'sub_1',
    'submission sub_1 (steady, service): validating',
    'submission sub_1 (steady, service): published (scored)',
    `${api.url}/leaderboards/lb_1/entries/sub_1`,
  ]);
  expect(lines.join('')).not.toContain('sk-secret');
});

test.each<[string, readonly string[], string]>([
  ['a key without an endpoint', ['--model-key-env', 'HOME'], 'a key and prices belong to an endpoint'],
  ['prices without an endpoint', ['--prompt-price', '1'], 'a key and prices belong to an endpoint'],
  [
    'a variable that is not there',
    ['--base-url', 'http://m', '--model-key-env', 'NO_SUCH_KEY'],
    'the environment has no NO_SUCH_KEY',
  ],
  ['two ways', ['--model-key-env', 'HOME', '--model-key-stdin'], 'give one of --model-key-env and --model-key-stdin'],
])('%s is refused before anything is submitted', async (_, words, why) => {
  await using api = await submissionApi({});
  await expect(runVerb(api, 'submit', 'service', ...to, '--model', 'm', ...words)).rejects.toThrow(why);
  expect(api.requests).toHaveLength(0);
});

test('a key can be read from standard input instead of the command line', async () => {
  await using api = await submissionApi({});
  const words = ['submit', 'service', ...to, '--model', 'm', '--base-url', 'http://m', '--model-key-stdin', '--detach'];
  const cli = spawn(process.execPath, [join(import.meta.dirname, '../../client/cli.ts'), ...words], {
    env: { ...process.env, SEXTANT_URL: api.url, SEXTANT_KEY: 'key' },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  cli.stdin.end('sk-secret\n');
  expect(await new Promise((resolve) => cli.once('exit', resolve))).toBe(0);
  expect(bodyOf(api)).toMatchObject({ agent: { endpoint: { baseUrl: 'http://m', apiKey: 'sk-secret' } } });
});

test('an invisible name is refused', () => {
  expect(() =>
    parseLineToVerbOrHelp(['submit', 'gateway', '--leaderboard', 'lb_1', '--name', '\u200B'], program),
  ).toThrow('at least one visible character');
});

test('a rejected submission ends with its findings, and fails', async () => {
  const findings = [{ kind: 'missing-unit', where: 'u_1', message: 'it\u001B was not tried' } as const];
  await using api = await submissionApi({ state: 'rejected', reason: 'rules were broken', findings });
  const said = runVerb(api, 'submit', 'service', ...to, '--model', 'm');
  await expect(said).rejects.toThrow('submission sub_1 is rejected: rules were broken');
  await using again = await submissionApi({ state: 'rejected', findings });
  const shown = await runVerb(again, 'submissions', 'show', 'sub_1');
  expect(shown.lines).toContain('  missing-unit at u_1: it was not tried');
});

/** An API whose submission waits for a moderator: its event stream continues. `later` is its record after the first read. */
async function moderatedApi(later: readonly EventBody[] = []): Promise<FakeApi> {
  const waiting = changed('moderation', 'suspicious');
  const events = [changed('scoring', 'valid'), waiting, ...later].map((body, index) => event(index + 1, body));
  const state = later.length === 0 ? 'moderation' : 'published';
  return fakeApi((request, response, body) => {
    if (!(request.url ?? '').endsWith('/events')) {
      const reason = state === 'moderation' ? 'suspicious' : 'a moderator decided: fine';
      return json(submission({ state, reason }), 202)(request, response, body);
    }
    const frames = framesOf(events);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (state === 'moderation') return void response.write(frames.slice(0, frames.indexOf('event: end')));
    return void response.end(frames);
  });
}

const traceFile = async (): Promise<string> => {
  const file = join(await mkdtemp(join(tmpdir(), 'sextant-submit-')), 'traces.jsonl');
  await writeFile(file, '{"type":"traces"}\n');
  return file;
};

test.each<[string, (file: string) => readonly string[]]>([
  ['submissions watch', () => ['sub_1']],
  ['watch', () => ['sub_1']],
  ['submit service', () => [...to, '--model', 'm']],
  ['submit traces', (file) => [file, ...to]],
])('%s ends with its own exit code if a moderator must decide', async (verb, words) => {
  await using api = await moderatedApi();
  const file = await traceFile();
  for (const form of [[], ['--json']]) {
    const error: unknown = await runVerb(api, ...verb.split(' '), ...words(file), ...form).catch(
      (thrown: unknown) => thrown,
    );
    expect(errorText(error)).toBe(
      'submission sub_1 is in moderation: suspicious; a moderator decides, look again with: submissions show sub_1',
    );
    expect(exitCodeFor(error)).toBe(3);
  }
});

test('a past moderation does not end the watching', async () => {
  await using api = await moderatedApi([changed('published', 'a moderator decided: fine'), over]);
  const { lines } = await runVerb(api, 'submissions', 'watch', 'sub_1');
  expect(lines).toEqual([
    'submission sub_1 (steady, service): scoring (valid)',
    'submission sub_1 (steady, service): moderation (suspicious)',
    'submission sub_1 (steady, service): published (a moderator decided: fine)',
    `${api.url}/leaderboards/lb_1/entries/sub_1`,
  ]);
});

test('the help says what ends the watching and what happens to attempts on Ctrl-C', () => {
  const helpFor = (...words: readonly string[]): string => {
    const request = parseLineToVerbOrHelp([...words, '--help'], program);
    if (request.kind !== 'help') throw new Error('no help');
    return programOrVerbHelpText('sextant', '', program, request.commands);
  };
  for (const verb of ['submit service', 'submit gateway', 'submit traces', 'submissions watch'])
    expect(helpFor(...verb.split(' '))).toMatch(/3 where a moderator|moderator has to decide, [^:]*: exit code 3/);
  for (const verb of ['attempts run', 'submit gateway'])
    expect(helpFor(...verb.split(' '))).toMatch(/an attempt is had once/i);
});

test('watch accepts every kind of run and refuses other ids', async () => {
  await using api = await fakeApi(json({}));
  for (const id of ['bm_1', 'lb_1', 'steady', 'evl_1/evolutions/1'])
    for (const verb of ['watch', 'pause'])
      await expect(runVerb(api, verb, id)).rejects.toThrow(`"${id}" is no id of a run`);
  await expect(runVerb(api, 'cancel', 'sub_1')).rejects.toThrow('"sub_1" is no id of a run');
  expect(api.requests).toHaveLength(0);
});

test('with --json the submission, its events and its final state are printed', async () => {
  await using api = await submissionApi({});
  const { lines } = await runVerb(api, 'submissions', 'watch', 'sub_1', '--json');
  const values = lines.map((line): unknown => JSON.parse(line));
  expect(values).toHaveLength(4);
  expect(values.at(-1)).toMatchObject({ id: 'sub_1', state: 'published' });
});

test("the attempts of an agent of one's own are made, and then its submission is followed", async () => {
  const attempt = {
    id: 'att_1',
    request: 'Add.',
    mcp: { url: 'http://g/mcp', headers: { Authorization: 'Bearer t' } },
    deadline: new Date(Date.now() + 60_000).toISOString(),
  };
  await using api = await submissionApi({ tier: 'gateway' }, [
    json({ status: 'wait', retryAfterMs: 5 }),
    json({ status: 'claimed', attempt }),
    json({ status: 'finished' }),
  ]);
  const { lines } = await runVerb(api, 'submit', 'gateway', ...to, '--command', 'echo hi', '--benchmark', 'bm_1');
  expect(bodyOf(api)).toEqual({ leaderboard: 'lb_1', benchmark: 'bm_1', name: 'My agent', tier: 'gateway' });
  const claims = api.requests.filter(({ line }) => line === 'POST /v1/attempts/claim');
  expect(claims.map(({ body }) => body)).toEqual([1, 2, 3].map(() => '{"submission":"sub_1"}'));
  expect(api.requests.find(({ line }) => line.endsWith('/response'))?.body).toBe('{"response":"hi"}');
  expect(lines[2]).toBe('1 attempt, 1 answered');
  expect(lines.at(-1)).toContain('/entries/sub_1');
});

test('attempts of a submission can be continued, and an evaluation needs the name of its agent', async () => {
  await using api = await submissionApi({}, [json({ status: 'finished' })]);
  await runVerb(api, 'attempts', 'run', 'sub_1', '--command', 'true');
  expect(bodyOf(api)).toEqual({ submission: 'sub_1' });
  const wrong = (...words: readonly string[]) => runVerb(api, 'attempts', 'run', ...words, '--command', 'true');
  await expect(wrong('evl_1')).rejects.toThrow('--agent NAME is missing');
  await expect(wrong('sub_1', '--agent', 'a')).rejects.toThrow('leave --agent out');
});

test('a trace file is uploaded unchanged, and --detach does not wait', async () => {
  const file = await traceFile();
  await using api = await submissionApi({});
  const { lines, notes } = await runVerb(api, 'submit', 'traces', file, ...to, '--detach');
  expect(lines).toEqual(['sub_1']);
  expect(notes).toBe('next: npm run sextant -- watch sub_1\n');
  expect(api.requests).toHaveLength(1);
  expect(api.requests[0]).toMatchObject({
    line: 'POST /v1/submissions/upload?leaderboard=lb_1&name=My+agent',
    body: '{"type":"traces"}\n',
    headers: { 'content-type': 'text/jsonl', 'idempotency-key': expect.any(String) },
  });
});

test('submissions can be withdrawn and moderated', async () => {
  await using api = await fakeApi(
    json(submission({ state: 'withdrawn' })),
    json(submission({ state: 'hidden', reason: 'a copy' })),
    json({ items: [{ id: 'sub_1', createdAt: 'then' }], nextCursor: null }),
    json(submission({ name: 'careful', state: 'published' })),
    json({}),
  );
  expect((await runVerb(api, 'submissions', 'withdraw', 'sub_1')).lines).toEqual(['sub_1 is withdrawn']);
  const hidden = await runVerb(api, 'submissions', 'moderate', 'sub_1', 'hide', '--reason', 'a copy');
  expect(hidden.lines).toEqual(['sub_1 is hidden: a copy']);
  expect((await runVerb(api, 'submissions', 'list')).lines[1]).toMatch(/^sub_1 +careful +published /);
  expect(api.requests.slice(0, 2).map(({ line, body }) => [line, JSON.parse(body)])).toEqual([
    ['POST /v1/submissions/sub_1/withdraw', {}],
    ['POST /v1/submissions/sub_1/moderate', { action: 'hide', reason: 'a copy' }],
  ]);
  await expect(runVerb(api, 'submissions', 'moderate', 'sub_1', 'burn', '--reason', 'x')).rejects.toThrow(
    '"burn" is no decision; give one of publish, reject, hide, show',
  );
});
