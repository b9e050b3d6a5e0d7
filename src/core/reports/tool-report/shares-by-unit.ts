import { pooledShareInterval } from '#core/statistics/share-interval.ts';
import type { ObservedShare } from './record.ts';

/** How often something was the case in each unit, of how many times. */
export type SharesByUnit = Map<string, { readonly count: number; readonly of: number }>;

/** Counts one more time in a unit. */
export function countInShareOfUnit(shares: SharesByUnit, unit: string, isSo: boolean): void {
  const { count, of } = shares.get(unit) ?? { count: 0, of: 0 };
  shares.set(unit, { count: count + Number(isSo), of: of + 1 });
}

/** Returns the share over all units, with its 95% interval, which takes units as the sample. */
export function makeObservedShare(shares: SharesByUnit): ObservedShare {
  const units = [...shares.values()];
  const count = units.reduce((sum, each) => sum + each.count, 0);
  const of = units.reduce((sum, each) => sum + each.of, 0);
  return { count, of, share: of === 0 ? null : count / of, interval: pooledShareInterval(units) };
}
