import type { CatalogIndex } from '../catalog-index.ts';
import { makeRandom, sampleByLogWeight, type Random } from '#core/values/random.ts';
import type { Transition } from '#core/traces/transitions.ts';
import { newUnit } from '#core/units/progress.ts';
import { drawRelationKindByWeight, type RelationWeights } from '#core/units/relation-kinds.ts';
import type { Lineage, Unit, VariantKind } from '#core/units/unit.ts';
import type { KeptUnits, KeptUnit } from './kept-units.ts';

/** Extra tools that an `extended` variant is offered: some that have followed, and one from a domain with few units. */
const followersOffered = 3;
/** Number of units from which on the writer is told that a transition is common. */
const seenOften = 3;
/** Factor by which a partner is preferred whose tools are known to work with the seed's: e^2. */
const connectedLogWeight = 2;

const kinds: readonly VariantKind[] = ['entities', 'extended', 'recombined'];

/** What variants are made from. */
export interface VariantSources {
  readonly kept: KeptUnits;
  readonly catalog: CatalogIndex;
  /** Tools that were called successfully right after a tool, in executions. */
  readonly followersOf: (tool: string) => readonly string[];
}

/** Prefix of the ids of a batch's variants; they sort by evolution and batch. */
export const batchIdPrefix = (evolution: number, batch: number): string =>
  `${variantIdPrefix(evolution)}${String(batch).padStart(4, '0')}-`;

/** Prefix of the ids of all variants of an evolution. */
export const variantIdPrefix = (evolution: number): string => `e${String(evolution).padStart(2, '0')}-`;

/**
 * Returns the variants of a batch. Seeds with rare transitions and domains come first; each use of a seed lowers its
 * chance. Everything is drawn from the kept units and the random seed, so the batch is the same no matter who opens it.
 */
export function makeVariantUnitsOfBatch(
  sources: VariantSources,
  {
    seed,
    evolution,
    batch,
    count,
    relations,
    makesTasks,
  }: { seed: number; evolution: number; batch: number; count: number; relations: RelationWeights; makesTasks: boolean },
): Unit[] {
  const random = makeRandom(seed, 'evolution', evolution, batch);
  const { kept } = sources;
  const logRarity = ({ uses, ...unit }: KeptUnit): number => 2 * Math.log(kept.computeRarity(unit)) - uses;
  // A unit for one tool is told from its siblings, which a variant of it would not be.
  const open = kept.units.filter(({ chain }) => chain.length > 1);
  const seeds = sampleByLogWeight(random, open, logRarity, count);
  return seeds.map((first, index) => {
    const wanted = kinds[(batch + index) % kinds.length] ?? 'entities';
    const { lineage, tools } = drawLineageAndToolsOfVariant(sources, wanted, first, evolution, random);
    return newUnit({
      id: `${batchIdPrefix(evolution, batch)}v${String(index).padStart(2, '0')}`,
      round: batch,
      index,
      probe: false,
      lineage,
      draws: [{ tools, known: frequentTransitionsAmongTools(kept, tools) }],
      relation: drawRelationKindByWeight(makeRandom(seed, 'evolution', evolution, batch, 'relation', index), relations),
      task: makesTasks ? { usesAllServers: false } : undefined,
    });
  });
}

function drawLineageAndToolsOfVariant(
  sources: VariantSources,
  wanted: VariantKind,
  first: KeptUnit,
  evolution: number,
  random: Random,
): { lineage: Lineage; tools: string[] } {
  const makeLineage = (kind: VariantKind, units: readonly KeptUnit[]): Lineage => ({
    evolution,
    kind,
    seeds: units.map(({ unit, chain }) => ({ unit, chain: [...chain] })),
  });
  const second = wanted === 'recombined' ? drawUnitToJoin(sources, first, random) : undefined;
  if (second !== undefined) {
    return {
      lineage: makeLineage('recombined', [first, second]),
      tools: [...new Set([...first.chain, ...second.chain])],
    };
  }
  const more = wanted === 'extended' ? drawToolsToAdd(sources, first, random) : [];
  return more.length > 0
    ? { lineage: makeLineage('extended', [first]), tools: [...first.chain, ...more] }
    : { lineage: makeLineage('entities', [first]), tools: [...first.chain] };
}

/**
 * Draws a kept unit that can be joined with another: each must have a tool that the other lacks. Units whose tools have
 * followed each other, and rare ones, are preferred.
 */
function drawUnitToJoin({ kept, followersOf }: VariantSources, first: KeptUnit, random: Random): KeptUnit | undefined {
  const reached = new Set(first.chain.flatMap((tool) => followersOf(tool)));
  const others = kept.units.filter(
    ({ chain }) => hasToolOutsideOf(chain, first.chain) && hasToolOutsideOf(first.chain, chain),
  );
  const logWeight = (other: KeptUnit): number =>
    Math.log(kept.computeRarity(other)) + (other.chain.some((tool) => reached.has(tool)) ? connectedLogWeight : 0);
  return sampleByLogWeight(random, others, logWeight, 1)[0];
}

const hasToolOutsideOf = (one: readonly string[], other: readonly string[]): boolean =>
  one.some((tool) => !other.includes(tool));

function drawToolsToAdd({ kept, catalog, followersOf }: VariantSources, first: KeptUnit, random: Random): string[] {
  const followed = new Map(
    first.chain.flatMap((from) =>
      followersOf(from).map((to) => [to, kept.countUnitsWithTransition(from, to)] as const),
    ),
  );
  for (const tool of first.chain) followed.delete(tool);
  const rare = sampleByLogWeight(random, [...followed], ([, count]) => -Math.log(1 + count), followersOffered);
  const chosen = rare.map(([tool]) => tool);
  const rest = catalog.tools.filter(({ name }) => !first.chain.includes(name) && !chosen.includes(name));
  const thinnest = sampleByLogWeight(
    random,
    rest,
    ({ domain }) => Math.log(kept.computeRarity({ chain: [], domains: [domain] })),
    1,
  );
  return [...chosen, ...thinnest.map(({ name }) => name)];
}

function frequentTransitionsAmongTools(kept: KeptUnits, tools: readonly string[]): [string, string][] {
  return tools.flatMap((from) =>
    tools
      .filter((to) => to !== from && kept.countUnitsWithTransition(from, to) >= seenOften)
      .map((to): [string, string] => [from, to]),
  );
}

/** Returns a function that gives the tools that follow a tool, from executed transitions. */
export function makeFollowingToolsFinder(transitions: Iterable<Transition>): (tool: string) => readonly string[] {
  const followers = new Map<string, string[]>();
  for (const [from, to] of transitions) {
    const known = followers.get(from);
    if (known === undefined) followers.set(from, [to]);
    else known.push(to);
  }
  return (tool) => followers.get(tool) ?? [];
}
