import { type CatalogIndex, type CatalogToolKey, makeCatalogIndex } from '#core/exploration/catalog-index.ts';
import { relationOfTools } from '#core/catalog/relation.ts';
import type { SchemaHint } from '#core/exploration/hint/schema-hint.ts';
import { makeRandom, type Random } from '#core/values/random.ts';
import { drawNormal, drawUniformAboveZero } from '../shared/normal-quantile.ts';
import type { WorldFile } from './world-file.ts';

/** A world whose truth only its generator and its executor know, not the samplers. */
export interface World {
  readonly file: WorldFile;
  /** The part of it that a run sees. */
  readonly catalog: CatalogIndex;
  /** By the transition's number: its affinity; a pair without one is no true transition. */
  readonly affinities: ReadonlyMap<number, number>;
  /** The whole catalog as seen by a generator that collapses onto its favourites. */
  readonly collapsed: Menu;
}

/** The steps of a walk: starting places, and the steps from each tool, with their weights. */
export interface Menu {
  readonly starts: readonly Choice[];
  readonly steps: ReadonlyMap<number, readonly Choice[]>;
}

export interface Choice {
  readonly tool: number;
  readonly weight: number;
}

/** Builds the steps from true transitions, given as from, to and weight. */
export const makeMenuOfTransitions = (
  transitions: Iterable<readonly [from: number, to: number, weight: number]>,
): Menu => {
  const steps = new Map<number, Choice[]>();
  const starts = new Map<number, number>();
  for (const [from, to, weight] of transitions) {
    const choices = steps.get(from);
    if (choices) choices.push({ tool: to, weight });
    else steps.set(from, [{ tool: to, weight }]);
    starts.set(from, (starts.get(from) ?? 0) + weight);
  }
  return { starts: Array.from(starts, ([tool, weight]) => ({ tool, weight })), steps };
};

/** Builds the world of a file for a seed: its true transitions and how popular each is. */
export const makeWorld = (file: WorldFile, seed: number): World => {
  const tools = file.servers.flatMap(({ domain, tools: count }, index) => {
    const server = `s${String(index + 1).padStart(4, '0')}`;
    return Array.from({ length: count }, (_, tool) => ({ name: `${server}/t${tool + 1}`, server, domain }));
  });
  const placed = drawTrueTransitions(tools, file, makeRandom('placement', seed));
  const affinities = drawTransitionAffinities(placed, tools.length, file, makeRandom('popularity', seed));
  const hint = drawSchemaHintOfAllPairs(affinities, tools.length, file, makeRandom('hint', seed));
  const collapsed = Array.from(affinities, ([pair, affinity]): [number, number, number] => [
    Math.floor(pair / tools.length),
    pair % tools.length,
    affinity ** file.generator.collapse,
  ]);
  return { file, catalog: makeCatalogIndex(tools, hint), affinities, collapsed: makeMenuOfTransitions(collapsed) };
};

/**
 * Draws the true transitions without replacement by weight: those with the largest sums of log weight and Gumbel noise
 * (Kool et al. 2019). At most two candidates for each wanted one are kept at a time, because a large world has 10^8
 * pairs.
 */
const drawTrueTransitions = (
  tools: readonly CatalogToolKey[],
  { transitions, placement }: WorldFile,
  random: Random,
): number[] => {
  let kept: { readonly pair: number; readonly key: number }[] = [];
  let least = -Infinity;
  const thin = (): void => {
    kept = kept.toSorted((a, b) => b.key - a.key).slice(0, transitions);
    if (kept.length === transitions) least = kept.at(-1)?.key ?? -Infinity;
  };
  for (const [i, from] of tools.entries())
    for (const [j, to] of tools.entries()) {
      if (i === j) continue;
      const gumbel = -Math.log(-Math.log(drawUniformAboveZero(random)));
      const key = Math.log(placement[relationOfTools(from, to)]) + placement.sigma * drawNormal(random) + gumbel;
      if (key <= least) continue;
      kept.push({ pair: i * tools.length + j, key });
      if (kept.length >= 2 * transitions + 1_000) thin();
    }
  thin();
  return kept.map(({ pair }) => pair).toSorted((a, b) => a - b);
};

const drawTransitionAffinities = (
  placed: readonly number[],
  tools: number,
  { popularity: { toolSigma, transitionSigma } }: WorldFile,
  random: Random,
): Map<number, number> => {
  const ofTool = Array.from({ length: tools }, () => Math.exp(toolSigma * drawNormal(random)));
  return new Map(
    placed.map((pair) => [pair, (ofTool[pair % tools] ?? 0) * Math.exp(transitionSigma * drawNormal(random))]),
  );
};

const drawSchemaHintOfAllPairs = (
  affinities: ReadonlyMap<number, number>,
  tools: number,
  { schemaHint: { truePositive, falsePositive } }: WorldFile,
  random: Random,
): SchemaHint => {
  const feasible = new Uint8Array(Math.ceil((tools * tools) / 8));
  for (let pair = 0; pair < tools * tools; pair++)
    if (random.next() < (affinities.has(pair) ? truePositive : falsePositive))
      feasible[pair >> 3] = (feasible[pair >> 3] ?? 0) | (1 << (pair & 7));
  return (from, to) => {
    const pair = from * tools + to;
    return ((feasible[pair >> 3] ?? 0) >> (pair & 7)) & 1;
  };
};
