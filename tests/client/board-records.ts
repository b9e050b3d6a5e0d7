import type { Entry, EntryPlace, LeaderboardRecord, RankedEntry } from '#core/leaderboards/record.ts';
import { rankingOrdersOfProtocol } from '#core/leaderboards/metrics.ts';
import type { SubmissionRecord } from '#core/leaderboards/submissions/record.ts';
import { agentResult, summary } from './records.ts';

const at = '2026-01-01T00:00:00.000Z';

/** A leaderboard as the API would return it. */
export const leaderboard = (changes: Partial<LeaderboardRecord> = {}): LeaderboardRecord => ({
  id: 'lb_1',
  name: 'Board',
  benchmark: 'bm_1',
  protocol: 'sgvef',
  trials: 1,
  previous: null,
  catalog: 'cat_1',
  harness: 'sextant@0.1.0',
  publicUnits: 10,
  privateUnits: 0,
  unproven: 0,
  offline: true,
  judge: { model: 'j', baseUrl: 'http://m' },
  metrics: [...rankingOrdersOfProtocol('sgvef').metrics],
  entries: { service: 3, gateway: 0, 'self-reported': 0 },
  createdAt: at,
  ...changes,
});

/** A published submission. */
export const entry = (changes: Partial<Entry> = {}): Entry => ({
  id: 'sub_1',
  leaderboard: 'lb_1',
  benchmark: 'bm_1',
  name: 'steady',
  tier: 'service',
  configuration: { loop: 'function-calling', model: 'm', limits: { turns: 20 } },
  trials: 1,
  units: 10,
  attempts: 20,
  notEvaluated: 0,
  scores: {
    ...agentResult('steady', 0.9).scores,
    passes: [{ k: 1, passHatK: summary(0.4) }],
  },
  costUsd: 0.0125,
  priceSource: { readOn: '2026-04-01', url: 'https://models.example/prices' },
  tokens: 617.25,
  durationMs: { median: 900, p95: 2_500 },
  domains: [],
  private: null,
  offline: true,
  submittedAt: at,
  publishedAt: at,
  ...changes,
});

/** An entry in its place. */
export const rankedEntry = (position: number, changes: Partial<Entry> = {}, rank = position): RankedEntry => ({
  position,
  rank,
  ranked: true,
  onFront: position === 1,
  entry: entry({ id: `sub_${position}`, ...changes }),
});

export const entryPlace = (changes: Partial<EntryPlace> = {}): EntryPlace => ({
  metric: 'success',
  position: 3,
  rank: 2,
  ranked: true,
  of: 5,
  onFront: false,
  leader: { with: 'sub_2', name: 'other', difference: -0.01, low: -0.05, high: 0.03, units: 60 },
  above: { with: 'sub_9', name: 'best', difference: -0.2, low: -0.25, high: -0.15, units: 60 },
  ...changes,
});

/** A new submission as the API would return it. */
export const submission = (changes: Partial<SubmissionRecord> = {}): SubmissionRecord => ({
  id: 'sub_1',
  leaderboard: 'lb_1',
  benchmark: 'bm_1',
  name: 'steady',
  tier: 'service',
  trials: 1,
  state: 'queued',
  reason: 'submitted',
  history: [{ state: 'queued', at, reason: 'submitted' }],
  findings: [],
  progress: null,
  createdAt: at,
  ...changes,
});
