import { z } from '@hono/zod-openapi';
import { defaultMetric, rankingMetric } from '#core/leaderboards/metrics.ts';
import {
  boardSubmission,
  entry,
  entryPlace,
  leaderboardRecord,
  listedLeaderboard,
  newLeaderboard,
  rankedEntry,
  signedRecord,
} from '#core/leaderboards/record.ts';

/** What leaderboards look like in the document of the API, each thing under one name. */

export const newLeaderboardBody = newLeaderboard.openapi('NewLeaderboard');
export const leaderboard = leaderboardRecord.openapi('Leaderboard');
export const leaderboardSummary = listedLeaderboard.openapi('LeaderboardSummary');
export const publishedEntry = entry.openapi('Entry');
export const rankedEntryRecord = rankedEntry.extend({ entry: publishedEntry }).openapi('RankedEntry');
export const place = entryPlace.openapi('EntryPlace');
export const signed = signedRecord.openapi('SignedRecord');
export const submissionSummary = boardSubmission.openapi('BoardSubmission');

export const leaderboardParams = z.object({ id: z.string().max(100) });
export const entryParams = leaderboardParams.extend({ entry: z.string().max(100) });

export const metricQuery = z.object({
  metric: rankingMetric.default(defaultMetric).openapi({ description: 'What the entries are ordered by' }),
});

/** The headers of an answer that can be asked for again with `If-None-Match`. */
export const versioned = z.object({ ETag: z.string(), 'Cache-Control': z.string() });

export const notModified = { 304: { description: 'The client holds it already', headers: versioned } } as const;
