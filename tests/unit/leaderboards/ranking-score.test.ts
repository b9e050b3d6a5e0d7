import { describe, expect, test } from 'vitest';
import type { Entry } from '#core/leaderboards/record.ts';
import { rankingMetric, rankingOrdersOfProtocol, listMetricsWithUnitValues } from '#core/leaderboards/metrics.ts';
import { rankingScoreOrNull, sortKeysOfEntryByMetric } from '#core/leaderboards/ranking-score.ts';
import { entryWith } from '../../support/entries.ts';

const units = 20;
/** An entry of 20 units of which so many have a value. */
const valued = (n: number) =>
  entryWith({}, [...Array.from({ length: n }, () => 1), ...Array.from({ length: units - n }, () => null)]);

describe('a score', () => {
  test.each(listMetricsWithUnitValues('sgvef'))('by %s needs nearly all units', (metric) => {
    expect(rankingScoreOrNull(valued(20), metric)).toBe(1);
    expect(rankingScoreOrNull(valued(19), metric)).toBe(1);
    for (const n of [18, 1, 0]) expect(rankingScoreOrNull(valued(n), metric)).toBeNull();
  });

  test('by pass^4 needs four trials of each unit', () => {
    const { scores } = valued(20);
    const [one, four] = scores.passes;
    if (one === undefined || four === undefined) throw new Error('it has both');
    const few = { ...four, passHatK: { ...four.passHatK, n: 1, unscored: 19 } };
    expect(
      rankingScoreOrNull(entryWith({ units, scores: { ...scores, passes: [one, few] } }), 'pass-hat-4'),
    ).toBeNull();
    expect(rankingScoreOrNull(entryWith({ units, scores: { ...scores, passes: [one] } }), 'pass-hat-4')).toBeNull();
  });

  test('by a metric without unit values needs no units', () => {
    const spent = { costUsd: 2, tokens: 300, durationMs: { median: 4, p95: 9 } };
    const of: Entry = { ...valued(1), ...spent, tier: 'service' };
    expect(['cost', 'tokens', 'duration'].map((metric) => rankingScoreOrNull(of, rankingMetric.parse(metric)))).toEqual(
      [2, 300, 4],
    );
  });

  test('by cost is by published prices, and by those that the submitter declared in an order of its own', () => {
    const listed: Entry = { ...valued(20), tier: 'service', costUsd: 2 };
    const declared: Entry = { ...listed, costUsd: 0.000_001, priceSource: undefined };
    const scores = (of: Entry) => (['cost', 'declared-cost'] as const).map((metric) => rankingScoreOrNull(of, metric));
    expect(scores(listed)).toEqual([2, null]);
    expect(scores(declared)).toEqual([null, 0.000_001]);
  });

  test('by what attempts used is missing for an agent that never succeeds', () => {
    const spent = { costUsd: 0.000_001, tokens: 1, durationMs: { median: 1, p95: 1 } };
    for (const values of [[0, 0], [null, null], []]) {
      const idle: Entry = { ...entryWith({}, values), ...spent, tier: 'service' };
      for (const metric of ['cost', 'tokens', 'duration'] as const) expect(rankingScoreOrNull(idle, metric)).toBeNull();
    }
  });

  test('is missing for figures that only the submitter states', () => {
    const spent = { costUsd: 2, tokens: 300, durationMs: { median: 4, p95: 9 } };
    const reported: Entry = { ...valued(20), ...spent, tier: 'self-reported' };
    for (const metric of ['cost', 'tokens', 'duration'] as const)
      expect(rankingScoreOrNull(reported, metric)).toBeNull();
    expect(rankingScoreOrNull(reported, 'success')).toBe(1);
  });

  test('is that on private units where an entry was tried on them, regardless of its public figures', () => {
    const looked = { ...valued(20), tier: 'service' as const, costUsd: 0.000_001 };
    const { scores } = entryWith({}, [0, 0, 0]);
    const none = { units: 3, attempts: 24, notEvaluated: 0, scores, gap: {} };
    expect(rankingScoreOrNull({ ...looked, private: none }, 'success')).toBe(0);
    expect(rankingScoreOrNull({ ...looked, private: none }, 'pass-hat-4')).toBe(0);
    expect(rankingScoreOrNull({ ...looked, private: { ...none, costUsd: 0.000_001 } }, 'cost')).toBeNull();
    const able = { ...none, scores: entryWith({}, [1, 0, 1]).scores, costUsd: 3, tokens: 7 };
    expect(rankingScoreOrNull({ ...looked, private: able }, 'success')).toBeCloseTo(2 / 3);
    expect(rankingScoreOrNull({ ...looked, private: able }, 'cost')).toBe(3);
    expect(rankingScoreOrNull({ ...looked, private: able }, 'tokens')).toBe(7);
    expect(rankingScoreOrNull({ ...looked, private: able }, 'duration')).toBeNull();
  });

  test('is missing by all metrics for an entry of a release that did not measure success', () => {
    const { success: _, ...scores } = valued(20).scores;
    const early: Entry = { ...valued(20), scores, tier: 'service', costUsd: 1, tokens: 1 };
    for (const metric of rankingOrdersOfProtocol('sgvef').metrics) expect(rankingScoreOrNull(early, metric)).toBeNull();
  });

  test('that is missing puts an entry behind the worst one', () => {
    expect(sortKeysOfEntryByMetric(valued(1)).success).toBe(Infinity);
    expect(sortKeysOfEntryByMetric(entryWith({}, [0, 0])).success).toBe(0);
  });
});
