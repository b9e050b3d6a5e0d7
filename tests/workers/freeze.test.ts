import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  benchmarkIdFromHash,
  extendHashChain,
  emptyHashChain,
  mostFrozenUnits,
  drawDistinctUnitsInOrder,
  computePairUnitId,
  type AcceptedUnit,
  type PairUnit,
  type FreezeRequest,
} from '#core/benchmarks/benchmark.ts';
import { mapUnitsToLineageNames } from '#core/benchmarks/lineages.ts';
import { assignSplitsByLineage } from '#core/benchmarks/split-units.ts';
import { canonicalJson } from '#core/values/canonical.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { ExplorationRun } from '#durable-objects/exploration/exploration-run.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import { StagedUnits } from '#durable-objects/benchmark/staged-units.ts';
import { exploreToEnd, prepare } from '../support/exploration.ts';
import { unique } from '../support/workspace.ts';
import { makeBenchmarkLineValues } from '../../bench/shared/benchmark-lines.ts';

/** Benchmarks frozen from far more units than a test can have explored: the runs are real, what they offer is not. */

let runs: [string, string];
let catalog = '';
/** Only pairs are offered here. */
type Offered = AcceptedUnit & { readonly unit: Omit<PairUnit, 'split'> };
const offers = new Map<string, Offered[]>();
const offersOf = (run: string): Offered[] => offers.get(run) ?? [];

beforeAll(async () => {
  const ground = await prepare();
  ({ catalog } = ground);
  const [a, b] = [await exploreToEnd(ground, { batch: 1 }), await exploreToEnd(ground, { batch: 1 })];
  runs = [a.run, b.run];
});
afterEach(() => void vi.restoreAllMocks());

const nameOf = (n: number): string => `r0001-u${String(n).padStart(5, '0')}`;

/** The n-th unit of a run. Every fifth is a variant of the one before it. */
async function offered(exploration: string, n: number, words = 5): Promise<Offered> {
  const asked = { source: `Ask ${n}${' for more'.repeat(words)}`, followUp: `Again ${n}`, chain: ['fruit/apple'] };
  const lineage = { evolution: 1, kind: 'entities' as const, seeds: [{ unit: nameOf(n - 1), chain: asked.chain }] };
  return {
    cursor: nameOf(n),
    withheld: false,
    unit: {
      ...asked,
      id: await computePairUnitId(asked),
      arguments: [],
      facts: [],
      semanticEquivalence: 95,
      parameterSolvability: 95,
      witness: { source: [1], followUp: [] },
      provenance: {
        exploration,
        unit: nameOf(n),
        round: 1,
        models: {},
        prompts: [],
        harness: 'test',
        ...(n % 5 === 4 ? { lineage } : {}),
      },
    },
  };
}

async function offer(run: string, from: number, to: number, words = 5): Promise<void> {
  offers.set(run, await Promise.all(Array.from({ length: to - from }, (_, n) => offered(run, from + n, words))));
}

const descentsOf = (run: string): { unit: string; seed: string }[] =>
  offersOf(run).flatMap(({ unit: { provenance } }) =>
    (provenance.lineage?.seeds ?? []).map((seed) => ({ unit: provenance.unit, seed: seed.unit })),
  );

/** Has the runs offer these units, and counts what is read and not yet stored. */
function offering(): { readonly pages: () => number; readonly most: () => number } {
  let [pages, held, most] = [0, 0, 0];
  vi.spyOn(ExplorationRun.prototype, 'listUnitsForBenchmark').mockImplementation(async function (
    this: ExplorationRun,
    after: string,
    limit: number,
  ) {
    const record = this.get();
    const run = record.ok ? record.value.id : '';
    const page = offersOf(run)
      .filter(({ cursor }) => cursor > after)
      .slice(0, limit);
    pages += 1;
    held += page.length;
    most = Math.max(most, held);
    return page;
  });
  vi.spyOn(ExplorationRun.prototype, 'listVariantSeedPairs').mockImplementation(function (this: ExplorationRun) {
    const record = this.get();
    return descentsOf(record.ok ? record.value.id : '');
  });
  const add = StagedUnits.prototype.add;
  vi.spyOn(StagedUnits.prototype, 'add').mockImplementation(function (this: StagedUnits, units) {
    add.call(this, units);
    held -= units.length;
  });
  return { pages: () => pages, most: () => most };
}

const request = (more: Partial<FreezeRequest> = {}): FreezeRequest => ({
  name: 'frozen',
  explorations: runs,
  seed: 3,
  privateShare: 0.3,
  unproven: 'leave-out',
  at: '2026-01-01T00:00:00.000Z',
  ...more,
});

/** The lines of the benchmark, made in memory in one piece. */
async function linesInMemory({ name, explorations, seed, privateShare, sample }: FreezeRequest): Promise<string[]> {
  const all = explorations.flatMap((run) => offersOf(run).map(({ unit }) => unit));
  const lineages = mapUnitsToLineageNames(
    all.map(({ id, provenance }) => ({ id, exploration: provenance.exploration, unit: provenance.unit })),
    explorations.flatMap((exploration) => descentsOf(exploration).map((descent) => ({ exploration, ...descent }))),
    new Map(),
  );
  const units = await assignSplitsByLineage(
    drawDistinctUnitsInOrder(all, seed, sample),
    lineages,
    seed,
    privateShare,
    new Set(),
  );
  const run: { listCatalogTools(): Promise<Tool[]> } = env.EXPLORATION_RUN.getByName(runs[0]);
  const tools = await run.listCatalogTools();
  const header = {
    type: 'benchmark' as const,
    format: 1 as const,
    name,
    split: 'all' as const,
    catalog,
    explorations: [...explorations],
    seed,
    privateShare,
    offline: true,
    ...(sample === undefined ? {} : { sampledFrom: new Set(all.map(({ id }) => id)).size }),
    unproven: 0,
    unprovenLeftOut: 0,
    nearDuplicatesLeftOut: 0,
    comparedByWords: 0,
    tools: tools.length,
    units: units.length,
  };
  return makeBenchmarkLineValues(header, tools, units).map((line) => canonicalJson(line));
}

async function idOf(lines: readonly string[]): Promise<string> {
  let hash = emptyHashChain;
  for (const line of lines) hash = await extendHashChain(hash, line);
  return benchmarkIdFromHash(hash);
}

async function exportedLines(benchmark: ReturnType<typeof newBenchmark>): Promise<string[]> {
  const lines: string[] = [];
  for (;;) {
    const page = await benchmark.readExportPage('all', lines.length + 1, 1_000);
    if (!page.ok) throw new Error(page.problem.detail);
    if (page.value.length === 0) return lines;
    lines.push(...page.value);
  }
}

const newBenchmark = () => env.BENCHMARK.getByName(unique('frozen'));

const rowsOf = (benchmark: ReturnType<typeof newBenchmark>, table: string) =>
  runInDurableObject(benchmark, (_object, { storage: { sql } }) =>
    Number(sql.exec(`SELECT COUNT(*) AS n FROM ${table}`).one()['n']),
  );

describe('a benchmark that is frozen through storage', () => {
  test('has the same bytes and id as one that is made in memory, with doubles, variants and a sample', async () => {
    offering();
    await offer(runs[0], 0, 130);
    // 30 of them stand in both runs; the later one counts, at the place of the first.
    await offer(runs[1], 100, 250);
    for (const more of [{ sample: 120 }, {}]) {
      // Whatever an earlier freeze holds out would stay private in the next one.
      vi.spyOn(ExplorationRun.prototype, 'withholdUnitsAndTheirVariants').mockReturnValue([]);
      const benchmark = newBenchmark();
      const expected = await linesInMemory(request(more));
      const made = await benchmark.freeze(request(more));
      expect(made).toMatchObject({ ok: true, value: { id: await idOf(expected), units: more.sample ?? 250 } });
      expect(await exportedLines(benchmark)).toEqual(expected);
      expect(await rowsOf(benchmark, 'staged')).toBe(0);
    }
  });

  test('leaves out units that are not proven or of which nobody knows, counts them, and keeps them if asked to', async () => {
    offering();
    await offer(runs[0], 6_000, 6_010);
    await offer(runs[1], 6_000, 6_004);
    // Two are proven in the other run all the same, two nowhere, and of one nobody knows.
    const some = [0, 1, 5, 6].map((place) => offersOf(runs[0])[place]?.unit);
    for (const unit of some) if (unit !== undefined) unit.witness = { source: [], followUp: [] };
    delete offersOf(runs[0])[7]?.unit.witness;
    const benchmark = newBenchmark();
    expect(await benchmark.freeze(request())).toMatchObject({
      ok: true,
      value: { units: 7, unproven: 0, unprovenLeftOut: 3 },
    });
    const all = newBenchmark();
    expect(await all.freeze(request({ unproven: 'keep', privateShare: 0 }))).toMatchObject({
      ok: true,
      value: { units: 10, unproven: 3, unprovenLeftOut: 0 },
    });
    const none = newBenchmark();
    offers.set(runs[0], offersOf(runs[0]).slice(5, 8));
    offers.delete(runs[1]);
    expect(await none.freeze(request())).toMatchObject({
      ok: false,
      problem: { code: 'nothing-to-freeze', detail: expect.stringContaining('none of the 3 accepted units is proven') },
    });
  });

  test('leaves out near-duplicates within and across runs, keeps the first, and holds them out with it', async () => {
    offering();
    const ask = async (run: string, n: number, source: string): Promise<Offered> => {
      const { unit, ...rest } = await offered(run, n);
      return { ...rest, unit: { ...unit, source, id: await computePairUnitId({ ...unit, source }) } };
    };
    const matters = Array.from({ length: 10 }, (_, n) => `matter-${n}.md into the archive of the house`);
    const first = await Promise.all(matters.map((matter, n) => ask(runs[0], 7_000 + 5 * n, `Move ${matter}`)));
    const same = await ask(runs[0], 7_100, `Please move ${matters[0] ?? ''}`);
    const again = await Promise.all(
      matters.map((matter, n) => ask(runs[1], 7_200 + 5 * n, `Could you move ${matter}?`)),
    );
    offers.set(runs[0], [...first, same]);
    offers.set(runs[1], [...again, await ask(runs[1], 7_300, 'Count the roses in the garden')]);
    const benchmark = newBenchmark();
    expect(await benchmark.freeze(request({ privateShare: 0.5 }))).toMatchObject({
      ok: true,
      value: { units: 11, nearDuplicatesLeftOut: 11, comparedByWords: 0 },
    });
    const kept = new Set(await benchmark.unitIds('all'));
    expect(first.map(({ unit }) => kept.has(unit.id))).toEqual(matters.map(() => true));

    const hidden = new Set(await benchmark.unitIds('private'));
    expect(hidden.size).toBeGreaterThan(3);
    const heldOut = new Set(await env.EXPLORATION_RUN.getByName(runs[1]).withholdUnitsAndTheirVariants([]));
    for (const [index, { unit }] of first.entries())
      expect([index, heldOut.has(again[index]?.cursor ?? '')]).toEqual([index, hidden.has(unit.id)]);

    const other = newBenchmark();
    await other.freeze(request({ explorations: [runs[1]], privateShare: 0 }));
    const shown = new Set(await other.unitIds('public'));
    for (const [index, { unit }] of first.entries())
      expect([index, shown.has(again[index]?.unit.id ?? '')]).toEqual([index, !hidden.has(unit.id)]);
  });

  test('keeps at most one page of units in memory, for any number and length', async () => {
    const { pages, most } = offering();
    await offer(runs[0], 0, 3_000, 100);
    offers.delete(runs[1]);
    const benchmark = newBenchmark();
    let [read, unwritten] = [0, 0];
    await runInDurableObject(benchmark, (_object, { storage: { sql } }) => {
      const original = StagedUnits.prototype.readUnitAndTextLength;
      vi.spyOn(StagedUnits.prototype, 'readUnitAndTextLength').mockImplementation(function (this: StagedUnits, id) {
        read += 1;
        const written = sql.exec("SELECT COUNT(*) AS n FROM lines WHERE kind = 'unit'").one()['n'];
        unwritten = Math.max(unwritten, read - Number(written));
        return original.call(this, id);
      });
    });
    expect(await benchmark.freeze(request())).toMatchObject({
      ok: true,
      value: { units: 3_000, publicUnits: 2_100, privateUnits: 900 },
    });
    expect([pages(), most()]).toEqual([30 + 2, 100]);
    expect([read, unwritten]).toEqual([3_000, 1]);
  });

  test('is refused if there are more units than can be split in memory', async () => {
    const template = await offered(runs[0], 1, 0);
    const page = Array.from({ length: 10_001 }, (_, n) => ({ ...template, cursor: nameOf(n) }));
    let left = mostFrozenUnits / 10_000;
    vi.spyOn(ExplorationRun.prototype, 'listUnitsForBenchmark').mockImplementation(() => {
      left -= 1;
      return Promise.resolve(left < 0 ? [] : page);
    });
    const withhold = vi.spyOn(ExplorationRun.prototype, 'withholdUnitsAndTheirVariants');
    const benchmark = newBenchmark();
    expect(await benchmark.freeze(request())).toMatchObject({
      ok: false,
      problem: { code: 'benchmark-too-large', detail: expect.stringContaining('more than 50,000') },
    });
    expect(withhold).not.toHaveBeenCalled();
  });

  test('has its private units held out in every run before its first unit is written', async () => {
    offering();
    await offer(runs[0], 5_000, 5_020);
    await offer(runs[1], 5_010, 5_030);
    const order: string[] = [];
    const withhold = ExplorationRun.prototype.withholdUnitsAndTheirVariants;
    vi.spyOn(ExplorationRun.prototype, 'withholdUnitsAndTheirVariants').mockImplementation(function (
      this: ExplorationRun,
      units,
    ) {
      order.push('held out');
      return withhold.call(this, units);
    });
    const read = StagedUnits.prototype.readUnitAndTextLength;
    vi.spyOn(StagedUnits.prototype, 'readUnitAndTextLength').mockImplementation(function (this: StagedUnits, id) {
      order.push('written');
      return read.call(this, id);
    });
    const benchmark = newBenchmark();
    await benchmark.freeze(request());
    expect(order.indexOf('written')).toBe(order.lastIndexOf('held out') + 1);
    const hidden = new Set(await benchmark.unitIds('private'));
    expect(hidden.size).toBe(9);
    for (const run of runs) {
      const wanted = offersOf(run).flatMap(({ unit, cursor }) => (hidden.has(unit.id) ? [cursor] : []));
      expect(await env.EXPLORATION_RUN.getByName(run).withholdUnitsAndTheirVariants([])).toEqual(
        expect.arrayContaining(wanted),
      );
    }
  });
});

test('a run returns fewer units at a time if they are large', async () => {
  const ground = await prepare();
  const { run } = await exploreToEnd(ground, { batch: 1 });
  const stub: RpcOf<ExplorationRun, 'listUnitsForBenchmark'> = env.EXPLORATION_RUN.getByName(run);
  await runInDurableObject(env.EXPLORATION_RUN.getByName(run), (_object, { storage: { sql } }) => {
    for (let n = 1; n < 5; n += 1)
      sql.exec(
        `INSERT INTO units (id, json) SELECT id || ?1, json_set(json, '$.id', id || ?1) FROM units
           WHERE json_extract(json, '$.stage.status') = 'accepted' AND NOT json_extract(json, '$.probe') AND id NOT LIKE '%x%'`,
        `x${n}`,
      );
    sql.exec("UPDATE units SET json = json || replace(hex(zeroblob(750000)), '0', ' ')");
  });
  const sizes: number[] = [];
  for (let after = ''; ;) {
    const page = await stub.listUnitsForBenchmark(after, 100);
    const last = page.at(-1);
    if (last === undefined) break;
    sizes.push(page.length);
    after = last.cursor;
  }
  expect(sizes).toEqual([3, 2]);
});

describe('an interrupted freeze', () => {
  const whileReading = () => {
    const reads = vi.spyOn(ExplorationRun.prototype, 'listUnitsForBenchmark');
    const before = reads.getMockImplementation();
    let calls = 0;
    reads.mockImplementation(function (this: ExplorationRun, after, limit) {
      calls += 1;
      if (calls === 2) throw new Error('cut off');
      return before?.call(this, after, limit) ?? Promise.resolve([]);
    });
  };
  const whileWriting = () => {
    const read = StagedUnits.prototype.readUnitAndTextLength;
    let calls = 0;
    vi.spyOn(StagedUnits.prototype, 'readUnitAndTextLength').mockImplementation(function (this: StagedUnits, id) {
      calls += 1;
      if (calls === 150) throw new Error('cut off');
      return read.call(this, id);
    });
  };

  test.each([
    ['while it reads the runs', whileReading],
    ['while it writes its lines', whileWriting],
  ])('leaves no benchmark, can be repeated, and is forgotten otherwise: %s', async (_when, breakOff) => {
    await offer(runs[0], 500, 700);
    offers.delete(runs[1]);
    for (const repeated of [true, false]) {
      offering();
      breakOff();
      const benchmark = newBenchmark();
      await expect(async () => benchmark.freeze(request())).rejects.toThrow('cut off');
      expect(await benchmark.get()).toMatchObject({ ok: false, problem: { code: 'not-found' } });
      if (repeated) {
        const made = await benchmark.freeze(request());
        const clean = await newBenchmark().freeze(request());
        expect(made).toMatchObject({ ok: true, value: { units: 200 } });
        expect(made).toEqual(clean);
        expect(await runDurableObjectAlarm(benchmark)).toBe(false);
      } else {
        expect(await rowsOf(benchmark, 'staged')).toBeGreaterThan(0);
        expect(await runDurableObjectAlarm(benchmark)).toBe(true);
        const tables = await runInDurableObject(benchmark, (_object, { storage: { sql } }) =>
          sql.exec("SELECT name FROM sqlite_master WHERE name IN ('staged', 'lines')").toArray(),
        );
        expect(tables).toEqual([]);
      }
      vi.restoreAllMocks();
    }
  });
});
