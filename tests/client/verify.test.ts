import { listRecomputableScorers } from '#core/leaderboards/scorers.ts';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { logOf, boardFiles, digested, linesText, sealOf, seeds, written, type BoardFiles } from './board-files.ts';
import { hashRecord } from '#core/leaderboards/log-lines.ts';
import { signRecord, makeSigningKeyFromSeed } from '#core/leaderboards/signature.ts';
import { Output } from '../../client/command-line/output.ts';
import { parseLineToVerbOrHelp } from '../../client/command-line/parse-line.ts';
import { createClient } from '../../client/client.ts';
import { program } from '../../client/program.ts';

interface Texts {
  readonly record: string;
  readonly traces: string;
  readonly log: string;
  readonly benchmark: string;
}

const tracesOf = ({ header, attempts, seal }: Pick<BoardFiles, 'header' | 'attempts' | 'seal'>): string =>
  linesText([header, ...attempts, seal]);

const files = await boardFiles();
const whole: Texts = {
  record: JSON.stringify(files.record, null, 2),
  traces: tracesOf(files),
  log: linesText(files.log),
  benchmark: linesText(files.benchmark),
};
const { publicKey } = files.record;

const report = z.object({
  kind: z.string(),
  holds: z.boolean(),
  checks: z.array(z.object({ about: z.string(), outcome: z.string(), detail: z.string() })),
});

/** Runs the verb without a service; `error` is what it threw. */
async function verify(...words: readonly string[]) {
  const request = parseLineToVerbOrHelp(['verify', ...words], program);
  if (request.kind === 'help') throw new Error('no verb');
  const out: string[] = [];
  const sink = { columns: 250, write: (text: string) => out.push(text) };
  const output = new Output(words.includes('--json'), sink, sink);
  const client = createClient({ url: 'http://127.0.0.1:1', key: '', retries: 0 });
  const error = await request.command
    .run(request.given, { isServiceNamed: true, client, output, signal: new AbortController().signal })
    .then(() => null)
    .catch((thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)));
  return { lines: out.join('').trimEnd().split('\n'), error };
}

/** Verifies the record with all files, of which some are others. */
async function verifyAll(changes: Partial<Texts> = {}, key = publicKey) {
  const at = await written({ ...whole, ...changes });
  const options = ['--key', key, '--traces', at.traces, '--log', at.log, '--benchmark', at.benchmark];
  return verify(at.record, ...options);
}

const signedBy = async (record: BoardFiles['record']['record'], seed = 0): Promise<string> =>
  JSON.stringify(await signRecord(record, await makeSigningKeyFromSeed(seeds[seed] ?? '')));

test('a consistent set of files passes, and what cannot be checked is listed', async () => {
  const { lines, error } = await verifyAll();
  expect(error).toBeNull();
  expect(lines[0]).toMatch(/record: a signed record of steady \(service\), entry sub_1 of lb_1$/);
  const rows = lines.slice(1).map((line) => [line.slice(2, 15).trim(), line.slice(15, 35).trim()]);
  expect(rows).toEqual([
    ['ok', 'signature'],
    ['ok', 'key'],
    ['ok', 'log'],
    ['not checked', 'end of the log'],
    ['ok', 'record in the log'],
    ['ok', 'place in the log'],
    ['ok', 'traces'],
    ['ok', 'seal'],
    ['ok', 'attempts'],
    ['ok', 'benchmark'],
    ['ok', 'protocol'],
    ['ok', 'catalog'],
    ['ok', 'weights'],
    ['ok', 'trials'],
    ['ok', 'configuration'],
    ['ok', 'units'],
    ['ok', 'catalog'],
    ['not checked', 'benchmark'],
    ['ok', 'coverage'],
    ['ok', 'units'],
    ['ok', 'attempts'],
    ['ok', 'not evaluated'],
    ['ok', 'relaunched'],
    ...listRecomputableScorers('sgvef').map(({ key, title }) => [
      record.entry.scores[key] === undefined ? 'not checked' : 'ok',
      title,
    ]),
    ['ok', 'domains'],
    ['ok', 'durations'],
    ['ok', 'cost and tokens'],
    ['not checked', 'grades'],
  ]);
});

test('the figures are recomputed from the traces', async () => {
  const { lines } = await verifyAll();
  const said = lines.flatMap(
    (line) => /ok +(execution|[A-Z]+) +([\d.]+ \[.*?\] over \d units)/.exec(line)?.slice(1, 3).join(' ') ?? [],
  );
  expect(said).toEqual([
    'execution 0.562500 [0.000000, 1.000000] over 3 units',
    'MTC 0.750000 [0.500000, 1.000000] over 2 units',
    'TCS 0.625000 [0.000000, 1.000000] over 3 units',
    'TFD 0.125000 [0.000000, 0.250000] over 2 units',
  ]);
});

test('a cost that does not follow from the tokens is found', async () => {
  const { record } = files.record;
  const cheaper = await signedBy({ ...record, entry: { ...record.entry, costUsd: 0.0001 } });
  const { lines } = await verifyAll({ record: cheaper });
  expect(lines.find((line) => line.includes('cost and tokens'))).toMatch(
    /BROKEN.*the record has \$0\.000100 and 128 tokens an attempt, the traces give \$0\.000327/,
  );
});

test('text in a file cannot control the terminal', async () => {
  const evil = '\u001b[2Jok\u202e';
  const { record } = files.record;
  const entry = { ...record.entry, id: `sub${evil}`, leaderboard: `lb${evil}`, name: `n${evil}` };
  const signedSo = await signedBy({ ...record, entry, logBefore: evil });
  const log = await logOf([
    {
      kind: 'published',
      entry: evil,
      name: evil,
      record: await hashRecord({ ...record, entry, logBefore: evil }),
      reason: evil,
    },
  ]);
  const { lines, error } = await verifyAll({ record: signedSo, log: linesText(log) });
  expect(lines[0]).toMatch(/of n\[2Jok \(service\), entry sub\[2Jok of lb\[2Jok$/);
  for (const text of [...lines, error ?? '']) expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  const foreign = { ...files.record, record: { ...record, entry }, publicKey: `${evil}AAAA` };
  const refused = await verifyAll({ record: JSON.stringify(foreign) });
  for (const text of [...refused.lines, refused.error ?? '']) expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test('for a record alone its key is shown for comparison, and nothing else counts as checked', async () => {
  const at = await written(whole);
  const { lines, error } = await verify(at.record, '--json');
  expect(error).toBeNull();
  const found = report.parse(JSON.parse(lines.join('')));
  expect([found.kind, found.holds]).toEqual(['record', true]);
  expect(found.checks.map(({ about, outcome }) => `${about}: ${outcome}`)).toEqual([
    'signature: holds',
    'key: unchecked',
    'log: unchecked',
    'traces: unchecked',
  ]);
  expect(found.checks[1]?.detail).toContain(publicKey);
});

test('a record with a duplicate key is refused, because readers may see another value than was signed', async () => {
  const [before = '', after = ''] = JSON.stringify(files.record).split('"entry":{', 2);
  for (const key of ['"name":"Evil",', '"n\\u0061me":"Evil",']) {
    const text = `${before}"entry":{${key}${JSON.stringify(files.record).slice(before.length + '"entry":{'.length)}`;
    expect(JSON.parse(text)).toEqual(files.record);
    expect(after).not.toBe('');
    const at = await written({ ...whole, record: text });
    const { lines, error } = await verify(at.record);
    expect(error).not.toBeNull();
    expect(lines.join('\n')).toContain('it has the key "name" twice in one object');
  }
});

test('a record signed with an earlier key passes if both keys are given', async () => {
  const present = (await makeSigningKeyFromSeed(seeds[1] ?? '')).publicKey;
  expect(present).not.toBe(publicKey);
  const at = await written(whole);
  expect((await verify(at.record, '--key', `${present},${publicKey}`)).error).toBeNull();
  expect((await verify(at.record, '--key', present)).error).not.toBeNull();
  await expect(verify(at.record, '--key', `${present},nonsense`)).rejects.toThrow('base64');
});

const { record } = files.record;
const better = changed(record.entry.scores.tcs, { mean: 0.99 });
const betterRecord = { ...record, entry: { ...record.entry, scores: { ...record.entry.scores, tcs: better } } };
const [first, second, third, ...rest] = files.attempts;
if (first === undefined || second === undefined || third === undefined) throw new Error('too few attempts');
const other = `${publicKey.startsWith('A') ? 'B' : 'A'}${publicKey.slice(1)}`;

test.each<[string, Partial<Texts>, string]>([
  [
    'a score of the record',
    { record: JSON.stringify({ ...files.record, record: betterRecord }) },
    'signature: the record is not what the holder of its key signed: record, signature or key was changed',
  ],
  [
    'a field that this version does not know, in the record',
    { record: JSON.stringify({ ...files.record, record: { ...record, entry: { ...record.entry, note: 'x' } } }) },
    'signature: the record is not',
  ],
  ['the signature', { record: JSON.stringify({ ...files.record, signature: 'AAAA' }) }, 'signature: the record is not'],
  ['the public key', { record: JSON.stringify({ ...files.record, publicKey: other }) }, 'signature: the record is not'],
  [
    'a record signed anew with another key',
    { record: await signedBy(betterRecord, 1) },
    'key: the record was signed with',
  ],
  [
    'a record of the holder of the key, that was never published',
    { record: await signedBy(betterRecord) },
    'record in the log: no line of the log publishes this record',
  ],
  [
    'a call',
    {
      traces: tracesOf({
        ...files,
        attempts: [
          {
            ...first,
            trace: { ...first.trace, steps: first.trace.steps.map((each) => ({ ...each, tool: 'fruit/plum' })) },
          },
          { ...second, trace: { ...second.trace, finalText: 'other' } },
          third,
          ...rest,
        ],
      }),
    },
    'digest is not of what it says: the attempt was changed',
  ],
  [
    'a stated score',
    { traces: tracesOf({ ...files, attempts: [{ ...first, scores: { tcs: 1, tfd: 1 } }, second, third, ...rest] }) },
    'traces: line 2: its digest is not of what it says',
  ],
  [
    'a field that nobody knows, in a trace',
    { traces: whole.traces.replace('"turns":1', '"turns":1,"zzz":1') },
    'traces: line 2: its digest is not of what it says',
  ],
  [
    'a line that was removed',
    { traces: tracesOf({ ...files, attempts: [first, third, ...rest] }) },
    'traces: line 7: the seal is of 6 attempts, and 5 stand before it: lines were removed or added',
  ],
  [
    'lines that were swapped',
    { traces: tracesOf({ ...files, attempts: [second, first, third, ...rest] }) },
    'traces: line 3: it stands out of order',
  ],
  [
    'a line that stands twice',
    { traces: tracesOf({ ...files, attempts: [first, first, second, third, ...rest] }) },
    'traces: line 3: the same attempt stands in the line before',
  ],
  [
    'the seal',
    { traces: tracesOf({ ...files, seal: { ...files.seal, sha256: 'f'.repeat(64) } }) },
    'traces: line 8: the seal is not of the lines before it',
  ],
  [
    'traces without a seal',
    { traces: linesText([files.header, ...files.attempts]) },
    'traces: line 8: the seal is missing',
  ],
  ['a line behind the seal', { traces: `${whole.traces}{}\n` }, 'traces: line 9: it stands after the seal'],
  [
    'the header',
    { traces: tracesOf({ ...files, header: { ...files.header, seed: 2 } }) },
    'traces: line 8: the seal is not of the lines before it',
  ],
  [
    'traces without a header',
    { traces: linesText([...files.attempts, files.seal]) },
    'traces: line 1: it is no header',
  ],
  [
    'a line of the log that was removed',
    { log: linesText(files.log.filter(({ n }) => n !== 2)) },
    'log: line 2: it is number 3; number 2 is missing',
  ],
  [
    'a line of the log that was changed',
    { log: linesText(files.log.map((line) => (line.n === 2 ? { ...line, name: 'x' } : line))) },
    'log: line 2: its hash does not follow from the line before',
  ],
  [
    'a field that nobody knows, in the log',
    { log: linesText(files.log.map((line) => (line.n === 2 ? { ...line, zzz: 1 } : line))) },
    'log: line 2: its hash does not follow',
  ],
  ['a log that was cut before the record', { log: linesText(files.log.slice(0, 2)) }, 'record in the log: no line'],
  ['a log that is no log', { log: '{}\n' }, 'log: line 1: n: '],
  ['an empty log', { log: '' }, 'log: it has no line'],
  [
    'a benchmark with another unit',
    { benchmark: whole.benchmark.replace('Do one.', 'Do nothing.') },
    'benchmark: line 5: its id',
  ],
  [
    'a benchmark with other tools',
    { benchmark: whole.benchmark.replace('"category":"write"', '"category":"read"') },
    'benchmark: line 7: its tools are the catalog',
  ],
  [
    'a benchmark that was cut',
    { benchmark: linesText(files.benchmark.slice(0, -1)) },
    'benchmark: line 6: 3 tools and 3 units',
  ],
])('%s fails the verification', async (_, changes, reason) => {
  const { error, lines } = await verifyAll(changes);
  expect(error).toContain('does not hold: ');
  expect(error).toContain(reason);
  expect(lines.filter((line) => line.includes('BROKEN')).length).toBeGreaterThan(0);
});

test('a record in another log fails, because the earlier lines do not match', async () => {
  const [opened, , published] = files.log;
  if (opened === undefined || published === undefined) throw new Error('no log');
  const { error } = await verifyAll({ log: linesText(await logOf([opened, published].map(withoutPlace))) });
  expect(error).toContain('place in the log: the record was made after');
});

const withoutPlace = ({ kind, entry, name, record, reason }: BoardFiles['log'][number]) => ({
  kind,
  entry,
  name,
  record,
  reason,
});

test('a later change of the entry is reported', async () => {
  const lines = files.log.map(withoutPlace);
  const hidden = { kind: 'hidden', entry: 'sub_1', name: 'steady', record: null, reason: 'copied' } as const;
  const { error, lines: said } = await verifyAll({ log: linesText(await logOf([...lines, hidden])) });
  expect(error).toBeNull();
  expect(said.find((line) => line.includes('since then'))).toContain(
    'line 5, 2026-01-01T00:00:00.000Z: hidden, copied',
  );
});

test('resealed traces do not match the record', async () => {
  const { sha256: _, ...line } = third;
  const attempts = [first, second, await digested({ ...line, trace: { ...line.trace, finalText: 'x' } }), ...rest];
  const { error } = await verifyAll({
    traces: tracesOf({ ...files, attempts, seal: await sealOf(files.header, attempts) }),
  });
  expect(error).toContain('seal: the record has');
});

/** A figure of the record, changed. */
function changed<T extends object>(figure: T | undefined, changes: Partial<T>): T {
  if (figure === undefined) throw new Error('the record does not have it');
  return { ...figure, ...changes };
}

/** A record of the holder of the key, published, whose content is another one. */
async function published(content: BoardFiles['record']['record']): Promise<Partial<Texts>> {
  const log = files.log.map((line) => withoutPlace(line));
  const hash = await hashRecord(content);
  return {
    record: await signedBy(content),
    log: linesText(await logOf(log.map((line) => (line.entry === 'sub_1' ? { ...line, record: hash } : line)))),
  };
}

test('figures that do not follow from the traces are found even if the service signed them', async () => {
  const { error } = await verifyAll(await published(betterRecord));
  expect(error).toContain(
    'TCS: the record has 0.990000 [0.000000, 1.000000] over 3 units, the traces give 0.625000 [0.0',
  );
  const narrow = { ...record.entry.scores, mtc: changed(record.entry.scores.mtc, { low: 0.74 }) };
  const interval = await verifyAll(await published({ ...record, entry: { ...record.entry, scores: narrow } }));
  expect(interval.error).toContain('MTC: the record has 0.750000 [0.740000');
  const food = record.entry.domains.map((domain) => ({ ...domain, mtc: changed(domain.mtc, { mean: 0 }) }));
  const domains = await verifyAll(await published({ ...record, entry: { ...record.entry, domains: food } }));
  expect(domains.error).toContain('MTC in food: the record has 0.000000 [0.5');
});

test('a stated score that its trace does not give is found with the benchmark', async () => {
  const { sha256: _, ...line } = first;
  const attempts = [await digested({ ...line, scores: { ...line.scores, tcs: 0.123 } }), second, third, ...rest];
  const at = await written({
    ...whole,
    traces: tracesOf({ ...files, attempts, seal: await sealOf(files.header, attempts) }),
  });
  expect((await verify(at.traces)).error).toBeNull();
  expect((await verify(at.traces, '--benchmark', at.benchmark)).error).toContain(
    'attempts: line 2 of the traces: it states a TCS of 0.123',
  );
});

test('a missing attempt under a new seal is found with the benchmark', async () => {
  const attempts = [first, second, third, ...rest].slice(0, -1);
  const at = await written({
    ...whole,
    traces: tracesOf({ ...files, attempts, seal: await sealOf(files.header, attempts) }),
  });
  expect((await verify(at.traces, '--benchmark', at.benchmark)).error).toContain('coverage: 1 of 3 trials');
});

test('another benchmark fails the verification', async () => {
  const [header, apple, pear, plum] = files.benchmark;
  const elsewhere = (await boardFiles()).benchmark.slice(4, 6);
  const fewer = [{ ...z.looseObject({}).parse(header), units: 2 }, apple, pear, plum, ...elsewhere];
  const { error } = await verifyAll({ benchmark: linesText(fewer) });
  expect(error).toMatch(/attempts: line \d of the traces: the benchmark has no public unit u_/);
});

test('traces and logs are recognized by their content, and unfitting options are refused', async () => {
  const at = await written({ ...whole, other: 'hello\n' });
  const traces = await verify(at.traces);
  expect(traces.error).toBeNull();
  expect(traces.lines[0]).toMatch(/: a file of traces$/);
  const computed = await verify(at.traces, '--benchmark', at.benchmark);
  expect(computed.error).toBeNull();
  expect(computed.lines.join('\n')).toMatch(/ok {10} TCS {16} 0\.\d{6} .* over 3 units/);
  const log = await verify(at.log);
  expect(log.error).toBeNull();
  expect(log.lines.join('\n')).toContain(files.log.at(-1)?.hash);
  expect((await verify(at.other)).error).toContain('is neither a signed record');
  expect((await verify(at.log, '--traces', at.traces)).error).toBe('--traces goes with a signed record');
  expect((await verify(at.record, '--benchmark', at.benchmark)).error).toContain('give --traces too');
  expect((await verify(`${at.log}.not`)).error).toContain('cannot be read');
  expect(() => parseLineToVerbOrHelp(['verify', at.log, '--key', 'sxt_dev_1'], program)).toThrow(
    '32 bytes of an Ed25519 key',
  );
});

test('a whole export of the benchmark has its own id', async () => {
  const [header, ...lines] = files.benchmark;
  const all = linesText([{ ...z.looseObject({}).parse(header), split: 'all' }, ...lines]);
  const { error } = await verifyAll({ benchmark: all });
  expect(error).toMatch(/benchmark: the record has bm_1, the benchmark has bm_[0-9a-f]{32}/);
});

test('the command line verifies without a key and without an address', async () => {
  const at = await written({ ...whole, log: linesText(files.log.slice(0, 1)) });
  const run = (...words: readonly string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../../client/cli.ts'), 'verify', ...words], {
      env: { PATH: process.env['PATH'], SEXTANT_URL: 'https://nobody.test' },
      encoding: 'utf8',
    });
  const fits = run(at.record, '--traces', at.traces, '--key', publicKey);
  expect([fits.status, fits.stderr]).toEqual([0, '']);
  expect(fits.stdout).toContain('ok           seal');
  const lacks = run(at.record, '--log', at.log);
  expect(lacks.status).toBe(1);
  expect(lacks.stderr).toContain('does not hold: record in the log: no line of the log publishes this record');
});
