import type { Entry, EntryPlace, LeaderboardRecord, RankedEntry, SignedRecord } from '#core/leaderboards/record.ts';
import { standardMounting } from '#core/units/mounting/mounting.ts';
import { rankingOrdersOfProtocol } from '#core/leaderboards/metrics.ts';
import { published, publicationOf, scoredWith } from './leaderboard.ts';

/** Entries and what belongs to them, as pages and files show them. */

export const at = '2026-05-01T12:00:00.000Z';
export const boardId = `lb_${'0'.repeat(24)}`;

export function entryWith(more: Partial<Entry> = {}, values: readonly (number | null)[] = [0.25, 0.75]): Entry {
  const { submission, name, tier, submittedAt, scored } = publicationOf('sub_a', scoredWith(values));
  return {
    id: submission,
    leaderboard: boardId,
    benchmark: 'bm_1',
    name,
    tier,
    configuration: scored.configuration,
    trials: 4,
    ...scored.figures,
    priceSource: published,
    offline: false,
    submittedAt,
    publishedAt: at,
    ...more,
  };
}

export const ranked = (entry: Entry, more: Partial<RankedEntry> = {}): RankedEntry => ({
  position: 1,
  rank: 1,
  ranked: true,
  onFront: false,
  entry,
  ...more,
});

export const boardWith = (more: Partial<LeaderboardRecord> = {}): LeaderboardRecord => ({
  id: boardId,
  name: 'A leaderboard',
  benchmark: 'bm_1',
  protocol: 'sgvef',
  trials: 4,
  previous: null,
  catalog: 'cat_1',
  harness: 'harness 1',
  publicUnits: 2,
  privateUnits: 0,
  unproven: 0,
  offline: false,
  judge: { model: 'judge', baseUrl: 'https://models.example/v1' },
  mounting: standardMounting,
  metrics: [...rankingOrdersOfProtocol('sgvef').metrics],
  entries: { service: 1, gateway: 0, 'self-reported': 0 },
  createdAt: at,
  ...more,
});

export const placeWith = (more: Partial<EntryPlace> = {}): EntryPlace => ({
  metric: 'success',
  position: 1,
  rank: 1,
  ranked: true,
  of: 1,
  onFront: false,
  leader: null,
  above: null,
  ...more,
});

export const vouchedFor = (entry: Entry): SignedRecord => ({
  record: {
    type: 'sextant-record',
    format: 1,
    entry,
    provenance: {
      protocol: 'sgvef',
      catalog: 'cat_1',
      prompts: ['agent.v1'],
      judge: { model: 'judge', baseUrl: 'https://models.example/v1' },
      embedder: { model: 'embedder', baseUrl: 'https://models.example/v1' },
      harness: 'harness 1',
      seed: 1,
    },
    traces: { public: { attempts: 16, sha256: 'a'.repeat(64) }, private: null },
    logBefore: '',
  },
  signature: 'c2lnbmF0dXJl',
  publicKey: 'a2V5',
});
