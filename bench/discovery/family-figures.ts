import { medianOf, type Ratio, computeRatioOrBound } from './figures.ts';
import { unitsPerRoundOfWorld } from './limit.ts';
import type { WorldFile } from './world-file.ts';

/** A random world, and what both strategies needed in it. */
export interface FamilyRow {
  readonly seed: number;
  readonly file: WorldFile;
  /** Units to the target, including probes and lost ones; null if all rounds were not enough. */
  readonly sgvef: number | null;
  readonly frontier: number | null;
  /** Ratio of the units of `frontier` to those of `sgvef`; null if `frontier` did not reach the target. */
  readonly ratio: Ratio | null;
  /** Whether `frontier` needed more; null if neither reached the target. */
  readonly worse: boolean | null;
}

export interface FamilySummary {
  /** Worlds in which `frontier` needed more units than `sgvef`. */
  readonly worse: number;
  /** Worlds in which neither reached the target; they count nowhere else. */
  readonly undecided: number;
  /** Over the worlds in which `frontier` reached the target; bounds count as values. Null if it never did. */
  readonly medianRatio: number | null;
  readonly largestRatio: number | null;
}

/** Compares both strategies in a world by the rounds that they needed; null for more than `rounds`. */
export function compareUnitsNeeded(
  { seed, file }: { readonly seed: number; readonly file: WorldFile },
  needed: { readonly sgvef: number | null; readonly frontier: number | null },
  rounds: number,
): FamilyRow {
  const each = unitsPerRoundOfWorld(file);
  const sgvef = needed.sgvef === null ? null : needed.sgvef * each;
  const frontier = needed.frontier === null ? null : needed.frontier * each;
  return {
    seed,
    file,
    sgvef,
    frontier,
    ratio: frontier === null && sgvef === null ? null : computeRatioOrBound(frontier ?? Infinity, sgvef, rounds * each),
    worse: frontier === null && sgvef === null ? null : (frontier ?? Infinity) > (sgvef ?? Infinity),
  };
}

export function summarizeFamily(rows: readonly FamilyRow[]): FamilySummary {
  const ratios = rows.flatMap(({ ratio }) => (ratio === null ? [] : [ratio.value]));
  return {
    worse: rows.filter(({ worse }) => worse === true).length,
    undecided: rows.filter(({ worse }) => worse === null).length,
    medianRatio: ratios.length === 0 ? null : medianOf(ratios),
    largestRatio: ratios.length === 0 ? null : Math.max(...ratios),
  };
}
