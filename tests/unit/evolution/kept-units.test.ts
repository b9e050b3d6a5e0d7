import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeptUnits, type KeptUnit } from '#core/exploration/evolution/kept-units.ts';
import { neighbouringToolPairs } from '#core/traces/transitions.ts';
import { hasSameTools } from '#core/similarity/same-tools.ts';

const tools = ['a', 'b', 'c', 'd'];
const domainOf = (tool: string): string => (tool < 'c' ? 'early' : 'late');

const keptUnit = (unit: string, chain: readonly string[], uses = 0): KeptUnit => ({
  unit,
  chain,
  domains: [...new Set(chain.map(domainOf))],
  uses,
});

const anyChange = fc.record({
  unit: fc.constantFrom('u1', 'u2', 'u3', 'u4', 'u5'),
  chain: fc.array(fc.constantFrom(...tools), { minLength: 1, maxLength: 5 }),
  uses: fc.nat(3),
  gone: fc.boolean(),
});

/** All that can be seen of a set of kept units, but their uses. */
const seen = (kept: KeptUnits) => ({
  units: kept.units.map(({ unit, chain }) => [unit, chain]),
  counts: tools.flatMap((from) => tools.map((to) => kept.countUnitsWithTransition(from, to))),
  thinness: ['early', 'late'].map((domain) => kept.computeRarity({ chain: [], domains: [domain] })),
});

describe('kept units', () => {
  it('have the same counts as a recount after any additions and removals', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 30 }), (changes) => {
        const kept = new KeptUnits([]);
        for (const { unit, chain, uses, gone } of changes) {
          if (gone) kept.removeUnit(unit);
          else kept.addUnitOrUpdateUses(keptUnit(unit, chain, uses));
        }
        expect(seen(kept)).toEqual(seen(new KeptUnits(kept.units)));
        expect(kept.size).toBe(kept.units.length);
        for (const from of tools)
          for (const to of tools) {
            const expecting = kept.units.filter(({ chain }) =>
              neighbouringToolPairs(chain).some((pair) => pair[0] === from && pair[1] === to),
            );
            expect(kept.countUnitsWithTransition(from, to)).toBe(expecting.length);
          }
      }),
    );
  });

  it('change only their uses when added again', () => {
    const kept = new KeptUnits([keptUnit('u1', ['a', 'b'])]);
    kept.addUnitOrUpdateUses(keptUnit('u1', ['c', 'd'], 3));
    expect(kept.units).toEqual([keptUnit('u1', ['a', 'b'], 3)]);
    kept.removeUnit('u1');
    kept.removeUnit('u1');
    expect([kept.size, kept.countUnitsWithTransition('a', 'b'), kept.countUnitsWithTransition('c', 'd')]).toEqual([
      0, 0, 0,
    ]);
  });

  it('are found by their tools in any order and with any repetition', () => {
    const kept = new KeptUnits([
      keptUnit('u1', ['a', 'b', 'a']),
      keptUnit('u2', ['a', 'c']),
      keptUnit('u3', ['b', 'a']),
    ]);
    expect(kept.listUnitsWithExactTools(['b', 'a'])).toEqual(['u1', 'u3']);
    expect(kept.listUnitsWithExactTools(['b'])).toEqual([]);
    expect([hasSameTools(['a', 'b'], ['b', 'a', 'b']), hasSameTools(['a'], ['a', 'b'])]).toEqual([true, false]);
  });
});

describe('thinness', () => {
  const kept = new KeptUnits([
    ...Array.from({ length: 4 }, (_, n) => keptUnit(`common${n}`, ['a', 'b'])),
    keptUnit('rare', ['c', 'd']),
  ]);

  it('is 2 for a transition that only one unit has, and lower the more units have it', () => {
    expect(kept.computeRarity(keptUnit('rare', ['c', 'd']))).toBe(2);
    expect(kept.computeRarity(keptUnit('common', ['a', 'b']))).toBe(1 / 4 + 1 / 4);
    expect(kept.computeRarity(keptUnit('mixed', ['a', 'b', 'c', 'd']))).toBe((1 / 4 + 1 + 1) / 3 + (1 / 4 + 1) / 2);
  });

  it('lies in 0..2 and grows when a similar unit is removed', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { minLength: 1, maxLength: 12 }), (changes) => {
        const all = new KeptUnits(changes.map(({ unit, chain }) => keptUnit(unit, chain)));
        for (const unit of all.units) {
          const before = all.computeRarity(unit);
          expect(before).toBeGreaterThan(0);
          expect(before).toBeLessThanOrEqual(2);
          const fewer = new KeptUnits(all.units.filter((other) => other.unit === unit.unit));
          expect(fewer.computeRarity(unit)).toBeGreaterThanOrEqual(before);
        }
      }),
    );
  });
});
