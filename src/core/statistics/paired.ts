import { z } from 'zod';
import type { Random } from '#core/values/random.ts';
import { bootstrapMeanInterval, type BootstrapOptions } from './bootstrap.ts';
import { detectableDifferenceOrNull } from './power.ts';
import { leastPairs, type Verdict, verdicts } from './verdict.ts';

/** Values of one metric by unit id; null is an unscored one. */
export type UnitValues = ReadonlyMap<string, number | null>;

/** A metric of two agents on the units that both have a score for. */
export const pairedComparison = z.object({
  /** Mean of A minus B over the common units; null without any. */
  difference: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** Units for which both agents have a score. */
  n: z.int(),
  /** Units without a score of one or both agents, which are left out. */
  leftOut: z.int(),
  /** The smallest true difference that so many units show in four comparisons of five; null for fewer than six. Absent in earlier releases. */
  detectable: z.number().nullable().optional(),
  verdict: z.enum(verdicts),
});
export type PairedComparison = Readonly<z.infer<typeof pairedComparison>>;

/**
 * Compares two agents on the units that both are scored on, by the bootstrap interval of the mean of the differences within
 * units. Better or worse where the interval excludes 0; fewer than six common units are too few to say. `lowerIsBetter`
 * turns the verdict, not the difference. If the best value lies in the middle, compare absolute values.
 */
export const comparePairedUnitValues = (
  a: UnitValues,
  b: UnitValues,
  random: Random,
  { lowerIsBetter = false, ...options }: BootstrapOptions & { readonly lowerIsBetter?: boolean } = {},
): PairedComparison => {
  const differences: number[] = [];
  // In the order of ids, so that the order of results does not matter.
  const ids = [...new Set([...a.keys(), ...b.keys()])].toSorted();
  for (const id of ids) {
    const ofA = a.get(id) ?? null;
    const ofB = b.get(id) ?? null;
    if (ofA !== null && ofB !== null) differences.push(ofA - ofB);
  }
  const n = differences.length;
  const interval = bootstrapMeanInterval(differences, random, options);
  return {
    difference: n === 0 ? null : differences.reduce((sum, each) => sum + each, 0) / n,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    n,
    leftOut: ids.length - n,
    detectable: detectableDifferenceOrNull(differences),
    verdict: n < leastPairs || interval === null ? 'insufficient-data' : decideVerdict(interval, lowerIsBetter),
  };
};

const decideVerdict = (
  { low, high }: { readonly low: number; readonly high: number },
  lowerIsBetter: boolean,
): Verdict => {
  if (low > 0) return lowerIsBetter ? 'worse' : 'better';
  if (high < 0) return lowerIsBetter ? 'better' : 'worse';
  return 'no-difference';
};
