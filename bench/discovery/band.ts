import { valueAtRoundOrLast, type Curve } from './curve.ts';
import { medianOf } from './figures.ts';

/** How much a strategy's runs had found after a number of units. */
export interface BandPoint {
  readonly units: number;
  /** Shares of the true transitions, 0..1. */
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

const points = 250;

/** Returns the curves of all runs of a strategy at some 250 evenly spaced rounds, including the last. */
export function makeEvenlySpacedBand(
  curves: readonly Curve[],
  {
    transitions,
    rounds,
    unitsOfRound,
  }: { readonly transitions: number; readonly rounds: number; readonly unitsOfRound: number },
): BandPoint[] {
  const step = Math.max(1, Math.ceil(rounds / points));
  const steps = Array.from({ length: Math.ceil(rounds / step) }, (_, n) => Math.min(rounds, (n + 1) * step));
  return [
    { units: 0, median: 0, min: 0, max: 0 },
    ...steps.map((round) => {
      const shares = curves.map(({ found }) => valueAtRoundOrLast(found, round) / transitions);
      return {
        units: round * unitsOfRound,
        median: medianOf(shares),
        min: Math.min(...shares),
        max: Math.max(...shares),
      };
    }),
  ];
}
