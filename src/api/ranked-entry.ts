import { entry, type RankedEntry } from '#core/leaderboards/record.ts';
import type { RankedRow } from '#core/leaderboards/ranking.ts';

/** A row of a ranking as clients see it. */
export const parseRankedEntry = ({ json, ...row }: RankedRow): RankedEntry => ({
  ...row,
  entry: entry.parse(JSON.parse(json)),
});
