import type { Context } from 'hono';
import { defaultMetric, rankingMetric, type RankingMetric } from '#core/leaderboards/metrics.ts';
import type { ApiEnv } from '../../context.ts';
import { refusal } from '../../problem.ts';

/** The metric that a page is asked for. */
export function metricOf(c: Context<ApiEnv>): RankingMetric {
  const { data } = rankingMetric.safeParse(c.req.query('metric') ?? defaultMetric);
  if (data === undefined)
    throw refusal('invalid-request', `there is no such metric; there are ${rankingMetric.options.join(', ')}`);
  return data;
}
