import { describe, expect, test } from 'vitest';
import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import { splitIntoPagesByJsonLength } from '#core/evaluation/create-on-basis.ts';
import {
  readExpectedCallsByUnit,
  gatherEvaluationBasisOrRefuse,
  type UnitSource,
} from '#core/evaluation/gather-basis.ts';
import { problemOfEvaluationRefusal } from '#core/evaluation/problems.ts';
import { syntheticTools, syntheticUnit } from '../../../bench/results/synthetic.ts';

describe('pages of a basis', () => {
  test('hold a bounded number of characters of JSON, and all items in order', () => {
    const items = ['aa', 'bb', 'cc', 'dd', 'ee'];
    expect([...splitIntoPagesByJsonLength(items, 8)]).toEqual([['aa', 'bb'], ['cc', 'dd'], ['ee']]);
    expect([...splitIntoPagesByJsonLength(items, 1_000)]).toEqual([items]);
    expect([...splitIntoPagesByJsonLength([], 8)]).toEqual([]);
  });

  test('may hold a single item that is larger than a page', () => {
    expect([...splitIntoPagesByJsonLength(['a', 'b'.repeat(20), 'c'], 8)]).toEqual([['a'], ['b'.repeat(20)], ['c']]);
  });
});

describe('the basis of an evaluation', () => {
  const units = Array.from({ length: 1_200 }, (_, n) => syntheticUnit(n));

  /** A benchmark that gives so many units at once, and notes which it was asked for. */
  function source(most: number) {
    const read: string[] = [];
    const benchmark: UnitSource = {
      unitIds: async () => units.map(({ id }) => id),
      readUnitsThatFit: async (ids) => {
        const given = ids.slice(0, most).flatMap((id) => units.filter((unit) => unit.id === id));
        read.push(...given.map(({ id }) => id));
        return given;
      },
      listCatalogTools: async () => [...syntheticTools],
      protocol: async () => 'sgvef',
    };
    return { benchmark, read };
  }

  async function gathered(
    benchmark: UnitSource,
    sample?: { units: number; seed: number },
    seen: readonly string[] = [],
  ) {
    const basis = await gatherEvaluationBasisOrRefuse(
      benchmark,
      null,
      { split: 'all', trials: 1, sample },
      { count: 1, seen },
    );
    if (!basis.ok) throw new Error(basis.problem.reason);
    return basis.value;
  }

  async function all(pages: AsyncIterable<readonly BenchmarkUnit[]>): Promise<BenchmarkUnit[]> {
    const found: BenchmarkUnit[] = [];
    for await (const page of pages) found.push(...page);
    return found;
  }

  test('reads all units page by page, even if few come at once', async () => {
    const { benchmark, read } = source(7);
    const basis = await gathered(benchmark);
    expect([basis.units.count, read]).toEqual([1_200, []]);
    expect(await all(basis.units.pages())).toEqual(units.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  });

  test('reads only the units of its sample', async () => {
    const { benchmark, read } = source(100);
    const basis = await gathered(benchmark, { units: 5, seed: 1 });
    const sampled = (await all(basis.units.pages())).map(({ id }) => id);
    expect([basis.units.count, sampled.length, read]).toEqual([5, 5, sampled]);
  });

  test('is refused before any unit is read if it has too many attempts', async () => {
    const { benchmark, read } = source(100);
    const refused = await gatherEvaluationBasisOrRefuse(
      benchmark,
      null,
      { split: 'all', trials: 20 },
      { count: 20, seen: [] },
    );
    expect(refused).toMatchObject({ ok: false, problem: { reason: 'too-many-attempts' } });
    expect(read).toEqual([]);
  });

  test('leaves out the units that a wording was written from before it draws its sample', async () => {
    const seen = units.slice(0, 700).map(({ id }) => id);
    const { benchmark } = source(100);
    const basis = await gathered(benchmark, { units: 450, seed: 1 }, [...seen, `u_${'f'.repeat(24)}`]);
    const left = (await all(basis.units.pages())).map(({ id }) => id);
    expect([basis.seenUnits, left.length]).toEqual([700, 450]);
    expect(left.filter((id) => seen.includes(id))).toEqual([]);
  });

  test('is refused if a wording was written from all of its units', async () => {
    const seen = units.map(({ id }) => id);
    const refused = await gatherEvaluationBasisOrRefuse(
      source(100).benchmark,
      null,
      { split: 'public', trials: 1 },
      { count: 1, seen },
    );
    if (refused.ok) throw new Error('it was not refused');
    expect(refused.problem).toEqual({ reason: 'no-units', split: 'public', seenUnits: 1_200 });
    const { code, detail } = problemOfEvaluationRefusal(refused.problem);
    expect([code, detail]).toEqual(['nothing-to-evaluate', expect.stringContaining('written from 1,200 units')]);
  });

  test('fails if the benchmark returns no more units, instead of asking forever', async () => {
    const basis = await gathered(source(0).benchmark);
    await expect(all(basis.units.pages())).rejects.toThrow('the benchmark gives no unit');
  });
});

describe('the expected calls of a benchmark', () => {
  test('are read page by page, without keeping anything else of the units', async () => {
    const units = Array.from({ length: 1_200 }, (_, n) => syntheticUnit(n));
    const pages: number[] = [];
    const expected = await readExpectedCallsByUnit(
      {
        unitIds: async (split) => units.filter((unit) => unit.split === split).map(({ id }) => id),
        readUnitsThatFit: async (ids) => {
          const page = units.filter(({ id }) => ids.includes(id)).slice(0, 100);
          pages.push(page.length);
          return page;
        },
      },
      'public',
      syntheticTools.map(({ name }) => name),
      'sgvef',
    );
    const publicOnes = units.filter(({ split }) => split === 'public');
    expect([...expected]).toEqual(
      publicOnes.map(({ id, chain, arguments: origins }) => [
        id,
        { requests: ['source', 'followUp'], chain, arguments: origins.filter(({ source }) => source.kind === 'field') },
      ]),
    );
    expect(pages).toEqual([100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 80]);
  });
});
