import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findApiAddressAndKey } from '../../client/http/access.ts';
import { createClient } from '../../client/client.ts';
import { programOrVerbHelpText } from '../../client/command-line/help.ts';
import { widthOf } from '../../client/command-line/text.ts';
import { parseLineToVerbOrHelp } from '../../client/command-line/parse-line.ts';
import { entryLines, metricText, rankedLines } from '../../client/display/leaderboard-table.ts';
import { program } from '../../client/program.ts';
import { entry, entryPlace, leaderboard, rankedEntry } from './board-records.ts';
import { fakeApi, json, problem, type Handler } from './fake-api.ts';
import { summary } from './records.ts';
import { runVerb } from './run-verb.ts';

const text =
  (body: string, type = 'text/jsonl'): Handler =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': type }).end(body);

const ranked = [
  rankedEntry(1, { name: 'best', costUsd: 0.0123 }),
  rankedEntry(2, { name: 'evil\u001B[2J\u202Ename', tier: 'gateway', costUsd: null }),
  rankedEntry(3, { name: 'third', tier: 'self-reported', costUsd: 0 }, 2),
];

test('the ranked table shows ties, tiers and the front, and no name can control the terminal', () => {
  const lines = rankedLines(ranked, { protocol: 'sgvef', width: 200 });
  expect(lines).toEqual([
    'rank  name         tier           success            chain              MTC                TCS                cost     front',
    '1     best         service        0.80 [0.75, 0.85]  0.50 [0.45, 0.55]  0.70 [0.65, 0.75]  0.90 [0.85, 0.95]  $0.0123  *',
    '2=    evil[2Jname  gateway        0.80 [0.75, 0.85]  0.50 [0.45, 0.55]  0.70 [0.65, 0.75]  0.90 [0.85, 0.95]  unknown',
    '2=    third        self-reported  0.80 [0.75, 0.85]  0.50 [0.45, 0.55]  0.70 [0.65, 0.75]  0.90 [0.85, 0.95]  $0',
  ]);
});

test('an entry that shares its rank with the next page is marked as tied', () => {
  const [first, second, third] = ranked;
  if (first === undefined || second === undefined) throw new Error('too few');
  expect(rankedLines([first, second], { protocol: 'sgvef', width: 200, next: third })[2]).toMatch(/^2= /);
  expect(rankedLines([first, second], { protocol: 'sgvef', width: 200 })[2]).toMatch(/^2 /);
});

test.each([
  [76, 'success'],
  [76, 'pass-hat-4'],
  [110, 'success'],
  [200, 'pass-hat-4'],
] as const)('no line is too wide in %i columns, by %s', (width, metric) => {
  const long = ranked.map((each) => ({ ...each, entry: { ...each.entry, name: '谱'.repeat(80) } }));
  const lines = rankedLines(long, { protocol: 'sgvef', width, metric });
  expect(lines.filter((line) => widthOf(line) > width)).toEqual([]);
  for (const title of ['success', 'chain', 'MTC', 'TCS', 'cost', 'tier', metric === 'success' ? metric : 'pass^4'])
    expect(lines.filter((line) => line.startsWith('rank')).join(' ')).toContain(title);
});

test('another metric gets its own column', () => {
  const [head, first] = rankedLines(ranked, { protocol: 'sgvef', width: 200, metric: 'duration' });
  expect(head).toMatch(/tier +duration +success/);
  expect(first).toContain(' 0.9 s ');
});

test.each([
  ['success', '0.80 [0.75, 0.85]'],
  ['execution', '0.80 [0.75, 0.85]'],
  ['pass-hat-4', 'none'],
  ['ecg', '-0.13 [-0.17, -0.07], |ECG| 0.20'],
  ['cost', '$0.0125'],
  ['tokens', '617'],
  ['duration', '0.9 s'],
] as const)('the figure %s of an entry is printed as %s', (metric, shown) => {
  expect(metricText(metric, entry())).toBe(shown);
});

test('a cost by prices that the submitter declared is marked', () => {
  expect(metricText('cost', entry({ priceSource: undefined }))).toBe('~$0.0125');
});

test("an entry's rank is explained, with its private figures", () => {
  const gap = { difference: 0.1, low: 0.02, high: 0.18 };
  const none = { difference: null, low: null, high: null };
  const hidden = {
    units: 5,
    attempts: 10,
    notEvaluated: 0,
    scores: { ...entry().scores, execution: summary(0.7) },
    gap: { execution: gap, mtc: none, tcs: none, success: none },
  };
  const domains = [
    { name: 'food', units: 4, success: summary(0.6), execution: summary(0.6), mtc: summary(0.6), tcs: summary(0.6) },
  ];
  const lines = entryLines({ entry: entry({ private: hidden, domains }), place: entryPlace() }, 120);
  expect(lines.slice(0, 6)).toEqual([
    'steady: rank 2 in the tier service by success, position 3 of 5',
    '  against other -0.010 [-0.050, +0.030] over 60 units: cannot be told apart',
    '  against best -0.200 [-0.250, -0.150] over 60 units: the rank above',
    '  10 public units, 1 trial each: 20 attempts, 0 not evaluated',
    '  function-calling, model m',
    '  limits: turns 20',
  ]);
  expect(lines).toContain(
    'execution    0.80 [0.75, 0.85]                 0.70 [0.65, 0.75]                 +0.100 [+0.020, +0.180]',
  );
  expect(lines.some((line) => /^food +4 +0\.60 \[0\.55, 0\.65\]/.test(line))).toBe(true);
  const alone = entryLines({ entry: entry(), place: entryPlace({ leader: null, above: null, onFront: true }) }, 120);
  expect(alone.slice(0, 2)).toEqual([
    'steady: rank 2 in the tier service by success, position 3 of 5, on the front of cost and success',
    '  leads its rank',
  ]);
});

test('an entry shows its agent, its prices and its number of repeated attempts', () => {
  const prices = { promptPricePerMTok: 2, completionPricePerMTok: 8.5 };
  const configuration = { loop: 'external', model: null, limits: { timeMs: 600_000, strict: true }, prices };
  const lines = entryLines({ entry: entry({ configuration, relaunched: 3 }), place: entryPlace() }, 120);
  expect(lines.slice(3, 6)).toEqual([
    '  10 public units, 1 trial each: 20 attempts, 0 not evaluated, 3 relaunched',
    '  external, its model is not known to the service',
    '  limits: timeMs 600000, strict true',
  ]);
  expect(lines.find((line) => line.startsWith('cost'))).toMatch(
    /^cost +\$0\.0125 .*\$2 \/ \$8\.5 for a million tokens, from the list \(2026-04-01\)$/,
  );
  const without = entryLines({ entry: entry({ relaunched: 0 }), place: entryPlace() }, 120).join('\n');
  expect(without).not.toMatch(/relaunched|million|named/);
});

test('names in an uploaded configuration cannot control the terminal', () => {
  const configuration = { loop: 'a\u001B[2J', model: 'b\u001B[2J', limits: { 'c\u001B[2J': 1 } };
  const lines = entryLines({ entry: entry({ configuration }), place: entryPlace() }, 120);
  expect(lines.slice(4, 6)).toEqual(['  a[2J, model b[2J', '  limits: c[2J 1']);
});

test('the public signing key is readable without a key', async () => {
  await using api = await fakeApi(json({ algorithm: 'Ed25519', publicKey: 'abc=', retired: [] }));
  expect((await runVerb(api, 'leaderboard', 'key')).lines).toEqual(['abc=']);
  expect((await runVerb(api, 'leaderboard', 'key', '--json')).lines).toEqual([
    '{"algorithm":"Ed25519","publicKey":"abc=","retired":[]}',
  ]);
  expect(api.requests[0]?.line).toBe('GET /v1/signing-key');
  expect(program.commands.find(({ verb }) => verb === 'leaderboard key')?.open).toBe(true);
});

test('a leaderboard is read from one page with its name, and offline models are named as such', async () => {
  await using api = await fakeApi(json(leaderboard()), json({ items: ranked, nextCursor: 'c', total: 3 }));
  const { lines } = await runVerb(api, 'leaderboard', 'show', 'lb_1', '--by', 'pass-hat-4', '--limit', '2');
  expect(api.requests.map(({ line }) => line)).toEqual([
    'GET /v1/leaderboards/lb_1',
    'GET /v1/leaderboards/lb_1/entries?tier=service&metric=pass-hat-4&limit=3',
  ]);
  expect(lines[0]).toBe('Board, bm_1');
  expect(lines[2]).toBe('Tier service, 3 in all:');
  expect(lines.slice(4, 6).map((line) => line.slice(0, 10))).toEqual(['1     best', '2=    evil']);
  expect(lines.join('\n')).not.toContain('third');
  expect(lines.join('\n')).toContain('The first 2 of 3');
  expect(lines.at(-2)).toContain('no evidence about models');
  expect(lines.at(-1)).toMatch(/^http:.*\/leaderboards\/lb_1$/);
});

test('with --json each entry is a line', async () => {
  await using api = await fakeApi(json(leaderboard()), json({ items: ranked, nextCursor: null, total: 3 }));
  const { lines } = await runVerb(api, 'leaderboard', 'show', 'lb_1', '--json');
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual(ranked);
  expect(() => parseLineToVerbOrHelp(['leaderboard', 'show', 'lb_1', '--by', 'beauty'], program)).toThrow(
    'give one of success, outcome, overall, disturbed, withstood, pass-hat-4',
  );
});

test('tiers with entries are shown one after another, or only one of them', async () => {
  const entries = { service: 0, gateway: 1, 'self-reported': 1 };
  const answers = ['gateway', 'self-reported'].map((name) =>
    json({ items: [rankedEntry(1, { name })], nextCursor: null, total: 1 }),
  );
  await using api = await fakeApi(json(leaderboard({ entries })), ...answers);
  const { lines } = await runVerb(api, 'leaderboard', 'show', 'lb_1');
  expect(lines.flatMap((line) => /^Tier [a-z-]+|^1 +[a-z-]+/.exec(line)?.[0].replace(/ +/, ' ') ?? [])).toEqual([
    'Tier gateway',
    '1 gateway',
    'Tier self-reported',
    '1 self-reported',
  ]);
  await using other = await fakeApi(json(leaderboard({ entries })), json({ items: [], nextCursor: null, total: 0 }));
  await runVerb(other, 'leaderboard', 'show', 'lb_1', '--tier', 'self-reported');
  expect(other.requests[1]?.line).toContain('entries?tier=self-reported');
  expect(other.requests).toHaveLength(2);
});

test('an empty leaderboard says so', async () => {
  await using api = await fakeApi(json(leaderboard({ entries: { service: 0, gateway: 0, 'self-reported': 0 } })));
  expect((await runVerb(api, 'leaderboard', 'show', 'lb_1')).notes).toContain('nothing is published here yet');
});

test('a leaderboard can be created and listed', async () => {
  const items = [
    { ...leaderboard(), entries: 1_200, submissions: 3_000 },
    { ...leaderboard(), entries: null, submissions: null },
  ];
  await using api = await fakeApi(json(leaderboard()), json({ items, nextCursor: null }));
  const words = ['--benchmark', 'bm_1', '--name', 'Board', '--trials', '1'];
  const { lines } = await runVerb(api, 'leaderboard', 'create', ...words);
  expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual({ benchmark: 'bm_1', name: 'Board', trials: 1 });
  expect(lines).toEqual([`lb_1: ${api.url}/leaderboards/lb_1`]);
  const listed = (await runVerb(api, 'leaderboard', 'list')).lines;
  expect(listed[0]).toMatch(/^id +name +benchmark +protocol +entries +submissions +created$/);
  expect(listed[1]).toMatch(/^lb_1 {2}Board {2}bm_1 {7}sgvef +1,200 +3,000 /);
  expect(listed[2]).toMatch(/^lb_1 +Board +bm_1 +sgvef +– +– /);
});

test('an entry is shown with its rank and its history', async () => {
  const found = { entry: entry(), place: entryPlace({ metric: 'pass-hat-4' }) };
  await using api = await fakeApi(json(found));
  const { lines } = await runVerb(api, 'leaderboard', 'entry', 'lb_1', 'sub_1', '--by', 'pass-hat-4');
  expect(api.requests[0]?.line).toBe('GET /v1/leaderboards/lb_1/entries/sub_1?metric=pass-hat-4');
  expect(lines[0]).toContain('rank 2 in the tier service by pass^4');
});

test('exports, the log, a record and traces are written as complete files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sextant-boards-'));
  await using api = await fakeApi(text('a,b\n', 'text/csv'), text('{"n":1}\n'), text('{"type":"traces"}\n'));
  const written = async (file: string, ...words: readonly string[]) => {
    const said = await runVerb(api, ...words, '--out', join(folder, file), '--json');
    return [await readFile(join(folder, file), 'utf8'), JSON.parse(said.lines[0] ?? '')];
  };
  expect(await written('e', 'leaderboard', 'export', 'lb_1', '--format', 'csv')).toEqual([
    'a,b\n',
    { leaderboard: 'lb_1', file: join(folder, 'e') },
  ]);
  expect((await written('l', 'leaderboard', 'log', 'lb_1'))[0]).toBe('{"n":1}\n');
  expect((await written('t', 'leaderboard', 'traces', 'lb_1', 'sub_1'))[0]).toBe('{"type":"traces"}\n');
  expect((await written('x', 'traces', 'evl_1', '--agent', 'steady'))[0]).toBe('{"type":"traces"}\n');
  expect(api.requests.map(({ line }) => line)).toEqual([
    'GET /v1/leaderboards/lb_1/export?format=csv',
    'GET /v1/leaderboards/lb_1/log',
    'GET /v1/leaderboards/lb_1/entries/sub_1/traces',
    'GET /v1/evaluations/evl_1/traces?agent=steady',
  ]);
  await using other = await fakeApi(text('{"n":1}\n'));
  expect((await runVerb(other, 'leaderboard', 'log', 'lb_1')).lines).toEqual(['{"n":1}']);
});

test('a client can read everything else of a leaderboard', async () => {
  const past = { leaderboard: 'lb_0', benchmark: 'bm_0', entry: entry({ benchmark: 'bm_0' }) };
  const key = { algorithm: 'Ed25519', publicKey: 'abc', retired: [{ publicKey: 'abb', until: '2026-12-31' }] };
  await using api = await fakeApi(
    json({ items: [past] }),
    json({ items: [entry()] }),
    json(key),
    text('<svg/>', 'image/svg+xml'),
  );
  const { leaderboards } = createClient({ url: api.url, key: '' });
  expect(await leaderboards.history('lb_1', 'sub_1')).toEqual([past]);
  expect(await leaderboards.front('lb_1')).toEqual([entry()]);
  expect(await leaderboards.signingKey()).toEqual(key);
  expect(await leaderboards.badge('lb_1', 'sub_1')).toBe('<svg/>');
  expect(api.requests.map(({ line }) => line)).toEqual([
    'GET /v1/leaderboards/lb_1/entries/sub_1/history',
    'GET /v1/leaderboards/lb_1/front',
    'GET /v1/signing-key',
    'GET /v1/leaderboards/lb_1/entries/sub_1/badge.svg',
  ]);
  expect(api.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
});

test('an entry that is no longer published shows the reason', async () => {
  await using api = await fakeApi(problem(410, 'entry-gone'));
  await expect(runVerb(api, 'leaderboard', 'entry', 'lb_1', 'sub_1')).rejects.toMatchObject({ code: 'entry-gone' });
});

test('submissions are listed for moderators', async () => {
  const item = { id: 'sub_1', name: 'steady', tier: 'gateway', state: 'moderation', createdAt: 'then' };
  await using api = await fakeApi(json({ items: [item], nextCursor: null }));
  const { lines } = await runVerb(api, 'leaderboard', 'submissions', 'lb_1', '--state', 'moderation');
  expect(api.requests[0]?.line).toBe('GET /v1/leaderboards/lb_1/submissions?state=moderation');
  expect(lines[1]).toBe('sub_1  steady  gateway  moderation  then');
});

test('public data needs no key', () => {
  const verb = (...words: readonly string[]) => program.commands.find(({ verb }) => verb === words.join(' '))?.open;
  const elsewhere = { url: 'https://sextant.test', key: undefined };
  expect([verb('leaderboard', 'show'), verb('verify'), verb('leaderboard', 'create')]).toEqual([true, true, undefined]);
  expect(findApiAddressAndKey(elsewhere, {}, true)).toEqual({ url: 'https://sextant.test', key: '' });
  expect(() => findApiAddressAndKey(elsewhere, {}, false)).toThrow('no key');
});

test('--key of verify is the public key, and its help mentions no other key', () => {
  const request = parseLineToVerbOrHelp(['verify', '--help'], program);
  if (request.kind !== 'help') throw new Error('no help');
  const help = programOrVerbHelpText('sextant', '', program, request.commands);
  expect(help.match(/--key /g)).toHaveLength(1);
  expect(help).toContain("--key BASE64      the service's public key");
  expect(help).toContain('The public key comes from "leaderboard key"');
});
