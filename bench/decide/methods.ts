import {
  decideBetweenAgents,
  unitsOfDraw,
  type DrawnBatch,
  type PairDecision,
  type StopRule,
} from '#core/evaluation/decision.ts';
import { expectedSpread } from '#core/evaluation/expected-spread.ts';
import { drawBySpread } from '#core/statistics/draw-by-spread.ts';
import { makeRandom } from '#core/values/random.ts';
import { meanOf, type World } from './worlds.ts';

/** What a method says of two agents, and the share of all planned attempts that it made. */
export interface Answer {
  readonly verdict: PairDecision['verdict'];
  readonly attempts: number;
}

/**
 * `drawn`: as evaluations decide, units drawn by what earlier agents came to. `random`: the same without earlier agents. `filter`: all
 * units that 30 to 70% of the earlier agents' attempts solved, and no others (arXiv 2603.23749): the agent that solves more of them is better.
 * `all`: all units, and the agent that solves more of them.
 */
export const methods = ['drawn', 'random', 'filter', 'all'] as const;
export type Method = (typeof methods)[number];

export function answerBy(method: Method, world: World, stop: StopRule, seed: number): Answer {
  switch (method) {
    case 'drawn':
      return answerByDraws(world, (unit) => expectedSpread(world.earlier[unit] ?? { scored: 0, sum: 0 }), stop, seed);
    case 'random':
      return answerByDraws(world, () => 1, stop, seed);
    case 'filter':
      return answerByMeans(world, ({ scored, sum }) => sum >= 0.3 * scored && sum <= 0.7 * scored);
    case 'all':
      return answerByMeans(world, () => true);
  }
}

function answerByDraws({ a, b }: World, spreadOf: (unit: number) => number, stop: StopRule, seed: number): Answer {
  const size = a.length;
  const spreads = a.map((_, unit) => spreadOf(unit));
  const total = spreads.reduce((sum, spread) => sum + spread, 0);
  const left = new Set(spreads.keys());
  const batches: DrawnBatch[] = [];
  for (let told = 0; ;) {
    const random = makeRandom(seed, 'draw', batches.length);
    const drawn = drawBySpread(random, [...left], (unit) => spreads[unit] ?? 0, unitsOfDraw(size));
    for (const { item } of drawn) {
      left.delete(item);
      told += spreads[item] ?? 0;
    }
    batches.push({
      units: drawn.map(({ item, ...chances }) => ({ unit: String(item), ...chances })),
      share: Math.min(1, told / total),
    });
    const valueAt = (agent: string, unit: string): number => (agent === 'a' ? a : b)[Number(unit)] ?? 0;
    const { pairs } = decideBetweenAgents({ agents: ['a', 'b'], size, stop }, batches, valueAt);
    const verdict = pairs[0]?.verdict ?? 'undecided';
    if (verdict !== 'undecided' || left.size === 0) return { verdict, attempts: 1 - left.size / size };
  }
}

function answerByMeans({ a, b, earlier }: World, takes: (earlier: World['earlier'][number]) => boolean): Answer {
  const taken = earlier.flatMap((each, unit) => (takes(each) ? [unit] : []));
  const difference = meanOf(taken.map((unit) => (b[unit] ?? 0) - (a[unit] ?? 0)));
  const verdict = difference > 0 ? 'better' : difference < 0 ? 'worse' : 'undecided';
  return { verdict, attempts: taken.length / a.length };
}
