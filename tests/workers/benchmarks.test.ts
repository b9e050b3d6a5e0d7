import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  benchmarkHeader,
  benchmarkLine,
  benchmarkRecord,
  pairUnit,
  computeUnitIdFromContent,
  type BenchmarkRecord,
} from '#core/benchmarks/benchmark.ts';
import { isEveryStepProven } from '#core/units/witness.ts';
import { explore, exploreToEnd, follow, prepare, type Ground } from '../support/exploration.ts';
import {
  call,
  expectStatus,
  keyFor,
  newWorkspace,
  pageOf,
  problemOf,
  type Answer,
  type TestWorkspace,
} from '../support/workspace.ts';
import { startServer, tools } from '../support/world.ts';

let ground: Ground;
let run = '';
let accepted = 0;

beforeAll(async () => {
  ground = await prepare();
  const explored = await exploreToEnd(ground, { rounds: 2, batch: 5 });
  run = explored.run;
  accepted = explored.record.units.accepted;
});

const freeze = async (body: Record<string, unknown> = {}): Promise<BenchmarkRecord> =>
  benchmarkRecord.parse(
    expectStatus(await ground.workspace.post('/v1/benchmarks', { explorations: [run], floor: false, ...body }), 201),
  );

async function exported({ id }: BenchmarkRecord, query = ''): Promise<string> {
  const answer = await ground.workspace.get(`/v1/benchmarks/${id}/export${query}`);
  expect(answer.headers.get('content-type')).toBe('text/jsonl');
  return z.string().parse(expectStatus(answer, 200));
}

const upload = ({ post }: TestWorkspace, file: BodyInit): Promise<Answer> =>
  post('/v1/benchmarks/import?floor=false', undefined, { raw: file, headers: { 'content-type': 'text/jsonl' } });

const linesOf = (file: string): string[] => file.trimEnd().split('\n');
const unitsIn = (file: string) =>
  linesOf(file).flatMap((line) => {
    const parsed = benchmarkLine.parse(JSON.parse(line));
    return parsed.type === 'unit' && parsed.unit.kind !== 'task' ? [parsed.unit] : [];
  });

describe('freezing a benchmark', () => {
  test('takes the accepted steered units, splits them by seed, and is repeatable', async () => {
    const frozen = await freeze({ name: 'mine', privateShare: 0.3, seed: 5 });
    expect(accepted).toBe(10);
    expect(frozen).toMatchObject({
      name: 'mine',
      split: 'all',
      catalog: ground.catalog,
      explorations: [run],
      tools: 10,
      units: 10,
      publicUnits: 7,
      privateUnits: 3,
      unproven: 0,
      unprovenLeftOut: 0,
      offline: true,
    });
    for (const unit of unitsIn(await exported(frozen))) expect(isEveryStepProven(unit)).toBe(true);
    expect((await freeze({ name: 'mine', privateShare: 0.3, seed: 5 })).id).toBe(frozen.id);
    const privateIds = async (record: BenchmarkRecord) =>
      unitsIn(await exported(record))
        .filter(({ split }) => split === 'private')
        .map(({ id }) => id);
    // A held-out unit stays held out for any seed.
    const held = await privateIds(frozen);
    for (const seed of [6, 7])
      expect(await privateIds(await freeze({ name: 'mine', privateShare: 0.3, seed }))).toEqual(held);
    const { items } = pageOf(benchmarkRecord).parse((await ground.workspace.get('/v1/benchmarks?limit=500')).body);
    expect(items.filter(({ id }) => id === frozen.id)).toEqual([frozen]);
    expect(benchmarkRecord.parse((await ground.workspace.get(`/v1/benchmarks/${frozen.id}`)).body)).toEqual(frozen);
  });

  test('takes units that the base agent did not carry out, if their tools have a success elsewhere in the run', async () => {
    const own = await prepare();
    const { run: unsolved, record } = await exploreToEnd(own, { rounds: 2, batch: 4 });
    await runInDurableObject(env.EXPLORATION_RUN.getByName(unsolved), (_object, { storage: { sql } }) => {
      sql.exec(`UPDATE units SET json = json_set(json, '$.witness', json('{"source":[1],"followUp":[]}'))`);
    });
    const frozen = benchmarkRecord.parse(
      expectStatus(await own.workspace.post('/v1/benchmarks', { explorations: [unsolved], floor: false }), 201),
    );
    expect(frozen).toMatchObject({ units: record.units.accepted, unproven: 0, unprovenLeftOut: 0 });
    const file = z.string().parse((await own.workspace.get(`/v1/benchmarks/${frozen.id}/export`)).body);
    for (const unit of unitsIn(file)) {
      expect(unit).toMatchObject({ witness: { source: [1], followUp: [] } });
      expect(unit.provenElsewhere).toEqual(unit.chain.map((_, index) => index + 1).slice(1));
    }
    expect(expectStatus(await upload(own.workspace, file), 201)).toMatchObject({ id: frozen.id });
    const claimed = file.replace(/,"provenElsewhere":\[[\d,]+\]/, '');
    expect(problemOf(await upload(own.workspace, claimed))).toEqual([422, 'content-mismatch']);
  });

  test('several times at once gives one benchmark, which the public can read', async () => {
    const records = await Promise.all(Array.from({ length: 6 }, () => freeze({ name: 'at once' })));
    expect(new Set(records.map(({ id }) => id)).size).toBe(1);
    const answer = await call(null, 'GET', `/v1/benchmarks/${records[0]?.id}/public?limit=500`);
    expect(pageOf(pairUnit).parse(answer.body).items).toHaveLength(records[0]?.publicUnits ?? 0);
  });

  test('refuses running runs, runs over other catalogs, and runs without accepted units', async () => {
    const slow = await prepare({ rules: [{ form: 'scenario', behaviour: { kind: 'slow', ms: 400 } }] });
    const running = await explore(slow, { rounds: 20, batch: 1 });
    const refused = await slow.workspace.post('/v1/benchmarks', { explorations: [running] });
    expect(problemOf(refused)).toEqual([409, 'wrong-state']);
    await slow.workspace.post(`/v1/explorations/${running}/cancel`);
    expect(problemOf(await slow.workspace.post('/v1/benchmarks', { explorations: [running] }))).toEqual([
      422,
      'nothing-to-freeze',
    ]);
    expect((await slow.workspace.get('/v1/benchmarks')).body).toEqual({ items: [], nextCursor: null });

    const { workspace } = ground;
    const other = await workspace.server('others', (await startServer({ tools: tools('kiwi', 'lime') })).url);
    const elsewhere = await explore({ ...ground, catalog: (await workspace.catalog(other)).id }, { batch: 1 });
    await follow(workspace.key, elsewhere);
    expect(problemOf(await workspace.post('/v1/benchmarks', { explorations: [run, elsewhere] }))).toEqual([
      422,
      'catalog-mismatch',
    ]);
    for (const body of [
      { explorations: [] },
      { explorations: [run], privateShare: 1 },
      { explorations: [run], seed: -1 },
      {},
    ]) {
      expect(problemOf(await workspace.post('/v1/benchmarks', body))).toEqual([400, 'invalid-request']);
    }
  });

  test('includes the committed rounds of a paused run', async () => {
    const slow = await prepare({ rules: [{ form: 'audit', behaviour: { kind: 'slow', ms: 100 } }] });
    const paused = await explore(slow, { rounds: 9, batch: 2 });
    await follow(slow.workspace.key, paused, { enough: ({ event }) => event.type === 'round.committed' });
    await slow.workspace.post(`/v1/explorations/${paused}/pause`);
    const frozen = benchmarkRecord.parse(
      expectStatus(await slow.workspace.post('/v1/benchmarks', { explorations: [paused], floor: false }), 201),
    );
    expect(frozen.units).toBe(2);
    await slow.workspace.post(`/v1/explorations/${paused}/cancel`);
  });
});

describe('reading a benchmark', () => {
  test("needs no key for public units, and more than a reader's key for private ones", async () => {
    const frozen = await freeze({ privateShare: 0.4 });
    const everything = unitsIn(await exported(frozen));
    const hidden = everything.filter(({ split }) => split === 'private');
    expect(hidden.length).toBe(4);
    const seen = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = pageOf(pairUnit).parse(
        expectStatus(await call(null, 'GET', `/v1/benchmarks/${frozen.id}/public?limit=2&cursor=${cursor}`), 200),
      );
      seen.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(
      everything.filter(({ split }) => split === 'public').toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    const publicFile = await exported(frozen, '?split=public');
    for (const { id, source, followUp } of hidden) {
      for (const secret of [id, source, followUp])
        expect(`${JSON.stringify(seen)}${publicFile}`.includes(secret)).toBe(false);
    }
    const reader = await keyFor(ground.workspace.id, 'read');
    for (const path of ['units', 'export'])
      expect(problemOf(await call(reader, 'GET', `/v1/benchmarks/${frozen.id}/${path}`))).toEqual([403, 'forbidden']);
    const listed = pageOf(pairUnit).parse(
      (await ground.workspace.get(`/v1/benchmarks/${frozen.id}/units?split=private`)).body,
    );
    expect(listed.items.map(({ id }) => id)).toEqual(hidden.map(({ id }) => id).toSorted());
    expect(problemOf(await call(null, 'GET', '/v1/benchmarks/bm_unknown/public'))).toEqual([404, 'not-found']);
  });
});

describe('exporting and importing a benchmark', () => {
  test('gives the same id for the whole file, wherever and however it is imported', async () => {
    const frozen = await freeze();
    const file = await exported(frozen);
    expect(linesOf(file).length).toBe(1 + frozen.tools + frozen.units);
    for (const body of [file, file.trimEnd(), file.replaceAll('\n', '\r\n'), file.replaceAll('\n', '\n\n')]) {
      const workspace = await newWorkspace();
      const imported = benchmarkRecord.parse(expectStatus(await upload(workspace, body), 201));
      expect({ ...imported, createdAt: '' }).toEqual({ ...frozen, createdAt: '' });
      expect(z.string().parse((await workspace.get(`/v1/benchmarks/${frozen.id}/export`)).body)).toBe(file);
    }
    const again = await upload(ground.workspace, file);
    expect(benchmarkRecord.parse(expectStatus(again, 201))).toEqual(frozen);
    // The keys of a line may stand in any order.
    const shuffled = linesOf(file).map((line) =>
      JSON.stringify(
        Object.fromEntries(Object.entries(z.record(z.string(), z.unknown()).parse(JSON.parse(line))).toReversed()),
      ),
    );
    expect(benchmarkRecord.parse((await upload(await newWorkspace(), shuffled.join('\n'))).body).id).toBe(frozen.id);
  });

  test('works for a file with long lines that exceeds one call between objects', async () => {
    const [header = '', ...lines] = linesOf(await exported(await freeze({ privateShare: 0 })));
    const unit = pairUnit.parse(z.object({ unit: z.unknown() }).parse(JSON.parse(lines.at(-1) ?? '')).unit);
    const source = { kind: 'span' as const, text: 'x'.repeat(4_000) };
    const origins = Array.from({ length: 200 }, () => ({ step: 1, argument: 'a', source }));
    const units = await Promise.all(
      Array.from({ length: 45 }, async (_, n) => {
        const written = { ...unit, source: `Request ${n}`, arguments: origins };
        return JSON.stringify({ type: 'unit', unit: { ...written, id: await computeUnitIdFromContent(written) } });
      }),
    );
    const toolLines = lines.filter((line) => benchmarkLine.parse(JSON.parse(line)).type === 'tool');
    const first = JSON.stringify({ ...benchmarkHeader.parse(JSON.parse(header)), units: units.length });
    const workspace = await newWorkspace();
    const imported = benchmarkRecord.parse(
      expectStatus(await upload(workspace, [first, ...toolLines, ...units].join('\n')), 201),
    );
    const file = z.string().parse((await workspace.get(`/v1/benchmarks/${imported.id}/export`)).body);
    expect(linesOf(file)).toHaveLength(1 + toolLines.length + units.length);
    expect(file.length).toBeGreaterThan(33 * 1024 * 1024);
  });

  test('makes the public part a benchmark of its own', async () => {
    const frozen = await freeze({ privateShare: 0.4 });
    const workspace = await newWorkspace();
    const imported = benchmarkRecord.parse(
      expectStatus(await upload(workspace, await exported(frozen, '?split=public')), 201),
    );
    expect(imported).toMatchObject({ split: 'public', units: 6, publicUnits: 6, privateUnits: 0 });
    expect(imported.id).not.toBe(frozen.id);
  });

  describe('a bad benchmark file', () => {
    let good: string[] = [];
    beforeAll(async () => {
      good = linesOf(await exported(await freeze()));
    });
    const altered = (place: number, change: (line: string) => string): string =>
      good.map((line, i) => (i === place ? change(line) : line)).join('\n');
    const refused: [string, () => string, number, string, string][] = [
      [
        'a changed request',
        () => altered(12, (line) => line.replace('Please', 'Kindly')),
        422,
        'content-mismatch',
        'line 13',
      ],
      [
        'a changed tool',
        () => altered(2, (line) => line.replace('Does what', 'Does not what')),
        422,
        'content-mismatch',
        'catalog',
      ],
      ['a missing unit', () => good.slice(0, -1).join('\n'), 422, 'content-mismatch', 'units'],
      ['a missing tool', () => good.toSpliced(3, 1).join('\n'), 422, 'content-mismatch', 'tools'],
      ['a unit twice', () => good.toSpliced(-1, 1, good.at(-2) ?? '').join('\n'), 422, 'content-mismatch', 'twice'],
      ['a broken line', () => altered(4, () => '{"type": "tool", '), 400, 'invalid-line', 'line 5'],
      ['a line of another form', () => altered(4, () => '{"type": "poem"}'), 400, 'invalid-line', 'line 5'],
      [
        'an unknown field',
        () => altered(15, (line) => line.replace('{', '{"extra":1,')),
        400,
        'invalid-line',
        'line 16',
      ],
      ['no header', () => good.slice(1).join('\n'), 400, 'invalid-line', 'line 1'],
      ['a header in the middle', () => altered(4, () => good[0] ?? ''), 400, 'invalid-line', 'line 5'],
      [
        'another number of unproven units',
        () => altered(0, (line) => line.replace('"unproven":0', '"unproven":1')),
        422,
        'content-mismatch',
        'unproven',
      ],
      [
        'a witness that proves less',
        () => altered(14, (line) => line.replace(/"witness":\{[^}]*\}/, '"witness":{"followUp":[],"source":[1]}')),
        422,
        'content-mismatch',
        'unproven',
      ],
      [
        'another format',
        () => altered(0, (line) => line.replace('"format":1', '"format":2')),
        400,
        'invalid-line',
        'line 1',
      ],
      [
        'a line over 1 MiB',
        () => altered(4, (line) => `${line}${' '.repeat(1_100_000)}`),
        413,
        'body-too-large',
        'line 5',
      ],
      ['nothing', () => '', 400, 'invalid-line', 'empty'],
      ['only a header', () => good[0] ?? '', 422, 'content-mismatch', 'tools'],
      ['a web page', () => '<html></html>', 400, 'invalid-line', 'line 1'],
    ];
    test.each(refused)('with %s is refused, and nothing is stored', async (_what, file, status, code, word) => {
      const workspace = await newWorkspace();
      const answer = await upload(workspace, file());
      expect(problemOf(answer)).toEqual([status, code]);
      expect(z.object({ detail: z.string() }).parse(answer.body).detail).toContain(word);
      expect((await workspace.get('/v1/benchmarks')).body).toEqual({ items: [], nextCursor: null });
    });

    test('with a line over 1 MiB of multi-byte characters is refused', async () => {
      const file = altered(4, (line) => line.replace('Does what', '漢'.repeat(400_000)));
      expect(problemOf(await upload(await newWorkspace(), file))).toEqual([413, 'body-too-large']);
    });

    test('with bytes that are not UTF-8 is refused', async () => {
      const workspace = await newWorkspace();
      expect(problemOf(await upload(workspace, new Uint8Array([0x7b, 0xff, 0xfe, 0x0a])))).toEqual([
        400,
        'invalid-line',
      ]);
    });
  });
});
