import type { StrategyName } from '#core/exploration/config.ts';
import { quantileOfSorted } from '#core/statistics/quantile.ts';
import { valueAtRoundOrLast, type Curve, countRoundsToShareOrNull } from './curve.ts';
import { leastUnitsToShare, unitsPerRoundOfWorld } from './limit.ts';
import type { WorldFile } from './world-file.ts';

/** When runs reached something, in rounds or in units. A run that never did counts as later than all others. */
export interface Reached {
  /** Runs that did. */
  readonly reached: number;
  /** All runs. */
  readonly of: number;
  /** Over all runs; null if it falls on one that never reached it. */
  readonly median: number | null;
  readonly min: number | null;
  /** Null if some run never reached it. */
  readonly max: number | null;
}

/** When a strategy had found a share of the true transitions. */
export interface Milestone {
  /** 0..1 */
  readonly share: number;
  readonly rounds: Reached;
  /** All units committed by then: steered ones, lost ones, probes. */
  readonly units: Reached;
}

export interface StrategyFigures {
  /** By rising share; the target is one of them. */
  readonly milestones: readonly Milestone[];
  readonly target: Milestone;
  /** By round: the median over the runs, 0..1. */
  readonly nodeCoverage: ReadonlyMap<number, number>;
  /** Median of the transitions found after 60 rounds; null if there were fewer. */
  readonly foundAt60: number | null;
  /** Median of the transitions found after all rounds. */
  readonly foundAtEnd: number;
  /** What the medians are of. */
  readonly runs: readonly RunFigures[];
}

/** When one run had found shares of the true transitions. */
export interface RunFigures {
  readonly seed: number;
  /** By rising share, the target among them; null where it was never reached. Units are all committed ones. */
  readonly milestones: readonly {
    readonly share: number;
    readonly rounds: number | null;
    readonly units: number | null;
  }[];
  readonly foundAtEnd: number;
}

/** The description of a measurement. */
export interface Setting {
  readonly file: WorldFile;
  readonly rounds: number;
  /** 0..1 */
  readonly target: number;
}

/** The shares whose milestones are always reported. */
export const usualShares = [0.5, 0.8, 0.95] as const;
const coverageRounds = [1, 5, 10, 20, 40, 60, 100, 200, 400, 800, 1_600, 3_200, 6_400];
const earlyRound = 60;

/** Summarizes when runs reached something: a number for each run, null for one that never did. */
export function summarizeWhenRunsReached(when: readonly (number | null)[]): Reached {
  const sorted = when.filter((each) => each !== null).toSorted((a, b) => a - b);
  const all = [...sorted, ...when.filter((each) => each === null)];
  const middle = [all[Math.floor((all.length - 1) / 2)] ?? null, all[Math.ceil((all.length - 1) / 2)] ?? null];
  const known = middle.filter((each) => each !== null);
  return {
    reached: sorted.length,
    of: all.length,
    median: known.length === middle.length ? medianOf(known) : null,
    min: all[0] ?? null,
    max: all.at(-1) ?? null,
  };
}

export const medianOf = (values: readonly number[]): number =>
  quantileOfSorted(
    values.toSorted((a, b) => a - b),
    0.5,
  );

/** A run with the seed that decided it. */
export interface SeededCurve {
  readonly seed: number;
  readonly curve: Curve;
}

/** Summarizes the runs of one strategy. */
export function summarizeStrategyRuns(
  seeded: readonly SeededCurve[],
  { file, rounds, target }: Setting,
): StrategyFigures {
  const curves = seeded.map(({ curve }) => curve);
  const shares = [...new Set([...usualShares, target])].toSorted((a, b) => a - b);
  const runs = seeded.map(({ seed, curve }): RunFigures => ({
    seed,
    milestones: shares.map((share) => {
      const when = countRoundsToShareOrNull(share, curve, file.transitions);
      return { share, rounds: when, units: when === null ? null : when * unitsPerRoundOfWorld(file) };
    }),
    foundAtEnd: valueAtRoundOrLast(curve.found, rounds),
  }));
  const milestoneAt = (share: number): Milestone => {
    const reached = runs.flatMap(({ milestones }) => milestones.filter((each) => each.share === share));
    return {
      share,
      rounds: summarizeWhenRunsReached(reached.map((each) => each.rounds)),
      units: summarizeWhenRunsReached(reached.map(({ units }) => units)),
    };
  };
  const foundAfter = (round: number): number => medianOf(curves.map(({ found }) => valueAtRoundOrLast(found, round)));
  return {
    milestones: shares.map(milestoneAt),
    target: milestoneAt(target),
    runs,
    nodeCoverage: new Map(
      coverageRounds
        .filter((round) => round <= rounds)
        .map((round) => [round, medianOf(curves.map(({ nodeCoverage }) => valueAtRoundOrLast(nodeCoverage, round)))]),
    ),
    foundAt60: rounds < earlyRound ? null : foundAfter(earlyRound),
    foundAtEnd: foundAfter(rounds),
  };
}

/** The ratio of the units of two strategies. */
export interface Ratio {
  readonly value: number;
  /** The other one did not reach it with all its units, so it needs more than counted, and this is an upper bound. */
  readonly atMost: boolean;
}

export interface Comparison extends Setting {
  readonly seeds: number;
  readonly strategies: ReadonlyMap<StrategyName, StrategyFigures>;
  /** Units to the target if every observed transition were new. */
  readonly limitUnits: number;
  /** Ratio of the median units to the target; null where `frontier` was not reached, or one of the two is not compared. */
  readonly frontierToSgvef: Ratio | null;
  readonly frontierToLimit: number | null;
}

/** Compares the strategies, `frontier` with `sgvef`, and `frontier` with the limit. */
export function compareFrontierWithSgvefAndLimit(
  setting: Setting & { readonly seeds: number },
  strategies: ReadonlyMap<StrategyName, StrategyFigures>,
): Comparison {
  const limit = leastUnitsToShare(setting.file, setting.target);
  const frontier = strategies.get('frontier')?.target.units.median ?? null;
  const sgvef = strategies.get('sgvef');
  return {
    ...setting,
    strategies,
    limitUnits: limit,
    frontierToSgvef:
      frontier === null || sgvef === undefined
        ? null
        : computeRatioOrBound(frontier, sgvef.target.units.median, setting.rounds * unitsPerRoundOfWorld(setting.file)),
    frontierToLimit: frontier === null ? null : frontier / limit,
  };
}

/** Divides units by units; `given` is the number of units of a strategy that did not reach the target. */
export const computeRatioOrBound = (units: number, other: number | null, given: number): Ratio => ({
  value: units / (other ?? given),
  atMost: other === null,
});
