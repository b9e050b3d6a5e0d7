import { defaultClaimMs } from '#core/evaluation/lease.ts';
import { isSameMounting } from '#core/units/mounting/mounting.ts';
import { listOfferedMetrics } from './metrics.ts';
import { defaultScoring } from '#core/scoring/parameters.ts';
import type { Entry, LeaderboardCreation, LeaderboardRecord, RecordContent } from './record.ts';
import type { Publication } from './scored-submission.ts';

/** Returns a leaderboard with the number of entries of each tier, as the public sees it. */
export const makeLeaderboardRecord = (
  creation: LeaderboardCreation,
  entries: LeaderboardRecord['entries'],
): LeaderboardRecord => ({
  id: creation.id,
  name: creation.name,
  benchmark: creation.benchmark,
  protocol: creation.protocol,
  trials: creation.trials,
  previous: creation.previous,
  catalog: creation.catalog,
  harness: creation.harness,
  publicUnits: creation.publicUnits,
  privateUnits: creation.privateUnits,
  unproven: creation.unproven ?? null,
  nearDuplicatesLeftOut: creation.nearDuplicatesLeftOut,
  offline: creation.offline,
  judge: { model: creation.judge.model, baseUrl: creation.judge.baseUrl },
  ...(creation.mounting === undefined ? {} : { mounting: creation.mounting }),
  ...(creation.claimMs === undefined ? {} : { claimMs: creation.claimMs }),
  ...(creation.judgeAccuracy === undefined ? {} : { judgeAccuracy: creation.judgeAccuracy }),
  metrics: listOfferedMetrics(creation.protocol, creation.trials),
  entries,
  createdAt: creation.at,
});

/** Returns whether a request to open a leaderboard repeats the one that opened an existing one. */
export const repeatsLeaderboardCreation = (a: LeaderboardCreation, b: LeaderboardCreation): boolean =>
  a.id === b.id &&
  a.workspace === b.workspace &&
  a.name === b.name &&
  a.trials === b.trials &&
  a.previous === b.previous &&
  isSameMounting(a.mounting, b.mounting) &&
  (a.claimMs ?? defaultClaimMs) === (b.claimMs ?? defaultClaimMs) &&
  a.judgeAccuracy === b.judgeAccuracy;

/** Returns the entry of a publication. */
export const makeEntryOfPublication = (
  creation: LeaderboardCreation,
  { submission, name, tier, submittedAt, scored, at }: Publication,
): Entry => ({
  id: submission,
  leaderboard: creation.id,
  benchmark: creation.benchmark,
  protocol: creation.protocol,
  name,
  tier,
  configuration: scored.configuration,
  trials: creation.trials,
  ...scored.figures,
  ...(scored.priceSource === undefined ? {} : { priceSource: scored.priceSource }),
  mounted: scored.mounted,
  isolation: [...scored.isolation],
  offline: creation.offline,
  submittedAt,
  publishedAt: at,
});

/** Returns what is signed of an entry: itself, what its figures depend on, and the log's last hash before it. */
export const makeRecordContent = (
  creation: LeaderboardCreation,
  entry: Entry,
  { prompts, traces }: Publication['scored'],
  logBefore: string,
): RecordContent => ({
  type: 'sextant-record',
  format: 1,
  entry,
  provenance: {
    protocol: creation.protocol,
    catalog: creation.catalog,
    prompts: [...prompts],
    judge: { model: creation.judge.model, baseUrl: creation.judge.baseUrl },
    embedder: { model: creation.embedder.model, baseUrl: creation.embedder.baseUrl },
    harness: creation.harness,
    seed: creation.seed,
    scoring: defaultScoring,
  },
  traces,
  logBefore,
});
