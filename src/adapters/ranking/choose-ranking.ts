import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { getDeploymentRedis, type Settings } from '#adapters/settings.ts';
import { rankingOrdersOfProtocol } from '#core/leaderboards/metrics.ts';
import type { LeaderboardCreation } from '#core/leaderboards/record.ts';
import type { Ranked, RankingReader, RankingStore } from '#core/leaderboards/ranking.ts';
import { makeRedisRanking } from './redis.ts';

/** Which leaderboard is ranked, and its protocol, which decides the orders. */
export type RankedLeaderboard = Pick<LeaderboardCreation, 'id' | 'protocol'>;

/** The object of a leaderboard, as far as its ranking is read. */
export interface RankingObject extends RankingReader {
  /** Delivers what the database lacks. */
  syncDatabaseRanking(): Promise<void>;
}

/** Enough for a page of a hundred large entries. */
const answerBytes = 16 * 1024 * 1024;

/** Returns the ranking of a leaderboard in the deployment's database; null if the deployment has none. */
export function makeRedisRankingIfConfigured(
  settings: Settings,
  { id, protocol }: RankedLeaderboard,
  admission: Admission,
): RankingStore | null {
  const redis = getDeploymentRedis(settings);
  if (redis === undefined) return null;
  const fetch = makeGuardedFetch({ admission, allowLocal: settings.ALLOW_LOCAL_SERVERS, maxBytes: answerBytes });
  return makeRedisRanking({ admission, id, metrics: rankingOrdersOfProtocol(protocol).metrics, ...redis, fetch });
}

/**
 * Returns the source of a leaderboard's ranking: the deployment's database, if it has one, else the object. A database
 * that does not know the leaderboard may have lost it: then the object answers and delivers its data again.
 */
export function chooseRankingSource(
  settings: Settings,
  leaderboard: RankedLeaderboard,
  object: RankingObject,
  admission: Admission,
): RankingReader {
  const elsewhere = makeRedisRankingIfConfigured(settings, leaderboard, admission);
  return elsewhere === null ? object : rankingWithObjectAsFallback(elsewhere, object);
}

/** A ranking for which the object answers if the store has lost it. */
export function rankingWithObjectAsFallback(store: RankingReader, object: RankingObject): RankingReader {
  const orFromObject = async <T>(
    found: Ranked<T>,
    isLost: (value: T) => boolean,
    instead: () => Promise<Ranked<T>>,
  ) => {
    if (!found.ok || !isLost(found.value)) return found;
    const here = await instead();
    if (here.ok && !isLost(here.value)) await object.syncDatabaseRanking();
    return here;
  };
  return {
    page: async (tier, metric, from, limit) =>
      orFromObject(
        await store.page(tier, metric, from, limit),
        ({ seq }) => seq === 0,
        () => object.page(tier, metric, from, limit),
      ),
    // A missing entry and a missing ranking look the same.
    place: async (metric, id) =>
      orFromObject(
        await store.place(metric, id),
        (place) => place === null,
        () => object.place(metric, id),
      ),
    seq: async () =>
      orFromObject(
        await store.seq(),
        (seq) => seq === 0,
        () => object.seq(),
      ),
  };
}
