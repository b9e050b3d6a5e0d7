import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lineage, VariantKind } from '#core/units/unit.ts';
import { findLineageProblemOrNull } from '#core/units/variant-kinds.ts';

const lineage = (kind: VariantKind, ...chains: readonly string[][]): Lineage => ({
  evolution: 1,
  kind,
  seeds: chains.map((chain, place) => ({ unit: `s${place}`, chain })),
});
const follows = (from: Lineage, chain: readonly string[]): boolean => findLineageProblemOrNull(from, chain) === null;

describe('a variant with other entities', () => {
  const of = lineage('entities', ['a', 'b']);
  it('has exactly the chain of its seed', () => {
    expect(follows(of, ['a', 'b'])).toBe(true);
    for (const chain of [['b', 'a'], ['a'], ['a', 'b', 'b'], []]) expect(follows(of, chain)).toBe(false);
  });
});

describe('an extended variant', () => {
  const of = lineage('extended', ['a', 'b']);
  it('has more steps, with those of its seed in their order', () => {
    for (const chain of [
      ['a', 'b', 'c'],
      ['c', 'a', 'b'],
      ['a', 'c', 'b'],
      ['a', 'a', 'b'],
    ])
      expect(follows(of, chain)).toBe(true);
    for (const chain of [['a', 'b'], ['b', 'a', 'c'], ['a', 'c', 'd'], ['a']]) expect(follows(of, chain)).toBe(false);
  });

  it('accepts any result of inserting steps into a chain', () => {
    const tool = fc.constantFrom('a', 'b', 'c');
    fc.assert(
      fc.property(
        fc.array(tool, { minLength: 1, maxLength: 5 }),
        fc.array(fc.tuple(fc.nat(9), tool), { minLength: 1, maxLength: 4 }),
        (seed, more) => {
          const chain = more.reduce(
            (longer, [at, added]) => longer.toSpliced(at % (longer.length + 1), 0, added),
            seed,
          );
          expect(follows(lineage('extended', seed), chain)).toBe(true);
        },
      ),
    );
  });
});

describe('a recombined variant', () => {
  const of = lineage('recombined', ['a', 'b'], ['c', 'd']);
  it('has steps of both seeds', () => {
    for (const chain of [
      ['a', 'd'],
      ['c', 'b'],
      ['a', 'b', 'c', 'd'],
    ])
      expect(follows(of, chain)).toBe(true);
    for (const chain of [['a', 'b'], ['c', 'd'], ['b', 'a'], ['a', 'x'], []]) expect(follows(of, chain)).toBe(false);
  });

  it('does not count a tool that both seeds have', () => {
    const overlapping = lineage('recombined', ['a', 'b'], ['b', 'c']);
    expect(follows(overlapping, ['b', 'a'])).toBe(false);
    expect(follows(overlapping, ['b', 'c', 'b'])).toBe(false);
    expect(follows(overlapping, ['a', 'b', 'c'])).toBe(true);
    expect(follows(overlapping, ['c', 'a'])).toBe(true);
  });

  it('needs two seeds', () => {
    expect(follows(lineage('recombined', ['a', 'b']), ['a', 'c'])).toBe(false);
  });
});

it('the reason for rejecting a chain names how it strayed', () => {
  expect(findLineageProblemOrNull(lineage('entities'), ['a'])).toBe('it has no seed');
  expect(findLineageProblemOrNull(lineage('entities', ['a']), ['b'])).toBe('the chain is not that of its seed');
  expect(findLineageProblemOrNull(lineage('extended', ['a']), ['b'])).toBe("the chain does not extend its seed's");
  expect(findLineageProblemOrNull(lineage('recombined', ['a'], ['b']), ['b'])).toBe(
    "the chain does not join steps of both seeds'",
  );
});
