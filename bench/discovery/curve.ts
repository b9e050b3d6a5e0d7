import { z } from 'zod';
import { strategyName } from '#core/exploration/config.ts';
import { nodeCoverage } from '#core/exploration/state.ts';
import { simulateRoundsEndlessly } from './run.ts';
import { worldFile } from './world-file.ts';
import { makeWorld } from './world.ts';

/** A run whose curve is needed. */
export const curveJob = z.strictObject({
  file: worldFile,
  strategy: strategyName,
  /** Determines both the world and the run. */
  seed: z.int(),
  /** Maximum number of rounds. */
  rounds: z.int(),
  /** The share of the true transitions, 0..1, at which it may end earlier. */
  until: z.number(),
});
export type CurveJob = z.infer<typeof curveJob>;

/** The state of a run after each of its rounds, in order. */
export const curve = z.strictObject({
  /** Distinct true transitions that steered units executed. */
  found: z.array(z.int()),
  /** The share of tools with a successful call, 0..1. */
  nodeCoverage: z.array(z.number()),
});
export type Curve = z.infer<typeof curve>;

/** Runs a strategy in a world. */
export function simulateCurve({ file, strategy, seed, rounds, until }: CurveJob): Curve {
  const found: number[] = [];
  const covered: number[] = [];
  for (const { state, discovered } of simulateRoundsEndlessly(makeWorld(file, seed), strategy, seed)) {
    found.push((found.at(-1) ?? 0) + discovered.length);
    covered.push(nodeCoverage(state).value);
    if (found.length === rounds || (found.at(-1) ?? 0) / file.transitions >= until) break;
  }
  return { found, nodeCoverage: covered };
}

/** Returns the value after a round (from 1 on), or the last one if the run had ended by then. */
export const valueAtRoundOrLast = (values: readonly number[], round: number): number =>
  values[Math.min(round, values.length) - 1] ?? 0;

/** Returns the rounds until a share of all transitions was found; null if it never was. */
export function countRoundsToShareOrNull(
  share: number,
  { found }: Pick<Curve, 'found'>,
  transitions: number,
): number | null {
  const place = found.findIndex((count) => count / transitions >= share);
  return place < 0 ? null : place + 1;
}
