import { transitionNumber } from '#core/exploration/catalog-index.ts';
import type { UnitOutcome } from '#core/exploration/outcome.ts';
import type { Random } from '#core/values/random.ts';
import type { Transition } from '#core/traces/transitions.ts';
import type { Draw, Unit } from '#core/units/unit.ts';
import { type Choice, type Menu, makeMenuOfTransitions, type World } from './world.ts';

/**
 * Writes and executes a unit like the world's generator and executor. Candidate sets are tried in order until one gives
 * a chain of at least two; after the world's maximum the unit is lost. A unit without candidate sets is written from
 * the whole catalog.
 */
export const simulateUnit = (world: World, unit: Unit, random: Random): UnitOutcome => {
  const { attempts } = world.file.generator;
  const sets: readonly (Draw | null)[] =
    unit.draws.length === 0 ? Array.from({ length: attempts }, () => null) : unit.draws;
  const draws: (readonly string[])[] = [];
  for (const set of sets.slice(0, attempts)) {
    if (set) draws.push(set.tools);
    const chain = drawChain(world, set, random);
    if (chain.length < 2) continue;
    return {
      ...makeLostOutcome(unit, draws),
      status: 'accepted',
      chain,
      traces: simulateExecutionTraces(world, chain, random),
    };
  }
  return makeLostOutcome(unit, draws);
};

const makeLostOutcome = ({ id, probe }: Unit, draws: UnitOutcome['draws']): UnitOutcome => ({
  unit: id,
  probe,
  status: 'lost',
  draws,
  chain: [],
  traces: [],
  valuePassed: [],
  faults: [],
});

const drawChain = (world: World, set: Draw | null, random: Random): string[] => {
  const [shortest, longest] = world.file.generator.chainLength;
  const { starts, steps } = set ? makeMenuOfDraw(world, set) : world.collapsed;
  const length = shortest + random.below(longest - shortest + 1);
  const chain: number[] = [];
  let next = drawUntakenByWeight(random, starts, chain);
  while (next !== undefined) {
    chain.push(next);
    next = chain.length < length ? drawUntakenByWeight(random, steps.get(next) ?? [], chain) : undefined;
  }
  return chain.map((number) => world.catalog.tools[number]?.name ?? '');
};

const makeMenuOfDraw = ({ file, catalog, affinities }: World, set: Draw): Menu => {
  const tools = set.tools.map((name) => catalog.numbers.get(name) ?? -1);
  const known = new Set(set.known.map((pair) => transitionNumber(catalog, pair)));
  return makeMenuOfTransitions(
    tools.flatMap((from) =>
      tools.flatMap((to): [number, number, number][] => {
        const pair = from * catalog.tools.length + to;
        const affinity = affinities.get(pair);
        return affinity === undefined
          ? []
          : [[from, to, affinity * (known.has(pair) ? file.generator.knownWeight : 1)]];
      }),
    ),
  );
};

/** Returns what is left of a chain, split wherever a left-out call made neighbours that are no true transition. */
const simulateExecutionTraces = (world: World, chain: readonly string[], random: Random): UnitOutcome['traces'] => {
  const traces: { calls: { tool: string; ok: boolean }[] }[] = [];
  let previous: string | undefined;
  for (const tool of chain) {
    if (random.next() < world.file.execution.dropRate) continue;
    const call = { tool, ok: true };
    const trace = traces.at(-1);
    if (trace && previous !== undefined && isTrueTransition(world, [previous, tool])) trace.calls.push(call);
    else traces.push({ calls: [call] });
    previous = tool;
  }
  return traces;
};

const isTrueTransition = ({ catalog, affinities }: World, pair: Transition): boolean =>
  affinities.has(transitionNumber(catalog, pair) ?? -1);

/** Draws a tool by weight, none of `taken`; undefined if all weights are zero. */
const drawUntakenByWeight = (
  random: Random,
  choices: readonly Choice[],
  taken: readonly number[],
): number | undefined => {
  const open = choices.filter(({ tool, weight }) => weight > 0 && !taken.includes(tool));
  let left = random.next() * open.reduce((sum, { weight }) => sum + weight, 0);
  for (const { tool, weight } of open) {
    if (left < weight) return tool;
    left -= weight;
  }
  return open.at(-1)?.tool;
};
