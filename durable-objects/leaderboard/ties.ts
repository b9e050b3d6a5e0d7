import type { MakeTieTest } from '#core/leaderboards/ranking-change.ts';
import { unitMetric } from '#core/leaderboards/metrics.ts';
import { isTieOrTooFewUnits, type UnitValues } from '#core/leaderboards/paired-interval.ts';
import type { LeaderboardStore } from './leaderboard-store.ts';

/** Decides ties by the values of units. The leader's values are cached, because many entries are compared with it. */
export const makeTieTestFactory =
  (store: Pick<LeaderboardStore, 'readUnitValues'>): MakeTieTest =>
  (metric) => {
    const { data } = unitMetric.safeParse(metric);
    if (data === undefined) return () => false;
    let last: { readonly id: string; readonly values: UnitValues } | null = null;
    return (leader, other) => {
      if (last?.id !== leader) last = { id: leader, values: store.readUnitValues(leader, data) };
      return isTieOrTooFewUnits(last.values, store.readUnitValues(other, data));
    };
  };
