import { describe, expect, it } from 'vitest';
import { findLineageProblemOrNull } from '#core/units/variant-kinds.ts';
import { cards } from '../../offline/cards/index.ts';
import { maskLiterals, listNumbersInMasked } from '../../offline/models/literals.ts';
import { makeDice } from '../../offline/models/seeded.ts';
import { catalog } from './grounded-units.ts';
import { fillIn, gradeOf, scenarioForm, type WrittenPair } from './models-support.ts';
import { goodUnits, writeVariant, type VariantKind, type WrittenVariant } from './variant-units.ts';

const units = goodUnits(150);
const kinds = ['entities', 'extended', 'recombined'] as const;

const variantOf = (kind: VariantKind, index: number, seed = index): WrittenVariant => {
  const first = units.slice(index, index + 1);
  const partner = units.slice((index + 7) % units.length).slice(0, kind === 'recombined' ? 1 : 0);
  const others = makeDice('others', index).shuffle(catalog.map(({ name }) => name));
  const offered = others.filter((name) => first.every(({ chain }) => !chain.includes(name))).slice(0, 4);
  return writeVariant(kind, [...first, ...partner], kind === 'extended' ? offered : [], seed);
};

const variants = new Map(kinds.map((kind) => [kind, units.map((_, index) => variantOf(kind, index))]));

const valuesIn = (text: string): string[] => {
  const masked = maskLiterals(text);
  return [...masked.literals, ...listNumbersInMasked(masked.text)].map((literal) => literal.text);
};

const valuesOf = (pairs: readonly WrittenPair[]): Set<string> =>
  new Set(pairs.flatMap(({ source, followUp }) => [...valuesIn(source), ...valuesIn(followUp)]));

/** Returns the values of a request that its seeds state as well. */
const repeatedIn = ({ seeds, request }: WrittenVariant): string[] => {
  const before = valuesOf(seeds);
  return valuesIn(request ?? '').filter((value) => before.has(value));
};

describe.each(kinds)('a variant of the kind %s', (kind) => {
  const all = variants.get(kind) ?? [];

  it('is written for nearly all units, follows from its seeds and is useful', () => {
    expect(all.filter(({ request }) => request === null).length / all.length).toBeLessThan(0.02);
    const written = all.filter(({ pair }) => pair !== null);
    const strayed = written.filter(
      ({ seeds, pair }) =>
        findLineageProblemOrNull(
          { evolution: 1, kind, seeds: seeds.map(({ chain }) => ({ unit: 'u', chain })) },
          pair?.chain ?? [],
        ) !== null,
    );
    expect(strayed.length / all.length).toBeLessThanOrEqual(0.02);
    const good = written.filter(({ audit }) => audit !== null && gradeOf(audit) >= 80);
    expect(good.length / all.length).toBeGreaterThan(0.8);
    for (const { request } of all) expect((request ?? '').length).toBeLessThanOrEqual(4_000);
  });

  it('has other values than its seeds, except for the few that repeat them', () => {
    const repeating = all.filter((variant) => repeatedIn(variant).length > 0);
    expect(repeating.length / all.length).toBeLessThan(0.2);
    expect(repeating.length).toBeGreaterThanOrEqual(kind === 'entities' ? 1 : 0);
  });

  it('differs for another random seed, and is the same for the same', () => {
    let different = 0;
    for (let index = 0; index < 20; index += 1) {
      const [one, again, other] = [variantOf(kind, index), variantOf(kind, index), variantOf(kind, index, index + 999)];
      expect(again.request).toBe(one.request);
      if (other.request !== one.request) different += 1;
    }
    expect(different).toBeGreaterThanOrEqual(19);
  });
});

describe('the offline writer', () => {
  it('passes a value in most extended and recombined variants', () => {
    for (const kind of ['extended', 'recombined'] as const) {
      const passing = (variants.get(kind) ?? []).filter(({ pair }) =>
        pair?.arguments.some(({ source }) => source.kind === 'field'),
      );
      expect(passing.length / units.length).toBeGreaterThan(0.75);
    }
  });

  it('uses transitions that were rarely seen', () => {
    const transitions = (chain: readonly string[]): string[] => chain.slice(1).map((to, at) => `${chain[at]} ${to}`);
    let before = 0;
    let after = 0;
    for (const [index, unit] of units.slice(0, 30).entries()) {
      const partner = units[index + 40];
      const seeds = partner === undefined ? [unit] : [unit, partner];
      const plain = writeVariant('recombined', seeds, [], index);
      const known = transitions(plain.pair?.chain ?? []);
      const steered = writeVariant(
        'recombined',
        seeds,
        [],
        index,
        known.map((pair) => pair.split(' ')),
      );
      before += known.length;
      after += transitions(steered.pair?.chain ?? []).filter((pair) => known.includes(pair)).length;
    }
    expect(after / before).toBeLessThan(0.25);
  });

  it('returns no variant if nothing fits', () => {
    const [unit] = units;
    const ask = (kind: string, seeds: unknown, tools: unknown) =>
      scenarioForm.parse(fillIn(cards, 'offline-writer', 'variant', { kind, seeds, tools, known: [] }, 1)).scenario;
    const own = catalog.filter(({ name }) => unit?.chain.includes(name));
    expect(ask('entities', [], own)).toBeNull();
    expect(ask('entities', [unit], [])).toBeNull();
    expect(ask('extended', [unit], own)).toBeNull();
    expect(ask('recombined', [unit], own)).toBeNull();
    expect(ask('mirrored', [unit], own)).toBeNull();
  });
});
