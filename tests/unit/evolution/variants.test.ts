import { relationWeights } from '#core/units/relation-kinds.ts';
import { describe, expect, it } from 'vitest';
import { KeptUnits, type KeptUnit } from '#core/exploration/evolution/kept-units.ts';
import {
  batchIdPrefix,
  makeFollowingToolsFinder,
  makeVariantUnitsOfBatch,
} from '#core/exploration/evolution/variants.ts';
import { makeCatalogIndex } from '#core/exploration/catalog-index.ts';
import type { Transition } from '#core/traces/transitions.ts';
import type { Unit } from '#core/units/unit.ts';
import { findLineageProblemOrNull } from '#core/units/variant-kinds.ts';

const domains = ['travel', 'finance', 'games', 'music'];
const catalog = makeCatalogIndex(
  domains.flatMap((domain) => [0, 1, 2].map((n) => ({ name: `${domain}/t${n}`, server: domain, domain }))),
);
const tool = (domain: string, n: number): string => `${domain}/t${n}`;

const kept = (unit: string, chain: readonly string[], uses = 0): KeptUnit => ({
  unit,
  chain,
  domains: [...new Set(chain.map((name) => name.split('/')[0] ?? ''))],
  uses,
});

const travel = [tool('travel', 0), tool('travel', 1)];
const finance = [tool('finance', 0), tool('finance', 1)];
const games = [tool('games', 0), tool('games', 1)];

/** Many units of one chain, one of another. */
const uneven = [...Array.from({ length: 9 }, (_, n) => kept(`common${n}`, travel)), kept('thin', finance)];

const opening = (units: readonly KeptUnit[], count: number, seed = 1, followers: readonly Transition[] = []) =>
  makeVariantUnitsOfBatch(
    { kept: new KeptUnits(units), catalog, followersOf: makeFollowingToolsFinder(followers) },
    { seed, evolution: 2, batch: 3, count, relations: relationWeights.parse({}), makesTasks: false },
  );

const seeds = Array.from({ length: 300 }, (_, n) => n);
const firstSeed = ({ lineage }: Unit): string => lineage?.seeds[0]?.unit ?? '';
const offered = ({ draws }: Unit): readonly string[] => draws[0]?.tools ?? [];
const shareOf = (is: (unit: Unit) => boolean, units: readonly Unit[]): number =>
  units.filter(is).length / Math.max(1, units.length);

describe('the variants of a batch', () => {
  const three = [kept('u1', travel), kept('u2', finance), kept('u3', games)];

  it('are the same for every driver, and differ for another seed or batch', () => {
    expect(opening(uneven, 5, 7)).toEqual(opening(uneven, 5, 7));
    expect(opening(uneven, 5, 7)).not.toEqual(opening(uneven, 5, 8));
  });

  it('have ids that sort by evolution, batch and position', () => {
    expect(opening(three, 3).map(({ id }) => id)).toEqual(['e02-0003-v00', 'e02-0003-v01', 'e02-0003-v02']);
    expect([batchIdPrefix(2, 10) > batchIdPrefix(2, 9), batchIdPrefix(2, 1) > batchIdPrefix(1, 1_000)]).toEqual([
      true,
      true,
    ]);
  });

  it('are as many as requested, each from its own seed, but no more than there are seeds', () => {
    expect(new Set(opening(three, 2).map(firstSeed)).size).toBe(2);
    expect(new Set(opening(three, 9).map(firstSeed))).toEqual(new Set(['u1', 'u2', 'u3']));
    expect(opening([], 9)).toEqual([]);
  });

  it('start as variants of the batch, with their seeds and one candidate set', () => {
    for (const unit of opening(three, 3)) {
      expect(unit).toMatchObject({ round: 3, probe: false, stage: { kind: 'variant' }, lineage: { evolution: 2 } });
      expect(unit.draws).toHaveLength(1);
      for (const { unit: seed, chain } of unit.lineage?.seeds ?? [])
        expect(three.find((one) => one.unit === seed)?.chain).toEqual(chain);
    }
  });

  it('take turns between the three kinds', () => {
    expect(opening(three, 3).map(({ lineage }) => lineage?.kind)).toEqual(['entities', 'extended', 'recombined']);
  });
});

describe('the choice of seeds', () => {
  it('prefers seeds with rare transitions', () => {
    const first = seeds.map((seed) => firstSeed(opening(uneven, 1, seed)[0] ?? begun));
    // Its weight is 2^2, that of each of the nine (2/9)^2: nine in ten.
    expect(first.filter((unit) => unit === 'thin').length / seeds.length).toBeGreaterThan(0.8);
  });

  it('avoids seeds that were used often', () => {
    const used = [kept('fresh', travel), kept('used', finance, 4)];
    const first = seeds.map((seed) => firstSeed(opening(used, 1, seed)[0] ?? begun));
    expect(first.filter((unit) => unit === 'fresh').length / seeds.length).toBeGreaterThan(0.95);
  });
});

const begun = opening([kept('u', travel)], 1)[0] ?? raise();
function raise(): never {
  throw new Error('no variant was opened');
}

describe('a variant with other entities', () => {
  it('is offered only the tools of its seed', () => {
    const of = seeds.flatMap((seed) => opening(uneven, 3, seed)).filter(({ lineage }) => lineage?.kind === 'entities');
    expect(of.length).toBeGreaterThan(0);
    for (const unit of of) expect(offered(unit)).toEqual(unit.lineage?.seeds[0]?.chain);
  });
});

describe('an extended variant', () => {
  const followers: Transition[] = [
    [tool('travel', 1), tool('games', 0)],
    [tool('travel', 1), tool('games', 1)],
    [tool('travel', 0), tool('travel', 1)],
  ];
  const extended = seeds
    .flatMap((seed) => opening([kept('u1', travel), kept('u2', finance)], 2, seed, followers))
    .filter(({ lineage }) => lineage?.kind === 'extended');
  const fromTravel = extended.filter((unit) => firstSeed(unit) === 'u1');

  it('is offered tools that have followed its tools, and one from a domain with few units', () => {
    expect(fromTravel.length).toBeGreaterThan(50);
    for (const unit of fromTravel) {
      const [first, second, ...more] = offered(unit);
      expect([first, second]).toEqual(travel);
      expect(more).toEqual(expect.arrayContaining([tool('games', 0), tool('games', 1)]));
      expect(more).toHaveLength(3);
      expect(new Set(offered(unit)).size).toBe(5);
    }
  });

  it('is offered a domain with few units more often', () => {
    const crowded = [
      ...Array.from({ length: 9 }, (_, n) => kept(`m${n}`, [tool('music', 0), tool('music', 1)])),
      kept('u1', travel, 4),
    ];
    const extra = seeds
      .flatMap((seed) => opening(crowded, 10, seed))
      .filter((unit) => unit.lineage?.kind === 'extended' && firstSeed(unit) === 'u1');
    const inMusic = shareOf((unit) => offered(unit).at(-1)?.startsWith('music/') ?? false, extra);
    expect(extra.length).toBeGreaterThan(50);
    // Three of ten tools, each a ninth as likely as others.
    expect(inMusic).toBeLessThan(0.15);
  });

  it('becomes one with other entities if the whole catalog is in the chain', () => {
    const everything = kept(
      'u1',
      catalog.tools.map(({ name }) => name),
    );
    for (const seed of seeds) {
      const [, second] = opening([everything, { ...everything, unit: 'u2' }], 2, seed);
      expect(second?.lineage?.kind).toBe('entities');
    }
  });
});

describe('a recombined variant', () => {
  const recombined = (units: readonly KeptUnit[], followers: readonly Transition[] = []) =>
    seeds
      .flatMap((seed) => opening(units, units.length, seed, followers))
      .filter(({ lineage }) => lineage?.kind === 'recombined');

  it('is offered the tools of both seeds, each once', () => {
    const overlapping = [kept('u1', travel), kept('u2', [tool('travel', 1), tool('games', 0)]), kept('u3', games)];
    const found = recombined(overlapping);
    expect(found.length).toBeGreaterThan(50);
    for (const unit of found) {
      const chains = unit.lineage?.seeds.map(({ chain }) => chain) ?? [];
      expect(chains).toHaveLength(2);
      expect(offered(unit)).toEqual([...new Set(chains.flat())]);
    }
  });

  it('has seeds that can be joined', () => {
    const nested = [
      kept('u1', travel),
      kept('u2', travel.toReversed()),
      kept('u3', [...travel, tool('games', 0)]),
      kept('u4', finance),
    ];
    for (const { lineage, draws } of recombined(nested)) {
      expect(lineage?.seeds.map(({ unit }) => unit)).toContain('u4');
      expect(lineage === null || findLineageProblemOrNull(lineage, draws[0]?.tools ?? [])).toBeNull();
    }
  });

  it('becomes one with other entities if no unit has other tools', () => {
    const alike = ['u1', 'u2', 'u3'].map((unit) => kept(unit, travel));
    expect(recombined(alike)).toEqual([]);
    expect(opening(alike, 3).map(({ lineage }) => lineage?.kind)).toEqual(['entities', 'extended', 'entities']);
  });

  it('prefers a unit whose tools have followed those of its seed', () => {
    const units = [kept('u1', travel), kept('u2', finance), kept('u3', games)];
    const followers: Transition[] = [[tool('travel', 1), tool('games', 1)]];
    const fromTravel = recombined(units, followers).filter((unit) => firstSeed(unit) === 'u1');
    const connected = shareOf(({ lineage }) => lineage?.seeds[1]?.unit === 'u3', fromTravel);
    // e^2 to 1.
    expect(fromTravel.length).toBeGreaterThan(50);
    expect(connected).toBeGreaterThan(0.75);
  });
});

describe('the writer of a variant', () => {
  it('is told the transitions among its tools that three units already have', () => {
    const [first = begun] = opening(
      Array.from({ length: 3 }, (_, n) => kept(`u${n}`, travel)),
      1,
    );
    expect(first.draws[0]?.known).toEqual([travel]);
    const [second = begun] = opening(
      Array.from({ length: 2 }, (_, n) => kept(`u${n}`, travel)),
      1,
    );
    expect(second.draws[0]?.known).toEqual([]);
  });
});

it('followers are the tools called directly after a tool', () => {
  const followersOf = makeFollowingToolsFinder([
    ['a', 'b'],
    ['a', 'c'],
    ['b', 'a'],
  ]);
  expect([followersOf('a'), followersOf('b'), followersOf('c')]).toEqual([['b', 'c'], ['a'], []]);
});
