import { describe, expect, test } from 'vitest';
import { computeBestScoresOfNullAgents, scorersWithNoticeableFloor } from '#core/evaluation/floor.ts';
import { floorSentences } from '#core/evaluation/floor-text.ts';
import type { ScoreSummary } from '#core/evaluation/results-record.ts';
import { buildRecordByScorer } from '#core/evaluation/scorers.ts';

const summary = (mean: number | null, meanAbsolute: number | null = null): ScoreSummary => ({
  mean,
  low: null,
  high: null,
  n: 4,
  unscored: 0,
  meanAbsolute,
});
const agent = (name: string, means: Partial<Record<string, ScoreSummary>>) => ({
  name,
  scores: buildRecordByScorer((key) => means[key] ?? summary(null)),
});

describe('the floor', () => {
  const scores = computeBestScoresOfNullAgents([
    agent('call-nothing', { mtc: summary(1), tcs: summary(0), ecg: summary(-0.1, 0.1) }),
    agent('call-everything', { mtc: summary(0.5), tcs: summary(0.15), tfd: summary(0.8), ecg: summary(0, 0.4) }),
    agent('copy-tools', { tfd: summary(0.9) }),
  ]);

  test('is the best figure of a null agent: the highest, the lowest, or the nearest to 0, as the scorer has it', () => {
    expect(scores).toEqual({
      mtc: { value: 1, agent: 'call-nothing' },
      tcs: { value: 0.15, agent: 'call-everything' },
      tfd: { value: 0.8, agent: 'call-everything' },
      ecg: { value: 0.1, agent: 'call-nothing' },
    });
  });

  test('names the scorers that can be won blind', () => {
    expect(scorersWithNoticeableFloor(scores)).toEqual(['mtc']);
    const text = floorSentences({ state: 'measured', evaluation: 'evl_1', units: 4, scores }).join(' ');
    expect(text).toContain('MTC 1.00 (call-nothing), TCS 0.15 (call-everything)');
    expect(text).toMatch(/need not be earned here: MTC\.$/);
  });

  test('says that it is not known, or why', () => {
    expect(floorSentences(null)).toEqual(['Nobody has measured what agents that know nothing score here.']);
    expect(floorSentences({ state: 'unavailable', reason: 'no server s' })[0]).toContain('no server s');
    expect(floorSentences({ state: 'running', evaluation: 'evl_1' })[0]).toContain('evl_1');
  });
});
