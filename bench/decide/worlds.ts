import type { EarlierOutcomes } from '#core/evaluation/expected-spread.ts';
import { makeRandom, type Random } from '#core/values/random.ts';
import { drawNormal } from '../shared/normal-quantile.ts';

/** Two agents at units, as all attempts would turn out, and what earlier agents came to at each of them. */
export interface World {
  /** The difference of B's chance of success minus A's, as a mean over units; null where only outcomes are known. */
  readonly planted: number | null;
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly earlier: readonly EarlierOutcomes[];
}

/** How many earlier agents there are. */
const earlierAgents = 6;

/**
 * How the chances of success at units depend on an agent's ability. `gentle`, `steep`: by the logistic model of item response theory
 * (Rasch 1960), with a standard deviation of the units' difficulties of 2 and 4; under the second, most units are solved by all agents or
 * none. `even`: chances follow the arcsine law, and a better agent is better by as much at every unit, which no choice of units makes use of.
 */
export const profiles = ['gentle', 'steep', 'even'] as const;
export type Profile = (typeof profiles)[number];

/** Returns two agents of a planted difference, 0 or more, with one trial at each unit; every other time B is the worse one. */
export function makeWorld(profile: Profile, units: number, difference: number, run: number): World {
  const random = makeRandom('decide', profile, units, difference, run);
  const chancesOf = profile === 'even' ? makeEvenChances(random, units) : makeLogisticChances(random, units, profile);
  const middle = 0.3 + 0.4 * random.next();
  const [low, high] = [chancesOf(middle, -difference / 2), chancesOf(middle, difference / 2)];
  const [ofA, ofB] = run % 2 === 0 ? [low, high] : [high, low];
  const others = Array.from({ length: earlierAgents }, () => chancesOf(0.25 + 0.5 * random.next(), 0));
  return {
    planted: meanOf(ofB) - meanOf(ofA),
    a: ofA.map((chance) => attempt(random, chance)),
    b: ofB.map((chance) => attempt(random, chance)),
    earlier: ofA.map((_, unit) => ({
      scored: earlierAgents,
      sum: others.reduce((sum, chances) => sum + attempt(random, chances[unit] ?? 0), 0),
    })),
  };
}

/** Returns the outcomes of two of several agents, with all others as earlier ones. */
export function makeRecordedWorld(outcomes: readonly string[], a: number, b: number): World {
  const rows = outcomes.map((row) => Array.from(row, Number));
  const others = rows.filter((_, agent) => agent !== a && agent !== b);
  const ofA = rows[a] ?? [];
  return {
    planted: null,
    a: ofA,
    b: rows[b] ?? [],
    earlier: ofA.map((_, unit) => ({
      scored: others.length,
      sum: others.reduce((sum, row) => sum + (row[unit] ?? 0), 0),
    })),
  };
}

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / values.length;

type Chances = (mean: number, more: number) => number[];

function makeEvenChances(random: Random, units: number): Chances {
  const own = Array.from({ length: units }, () => Math.sin((Math.PI / 2) * random.next()) ** 2);
  return (_, more) => own.map((chance) => (1 - Math.abs(2 * more)) * chance + Math.max(0, 2 * more));
}

function makeLogisticChances(random: Random, units: number, profile: 'gentle' | 'steep'): Chances {
  const spread = profile === 'steep' ? 4 : 2;
  const difficulties = Array.from({ length: units }, () => spread * drawNormal(random));
  const chancesAt = (ability: number): number[] => difficulties.map((hard) => 1 / (1 + Math.exp(hard - ability)));
  return (mean, more) => {
    let [low, high] = [-40, 40];
    for (let halving = 0; halving < 50; halving += 1) {
      const ability = (low + high) / 2;
      if (meanOf(chancesAt(ability)) < mean + more) low = ability;
      else high = ability;
    }
    return chancesAt(low);
  };
}

const attempt = (random: Random, chance: number): number => (random.next() < chance ? 1 : 0);
