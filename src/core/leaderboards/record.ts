import { defaultProtocol, protocolKey, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { z } from 'zod';
import { agentConfiguration } from '#core/evaluation/config.ts';
import { buildByTier, submissionState, submissionTier } from './submissions/state.ts';
import { durations, scoreSummary } from '#core/evaluation/results-record.ts';
import { summary } from '#core/statistics/summary.ts';
import { buildByKey } from '#core/scoring/build-by-key.ts';
import { buildRecordByScorer, retiredScorerKeys, scorerKeys } from '#core/evaluation/scorers.ts';
import { scoringParameters } from '#core/scoring/parameters.ts';
import { defaultClaimMs } from '#core/evaluation/lease.ts';
import { priceSource } from '#core/models/list-prices.ts';
import { modelChoice, storedModel } from '#core/models/choices.ts';
import { serverIsolation } from '#core/catalog/isolation/server-isolation.ts';
import { mountedSummary } from '#core/units/mounting/mounted-counts.ts';
import { mounting } from '#core/units/mounting/mounting.ts';
import { rankingMetric } from './metrics.ts';

const claimMs = z.int().min(1_000).max(3_600_000);
const judgeAccuracy = z.number().min(0.5).max(1);

/** What the owner chooses for a leaderboard. Each benchmark has one per protocol. */
export const newLeaderboard = z.strictObject({
  benchmark: z.string().min(1).max(100),
  /** By default the benchmark's. */
  protocol: protocolKey.optional(),
  name: z.string().min(1).max(200),
  /** How often each agent gets each unit: the same for all, at least 4 for a ranking by pass^4. */
  trials: z.int().min(1).max(20).default(4),
  /** The leaderboard of the benchmark's earlier version, which continues an agent's history. */
  previous: z.string().min(1).max(100).optional(),
  /** The judges of all entries; by default the deployment's models. */
  judge: modelChoice.optional(),
  embedder: modelChoice.optional(),
  /** Which tools all agents see; by default what the protocol names. */
  mounting: mounting.optional(),
  /** The longest that an agent at the gateway may hold an attempt, from the claim to the response, in milliseconds. */
  claimMs: claimMs.default(defaultClaimMs),
  /** The least share of attempts with known verdicts that its judge has to read rightly before anything is submitted; by default none. */
  judgeAccuracy: judgeAccuracy.optional(),
});

/** How a leaderboard was opened; never changes. */
export const leaderboardCreation = z.object({
  id: z.string(),
  /** The owner's workspace: its servers are the ones that agents use, and its admins moderate. */
  workspace: z.string(),
  benchmark: z.string(),
  /** The object that holds the benchmark. */
  benchmarkObject: z.string(),
  protocol: protocolKey,
  name: z.string(),
  trials: z.int().min(1),
  previous: z.string().nullable(),
  seed: z.int(),
  catalog: z.string(),
  harness: z.string(),
  publicUnits: z.int(),
  privateUnits: z.int(),
  /** How many of the units are not proven; absent where that is unknown, as in leaderboards of earlier releases. */
  unproven: z.int().optional(),
  /** How many near-duplicates the benchmark leaves out; absent where that is unknown, as with those of earlier releases. */
  nearDuplicatesLeftOut: z.int().optional(),
  /** How many of the units are decided by checks, which only this service can carry out; absent if none is. */
  checkedUnits: z.int().min(1).optional(),
  /** True if rules replace models. */
  offline: z.boolean(),
  /** The same seed for all entries. */
  judge: storedModel,
  embedder: storedModel,
  /** Absent if an earlier release opened it, which mounted `oracle`. */
  mounting: mounting.optional(),
  /** Absent if an earlier release opened it; then it is the default. */
  claimMs: claimMs.optional(),
  /** Absent if nothing is demanded of its judge. */
  judgeAccuracy: judgeAccuracy.optional(),
  at: z.string(),
});
export type LeaderboardCreation = z.infer<typeof leaderboardCreation>;

/** A leaderboard as the public sees it. */
export const leaderboardRecord = z.object({
  id: z.string(),
  name: z.string(),
  benchmark: z.string(),
  protocol: protocolKey,
  trials: z.int(),
  previous: z.string().nullable(),
  catalog: z.string(),
  harness: z.string(),
  publicUnits: z.int(),
  privateUnits: z.int(),
  /** How many of the units are not proven; null where that is unknown. */
  unproven: z.int().nullable(),
  /** How many near-duplicates the benchmark leaves out; absent where that is unknown. */
  nearDuplicatesLeftOut: z.int().optional(),
  offline: z.boolean(),
  judge: z.object({ model: z.string(), baseUrl: z.string() }),
  /** Which tools all agents see. Absent if an earlier release opened it, which mounted `oracle`; the log's first hash is of the form without. */
  mounting: mounting.optional(),
  /** The longest that an agent at the gateway may hold an attempt. Absent if an earlier release opened it; then it is ten minutes. */
  claimMs: claimMs.optional(),
  /** The least share of attempts with known verdicts that its judge has to read rightly. Absent if nothing is demanded. */
  judgeAccuracy: judgeAccuracy.optional(),
  metrics: z.array(rankingMetric),
  /** How many there are of each tier. */
  entries: z.object(buildByTier(() => z.int())),
  createdAt: z.string(),
});
export type LeaderboardRecord = z.infer<typeof leaderboardRecord>;

const perK = z.object({ k: z.int(), passHatK: summary });

/**
 * Means over units with their 95% intervals, by scorer. An entry of an earlier release lacks newer scorers, and may have those
 * that no longer exist.
 */
export const entryScores = z.object({
  ...buildRecordByScorer(() => scoreSummary.optional()),
  ...buildByKey(retiredScorerKeys, () => scoreSummary.optional()),
  /** The probability that all of k trials pass. */
  passes: z.array(perK),
});
export type EntryScores = z.infer<typeof entryScores>;

/** The public mean minus the private one, with a 95% interval: what does not carry over to unseen units. */
export const splitGap = z
  .object({
    difference: z.number().nullable(),
    low: z.number().nullable(),
    high: z.number().nullable(),
  })
  .meta({ id: 'SplitGap' });
export type SplitGap = z.infer<typeof splitGap>;

/** A published submission. */
export const entry = z.object({
  /** Id of the submission. */
  id: z.string(),
  leaderboard: z.string(),
  benchmark: z.string(),
  /** How its attempts were evaluated; absent in entries of earlier releases, of `sgvef`. */
  protocol: protocolKey.optional(),
  name: z.string(),
  tier: submissionTier,
  configuration: agentConfiguration,
  trials: z.int(),
  units: z.int(),
  attempts: z.int(),
  /** Attempts that infrastructure faults broke: their units have no value. */
  notEvaluated: z.int(),
  /** Attempts that were repeated after an infrastructure fault; missing in entries of earlier versions. */
  relaunched: z.int().optional(),
  scores: entryScores,
  /**
   * Mean cost of an attempt, including a try that a fault broke; null if we did not see the agent's model. It is computed from the
   * tokens and the prices in `configuration`, and null without prices.
   */
  costUsd: z.number().nullable(),
  /** Where the prices in `configuration` were published; absent if its submitter named them, or in entries of earlier releases. */
  priceSource: priceSource.optional(),
  tokens: z.number().nullable(),
  durationMs: durations,
  /** Which tools it saw in the public units; absent in entries of earlier releases, which mounted `oracle`. */
  mounted: mountedSummary.optional(),
  /** How attempts were kept apart on each server; absent in entries of earlier releases, which did not say. */
  isolation: z.array(serverIsolation).optional(),
  /** The headline, and the scorers that need no judge. */
  domains: z.array(z.object({ ...buildRecordByScorer(() => summary.optional()), name: z.string(), units: z.int() })),
  /** The same agent on private units, by which it ranks then; null if it was not tried on them. */
  private: z
    .object({
      units: z.int(),
      attempts: z.int(),
      notEvaluated: z.int(),
      scores: entryScores,
      /** Means of an attempt; missing in entries of earlier versions. */
      costUsd: z.number().nullable().optional(),
      tokens: z.number().nullable().optional(),
      durationMs: durations.optional(),
      /** Only for scorers for which more is better. */
      gap: z.partialRecord(z.enum([...scorerKeys, ...retiredScorerKeys]), splitGap),
    })
    .nullable(),
  offline: z.boolean(),
  submittedAt: z.string(),
  publishedAt: z.string(),
});
export type Entry = z.infer<typeof entry>;

/** Returns how an entry's attempts were evaluated. */
export const protocolOfEntryOrDefault = ({ protocol }: Pick<Entry, 'protocol'>): ProtocolKey =>
  protocol ?? defaultProtocol;

/** An entry with its rank among those of its tier, by some metric. */
export const rankedEntry = z.object({
  /** From 1, by the metric only. */
  position: z.int(),
  /** The position of the first entry of its group of ties. */
  rank: z.int(),
  /** Whether it has a place by the metric. Those without a score, or too far behind the best to be ordered by use, are listed last. */
  ranked: z.boolean(),
  /** Whether no other entry of its tier is as good in both the headline and cost and better in one of them. */
  onFront: z.boolean(),
  entry,
});
export type RankedEntry = z.infer<typeof rankedEntry>;

/** A leaderboard that is to be listed. */
export const newlyListedLeaderboard = z.object({
  id: z.string(),
  name: z.string(),
  benchmark: z.string(),
  protocol: protocolKey,
  createdAt: z.string(),
});
export type NewlyListedLeaderboard = z.infer<typeof newlyListedLeaderboard>;

/** How much a leaderboard has: entries that are published, and submissions in any state. */
export const leaderboardCounts = z.object({ entries: z.int().min(0), submissions: z.int().min(0) });
export type LeaderboardCounts = z.infer<typeof leaderboardCounts>;

/** A leaderboard in a list. A count is null until a leaderboard that was opened with an earlier release has reported it. */
export const listedLeaderboard = newlyListedLeaderboard.extend({
  entries: leaderboardCounts.shape.entries.nullable(),
  submissions: leaderboardCounts.shape.submissions.nullable(),
});
export type ListedLeaderboard = z.infer<typeof listedLeaderboard>;

/** A submission as the leaderboard's moderators see it in a list. */
export const boardSubmission = z.object({
  id: z.string(),
  name: z.string(),
  tier: submissionTier,
  state: submissionState,
  createdAt: z.string(),
});
export type BoardSubmission = z.infer<typeof boardSubmission>;

/**
 * The reasons for an entry's rank: its paired comparisons with the leader of its group, and with the leader of the
 * group above.
 */
export const pairedPlace = z.object({
  with: z.string(),
  name: z.string(),
  /** The mean over common units of this entry minus the other; 95% by Student's t. */
  difference: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  units: z.int(),
});
export type PairedPlace = z.infer<typeof pairedPlace>;

export const entryPlace = z.object({
  metric: rankingMetric,
  position: z.int(),
  rank: z.int(),
  ranked: z.boolean(),
  of: z.int(),
  onFront: z.boolean(),
  /** Null for an entry that leads its group. */
  leader: pairedPlace.nullable(),
  /** The leader of the group above; null in the first group. */
  above: pairedPlace.nullable(),
});
export type EntryPlace = z.infer<typeof entryPlace>;

/** A line of a leaderboard's log. `hash` covers the previous line and this one, so a removed or altered line shows. */
export const logLine = z.object({
  n: z.int().min(1),
  at: z.string(),
  /** `reordered`: a release changed what entries can be ordered by. `private-units`: a submission was given the private units. */
  kind: z.enum(['opened', 'private-units', 'published', 'hidden', 'shown', 'withdrawn', 'reordered']),
  /** The entry concerned, or the submission that is given private units; null for the leaderboard itself. */
  entry: z.string().nullable(),
  name: z.string(),
  /** SHA-256 of the entry's signed record when it is published; of the leaderboard's definition when it is opened or reordered. */
  record: z.string().nullable(),
  reason: z.string(),
  hash: z.string(),
});
export type LogLine = z.infer<typeof logLine>;

/** The signed content of a published entry's record. */
export const recordContent = z.object({
  type: z.literal('sextant-record'),
  format: z.literal(1),
  entry,
  provenance: z.object({
    protocol: protocolKey,
    catalog: z.string(),
    prompts: z.array(z.string()),
    judge: z.object({ model: z.string(), baseUrl: z.string() }),
    embedder: z.object({ model: z.string(), baseUrl: z.string() }),
    harness: z.string(),
    seed: z.int(),
    /** The parameters of the metrics; absent in records of earlier releases, which had the defaults. */
    scoring: scoringParameters.optional(),
  }),
  /** The seals of the traces from which the scores were computed; the public traces can be downloaded and compared. */
  traces: z.object({
    public: z.object({ attempts: z.int(), sha256: z.string() }),
    private: z.object({ attempts: z.int(), sha256: z.string() }).nullable(),
  }),
  /** The log's last hash before this entry was published. */
  logBefore: z.string(),
});
export type RecordContent = z.infer<typeof recordContent>;

/** A record with its Ed25519 signature over its canonical JSON (RFC 8785). */
export const signedRecord = z.strictObject({
  record: recordContent,
  /** Base64. */
  signature: z.string(),
  /** The public key, base64 of its 32 bytes. */
  publicKey: z.string(),
});
export type SignedRecord = z.infer<typeof signedRecord>;
