import { getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import type { Summary } from '#core/statistics/summary.ts';
import { buildByMetric, rankingOrdersOfProtocol, ascendingSortKeyOfScore, type RankingMetric } from './metrics.ts';
import { protocolOfEntryOrDefault, type Entry } from './record.ts';

/** Minimum share of an entry's units with a value: the mean of a few units is no score. */
const scoredShare = 0.95;

/** The figures by which an entry is ranked. */
type RankingFigures = Pick<Entry, 'units' | 'scores' | 'costUsd' | 'tokens' | 'durationMs'>;

/** Returns the figures by which an entry is ranked: those on the private units if it was tried on them, which nobody can look up. */
export function pickRankingFigures(of: Entry): RankingFigures {
  if (of.private === null) return of;
  const { units, scores, costUsd = null, tokens = null, durationMs = null } = of.private;
  return { units, scores, costUsd, tokens, durationMs };
}

/** Returns whether an entry's cost is computed by published prices; otherwise its submitter named them. */
export const isCostByListPrices = ({ priceSource }: Pick<Entry, 'priceSource'>): boolean => priceSource !== undefined;

/**
 * Returns the score by which an entry is ranked; null if it has none. There is none for figures that only its submitter
 * states: times and tokens of attempts that nobody watched. An agent that never succeeds is not ranked by what it used:
 * doing nothing is cheap and fast.
 */
export function rankingScoreOrNull(of: Entry, metric: RankingMetric): number | null {
  const { headline, verdict } = getProtocol(protocolOfEntryOrDefault(of));
  const { units, scores, costUsd, tokens, durationMs } = pickRankingFigures(of);
  // An entry of an earlier release, which compared other units.
  if (scores[headline] === undefined) return null;
  const isRankedByUse = of.tier !== 'self-reported' && (scores[verdict ?? headline]?.mean ?? 0) > 0;
  const hasEnoughUnits = ({ n }: Pick<Summary, 'n'>): boolean => n / units >= scoredShare;
  switch (metric) {
    case 'pass-hat-4': {
      const all = scores.passes.find(({ k }) => k === 4)?.passHatK;
      return all !== undefined && hasEnoughUnits(all) ? all.mean : null;
    }
    case 'cost':
      return isRankedByUse && isCostByListPrices(of) ? costUsd : null;
    case 'declared-cost':
      return isRankedByUse && !isCostByListPrices(of) ? costUsd : null;
    case 'tokens':
      return isRankedByUse ? tokens : null;
    case 'duration':
      return isRankedByUse ? (durationMs?.median ?? null) : null;
    default: {
      // An entry of an earlier release lacks newer scorers.
      const found = scores[metric];
      return found !== undefined && hasEnoughUnits(found) ? found.mean : null;
    }
  }
}

/** Returns the cost of an entry whose use counts, by whichever prices; null if it is unknown. */
export const knownCostOrNull = (of: Entry): number | null =>
  rankingScoreOrNull(of, 'cost') ?? rankingScoreOrNull(of, 'declared-cost');

/** Returns an entry's sort keys by every metric of its leaderboard. */
export const sortKeysOfEntryByMetric = (entry: Entry): Partial<Record<RankingMetric, number>> =>
  buildByMetric(rankingOrdersOfProtocol(protocolOfEntryOrDefault(entry)).metrics, (metric) =>
    ascendingSortKeyOfScore(metric, rankingScoreOrNull(entry, metric)),
  );
