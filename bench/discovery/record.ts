import type { Comparison, Reached } from './figures.ts';

/** A comparison for programs. If `frontierToSgvef` is a bound, the median of `sgvef` is null. */
export const makeComparisonJson = (comparison: Comparison): object => ({
  world: comparison.file.name,
  target: comparison.target,
  seeds: comparison.seeds,
  limitUnits: comparison.limitUnits,
  strategies: new Map(
    [...comparison.strategies].map(([name, { target, foundAtEnd }]) => [
      name,
      {
        reached: target.units.reached,
        rounds: makeMedianAndRangeJson(target.rounds),
        units: makeMedianAndRangeJson(target.units),
        foundAtEnd,
      },
    ]),
  ),
  runs: [...comparison.strategies].flatMap(([strategy, { runs }]) => runs.map((run) => ({ strategy, ...run }))),
  frontierToSgvef: comparison.frontierToSgvef?.value ?? null,
  frontierToLimit: comparison.frontierToLimit,
});

const makeMedianAndRangeJson = ({ median, min, max }: Reached): object => ({ median, min, max });
