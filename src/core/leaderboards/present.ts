import { rankingMetric } from './metrics.ts';
import type { Entry, LeaderboardBirth, LeaderboardRecord, RecordContent } from './record.ts';
import type { Publication } from './scored.ts';

/** A leaderboard with so many entries as anyone sees it. */
export const leaderboardRecordOf = (birth: LeaderboardBirth, entries: number): LeaderboardRecord => ({
  id: birth.id,
  name: birth.name,
  benchmark: birth.benchmark,
  protocol: birth.protocol,
  trials: birth.trials,
  previous: birth.previous,
  catalog: birth.catalog,
  harness: birth.harness,
  publicUnits: birth.publicUnits,
  privateUnits: birth.privateUnits,
  offline: birth.offline,
  judge: { model: birth.judge.model, baseUrl: birth.judge.baseUrl },
  // Nobody has four trials to pass where there are fewer.
  metrics: rankingMetric.options.filter((metric) => metric !== 'pass-hat-4' || birth.trials >= 4),
  entries,
  createdAt: birth.at,
});

/** Whether a leaderboard was opened with what is asked for again. */
export const isSameLeaderboard = (a: LeaderboardBirth, b: LeaderboardBirth): boolean =>
  a.id === b.id &&
  a.workspace === b.workspace &&
  a.name === b.name &&
  a.trials === b.trials &&
  a.previous === b.previous;

/** The entry that a publication becomes. */
export const entryOf = (
  birth: LeaderboardBirth,
  { submission, name, tier, submittedAt, scored, at }: Publication,
): Entry => ({
  id: submission,
  leaderboard: birth.id,
  benchmark: birth.benchmark,
  name,
  tier,
  configuration: scored.configuration,
  trials: birth.trials,
  ...scored.figures,
  offline: birth.offline,
  submittedAt,
  publishedAt: at,
});

/** What is signed of an entry: it, how it came about, and the log's last hash before it. */
export const recordContentOf = (
  birth: LeaderboardBirth,
  entry: Entry,
  { prompts, traces }: Publication['scored'],
  logBefore: string,
): RecordContent => ({
  type: 'sextant-record',
  format: 1,
  entry,
  provenance: {
    protocol: birth.protocol,
    catalog: birth.catalog,
    prompts: [...prompts],
    judge: { model: birth.judge.model, baseUrl: birth.judge.baseUrl },
    embedder: { model: birth.embedder.model, baseUrl: birth.embedder.baseUrl },
    harness: birth.harness,
    seed: birth.seed,
  },
  traces,
  logBefore,
});
