import { scorerOf } from '#core/scoring/scorers.ts';
import type { Summary } from '#core/statistics/summary.ts';
import { byMetric, sortKey, type RankingMetric } from './metrics.ts';
import type { Entry } from './record.ts';

/** Share of an entry's units that a metric has to have a value of: the mean of a few is no score of the agent. */
const scoredShare = 0.95;

/**
 * What an entry is ranked with by a metric; null where it has no score. Nor has it one in what only its submitter says: how long attempts took that
 * nobody watched, and how many tokens.
 */
export function scoreOf(
  { tier, units, scores, costUsd, tokens, durationMs }: Entry,
  metric: RankingMetric,
): number | null {
  const watched = tier !== 'self-reported';
  const scoredIn = ({ n }: Pick<Summary, 'n'>): boolean => n / units >= scoredShare;
  switch (metric) {
    case 'pass-hat-4': {
      const all = scores.passes.find(({ k }) => k === 4)?.passHatK;
      return all !== undefined && scoredIn(all) ? all.mean : null;
    }
    case 'cost':
      return watched ? costUsd : null;
    case 'tokens':
      return watched ? tokens : null;
    case 'duration':
      return watched ? (durationMs?.median ?? null) : null;
    default: {
      // An entry of an earlier release lacks the scorers that came later.
      const found = scores[metric];
      if (found === undefined || !scoredIn(found)) return null;
      return scorerOf(metric).direction === 'zero' ? (found.meanAbsolute ?? null) : found.mean;
    }
  }
}

/** What places an entry by every metric. */
export const sortKeys = (of: Entry): Record<RankingMetric, number> =>
  byMetric((metric) => sortKey(metric, scoreOf(of, metric)));
