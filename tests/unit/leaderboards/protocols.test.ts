import { describe, expect, it } from 'vitest';
import { rankBadgeSvg } from '#core/leaderboards/badge.ts';
import { computeEntryFiguresAndUnitValues } from '#core/leaderboards/entry-figures.ts';
import { exportHeaderTextOrEmpty } from '#core/leaderboards/export.ts';
import { findEntryRefusalText } from '#core/leaderboards/limits.ts';
import { listOfferedMetrics, rankingOrdersOfProtocol, listMetricsWithUnitValues } from '#core/leaderboards/metrics.ts';
import { makeEntryOfPublication, makeLeaderboardRecord } from '#core/leaderboards/public-view.ts';
import { computePlacesAndFronts } from '#core/leaderboards/ranking-change.ts';
import { rankingScoreOrNull, sortKeysOfEntryByMetric } from '#core/leaderboards/ranking-score.ts';
import { newLeaderboard, protocolOfEntryOrDefault, type Entry } from '#core/leaderboards/record.ts';
import { findTierRefusalText } from '#core/leaderboards/tier-refusal.ts';
import {
  getProtocol,
  protocolKey,
  scorerKeysOfProtocol,
  type ProtocolKey,
} from '#core/benchmarks/protocols/protocols.ts';
import { caseAfterStageResult, type EvaluationCase } from '#core/evaluation/case.ts';
import { makeScore } from '#core/scoring/score.ts';
import type { AttemptScorerKey } from '#core/evaluation/scorers.ts';
import { submissionTier } from '#core/leaderboards/submissions/state.ts';
import { creationOf, publicationOf, scoredWith } from '../../support/leaderboard.ts';
import { basisOf } from '../evaluation/basis.ts';
import { begun, chain, made, paid } from '../evaluation/cases.ts';

const boardOf = (protocol: ProtocolKey) => ({ ...creationOf('lb_1', 2), protocol });
const noEntries = { service: 0, gateway: 0, 'self-reported': 0 };

/** A finished case at a task, with a judge's value by one scorer. */
function caseWith(unit: string, protocol: ProtocolKey, scorer: AttemptScorerKey, value: number): EvaluationCase {
  const about = { chain, origins: [], judges: true, asked: scorerKeysOfProtocol(protocol) };
  const judgement = {
    kind: 'judgement',
    side: 'request',
    scores: { [scorer]: makeScore(value, {}) },
    classes: [],
    calls: [{ ...paid, role: 'judge' }],
  } as const;
  return [made('request'), judgement].reduce<EvaluationCase>(
    (before, result) => caseAfterStageResult(before, result, about),
    begun({ id: `${unit}.a.01`, unit, requests: ['request'] }),
  );
}

/** The entry of an agent with these values at two units. */
function entryOf(protocol: ProtocolKey, scorer: AttemptScorerKey, values: readonly number[]): Entry {
  const cases = values.map((value, at) => caseWith(`u${at}`, protocol, scorer, value));
  const { figures, values: own } = computeEntryFiguresAndUnitValues('a', basisOf(cases, { protocol }), null);
  const scored = { ...scoredWith([1, 1]), figures, values: own };
  return makeEntryOfPublication(boardOf(protocol), publicationOf('sub_1', scored));
}

describe('the orders of a leaderboard', () => {
  it('are, for pairs, those of earlier releases, so that no existing leaderboard changes', () => {
    expect(rankingOrdersOfProtocol('sgvef')).toEqual({
      headline: 'success',
      metrics: ['success', 'pass-hat-4', 'cost', 'declared-cost', 'tokens', 'duration'],
    });
  });

  it('begin with the headline of the protocol', () => {
    for (const protocol of protocolKey.options) {
      const { headline, metrics } = rankingOrdersOfProtocol(protocol);
      expect(headline).toBe(getProtocol(protocol).headline);
      expect(metrics[0]).toBe(headline);
      expect(makeLeaderboardRecord(boardOf(protocol), noEntries).metrics[0]).toBe(headline);
      expect(listMetricsWithUnitValues(protocol)).toContain(headline);
    }
  });

  it('have pass^4 from four trials on, and neither passes nor use where nothing says what passed', () => {
    expect(listOfferedMetrics('mcp-verse', 4)).toEqual([
      'outcome',
      'pass-hat-4',
      'cost',
      'declared-cost',
      'tokens',
      'duration',
    ]);
    expect(listOfferedMetrics('mcp-verse', 3)).toEqual(['outcome', 'cost', 'declared-cost', 'tokens', 'duration']);
    expect(listOfferedMetrics('mcp-bench', 4)).toEqual(['overall']);
  });

  it('follow the benchmark where nobody names a protocol', () => {
    expect(newLeaderboard.parse({ benchmark: 'bm_1', name: 'x' }).protocol).toBeUndefined();
  });
});

describe('an entry of a task protocol', () => {
  it.each([
    ['live-mcp-bench', 'success'],
    ['mcp-verse', 'outcome'],
  ] as const)('ranks by the headline, and by use only if something passed: %s', (protocol, scorer) => {
    const good = entryOf(protocol, scorer, [1, 0]);
    const bad = entryOf(protocol, scorer, [0, 0]);
    expect(protocolOfEntryOrDefault(good)).toBe(protocol);
    expect(rankingScoreOrNull(good, scorer)).toBe(0.5);
    expect(rankingScoreOrNull(good, 'declared-cost')).toBeGreaterThan(0);
    expect(rankingScoreOrNull(bad, 'declared-cost')).toBeNull();
    expect(Object.keys(sortKeysOfEntryByMetric(good))).toEqual(rankingOrdersOfProtocol(protocol).metrics);
    expect(rankBadgeSvg(good, { rank: 1, of: 1, tied: false })).toContain(`${scorer} 0.500`);
  });

  it('is on the front of cost and headline', () => {
    const orders = rankingOrdersOfProtocol('mcp-verse');
    const places = [
      { id: 'cheap', tier: 'service' as const, keys: { outcome: -0.2, cost: 0.1 } },
      { id: 'good', tier: 'service' as const, keys: { outcome: -0.9, cost: 0.5 } },
      { id: 'beaten', tier: 'service' as const, keys: { outcome: -0.1, cost: 0.6 } },
    ];
    const { places: ranked, fronts } = computePlacesAndFronts(orders, places, () => () => false);
    expect(fronts.service).toEqual(['cheap', 'good']);
    expect(ranked.map(({ leads }) => leads.outcome)).toEqual([true, true, true]);
    expect(ranked[0]?.leads).not.toHaveProperty('success');
  });

  it('has the figures by domain of the scorers of its protocol alone', () => {
    const [domain] = entryOf('mcp-verse', 'outcome', [1, 0]).domains;
    expect(domain).toMatchObject({ outcome: { mean: 0.5 } });
    expect(domain).not.toHaveProperty('tcs');
  });

  it('needs values of its units by every order that compares units', () => {
    const { values } = computeEntryFiguresAndUnitValues(
      'a',
      basisOf([caseWith('u0', 'mcp-verse', 'outcome', 1), caseWith('u1', 'mcp-verse', 'outcome', 1)], {
        protocol: 'mcp-verse',
      }),
      null,
    );
    const offer = { tier: 'service' as const, scored: { ...scoredWith([1, 1]), values } };
    expect(findEntryRefusalText(boardOf('mcp-verse'), 0, offer)).toBeNull();
    expect(findEntryRefusalText(boardOf('sgvef'), 0, offer)).toContain('0 values of success');
  });

  it('is exported with the columns of its protocol', () => {
    const columns = (protocol: ProtocolKey) => exportHeaderTextOrEmpty('csv', protocol).trimEnd().split(',');
    expect(columns('mcp-verse')).toEqual(expect.arrayContaining(['outcome', 'gap_outcome', 'pass_hat_4']));
    expect(columns('mcp-verse')).not.toContain('tcs');
    expect(columns('mcp-bench')).toEqual(expect.arrayContaining(['overall', 'rubric']));
    expect(columns('mcp-bench')).not.toContain('pass_hat_4');
  });
});

describe('the tiers of a leaderboard', () => {
  it('are all open where nothing of an attempt has to be seen', () => {
    for (const protocol of ['sgvef', 'live-mcp-bench', 'mcp-verse'] as const)
      for (const tier of submissionTier.options) expect(findTierRefusalText({ protocol }, tier)).toBeNull();
  });

  it('leave out those in which this service cannot carry out checks', () => {
    const board = { protocol: 'mcp-verse', checkedUnits: 3 } as const;
    expect(findTierRefusalText(board, 'service')).toBeNull();
    for (const tier of ['gateway', 'self-reported'] as const)
      expect(findTierRefusalText(board, tier)).toMatch(/^checks decide on 3 of its units/);
    expect(findTierRefusalText({ ...board, protocol: 'live-mcp-bench' }, 'gateway')).toBeNull();
  });

  it('leave out files where the form of calls is scored', () => {
    expect(findTierRefusalText({ protocol: 'mcp-bench' }, 'self-reported')).toContain('a file can only claim it');
    expect(findTierRefusalText({ protocol: 'mcp-bench' }, 'gateway')).toBeNull();
  });
});
