import { expect, test } from 'vitest';
import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import { splitUnits } from '#core/benchmarks/split-units.ts';

type Unsplit = Omit<BenchmarkUnit, 'split'>;

function unit(n: number, ...seeds: readonly number[]): Unsplit {
  return {
    id: `u_${String(n).padStart(24, '0')}`,
    source: `source ${n}`,
    followUp: `follow-up ${n}`,
    chain: ['server/tool'],
    arguments: [],
    facts: [],
    semanticEquivalence: 90,
    parameterSolvability: 90,
    provenance: {
      exploration: 'exp_1',
      unit: `unit ${n}`,
      round: 1,
      models: {},
      prompts: [],
      harness: 'test',
      ...(seeds.length === 0
        ? {}
        : {
            lineage: {
              evolution: 1,
              kind: seeds.length === 1 ? ('entities' as const) : ('recombined' as const),
              seeds: seeds.map((seed) => ({ unit: `unit ${seed}`, chain: ['server/tool'] })),
            },
          }),
    },
  };
}

const plain = Array.from({ length: 20 }, (_, n) => unit(n));
/** 20 explored units, and 20 variants: of the units, of pairs of them, and of variants. */
const grown = [
  ...plain,
  ...Array.from({ length: 10 }, (_, n) => unit(20 + n, n)),
  ...Array.from({ length: 5 }, (_, n) => unit(30 + n, n + 10, n + 11)),
  ...Array.from({ length: 5 }, (_, n) => unit(35 + n, 20 + n)),
];
const none = new Set<string>();
const hiddenIn = (units: readonly BenchmarkUnit[]): Set<string> =>
  new Set(units.filter(({ split }) => split === 'private').map(({ id }) => id));

test('the share says how many units are private, and the seed says which', async () => {
  const first = await splitUnits(plain, 1, 0.3, none);
  expect(hiddenIn(first).size).toBe(6);
  expect(first.map(({ id }) => id)).toEqual(plain.map(({ id }) => id));
  expect(await splitUnits(plain, 1, 0.3, none)).toEqual(first);
  expect(hiddenIn(await splitUnits(plain, 2, 0.3, none))).not.toEqual(hiddenIn(first));
});

test('a held-out unit is never public, for any seed and share', async () => {
  const withheld = hiddenIn(await splitUnits(plain, 1, 0.3, none));
  for (const [seed, share] of [
    [1, 0],
    [2, 0],
    [2, 0.1],
    [3, 0.3],
  ] as const)
    expect(hiddenIn(await splitUnits(plain, seed, share, withheld))).toEqual(withheld);
  const more = hiddenIn(await splitUnits(plain, 2, 0.5, withheld));
  expect(more.size).toBe(10);
  expect(more.isSupersetOf(withheld)).toBe(true);
});

test('a variant of a private unit is private, and the share is kept', async () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const units = await splitUnits(grown, seed, 0.3, none);
    const hidden = hiddenIn(units);
    expect(hidden.size).toBe(12);
    const byName = new Map(units.map((each) => [each.provenance.unit, each]));
    for (const { split, provenance } of units) {
      const seeds = (provenance.lineage?.seeds ?? []).map((each) => byName.get(each.unit)?.split);
      if (split === 'public') expect(seeds).not.toContain('private');
    }
    expect(await splitUnits(grown, seed, 0.3, hidden)).toEqual(units);
  }
});

test('variants of a held-out unit are held out too', async () => {
  const hidden = hiddenIn(await splitUnits(grown, 1, 0, new Set([unit(0).id])));
  expect(hidden).toEqual(new Set([0, 20, 35].map((n) => unit(n).id)));
});
