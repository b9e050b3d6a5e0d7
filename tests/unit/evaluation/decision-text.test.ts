import { expect, test } from 'vitest';
import type { Decision, PairDecision } from '#core/evaluation/decision.ts';
import { decisionSentence } from '#core/evaluation/decision-text.ts';
import { gateMetricOfDecision } from '#core/evaluation/gate.ts';

const pair = (changes: Partial<PairDecision> = {}): PairDecision => ({
  a: 'old',
  b: 'new',
  difference: 0.3,
  low: 0.05,
  high: 0.5,
  verdict: 'better',
  decidedAfter: 31,
  units: 31,
  unscored: 0,
  ...changes,
});
const decisionOf = (...pairs: readonly PairDecision[]): Decision => ({
  difference: 0.1,
  error: 0.05,
  units: 31,
  of: 200,
  isDecided: true,
  best: null,
  pairs: [...pairs],
  means: [
    { agent: 'old', mean: 0.4, low: 0.2, high: 0.6, units: 31, unscored: 0 },
    { agent: 'new', mean: 0.7, low: 0.5, high: 0.9, units: 31, unscored: 0 },
  ],
});

test('a decision is said in one sentence, whichever agent is better', () => {
  expect(decisionSentence(decisionOf(pair()))).toBe('new is better than old, after 31 of 200 units, error at most 5%');
  expect(decisionSentence(decisionOf(pair({ verdict: 'worse' })))).toContain('old is better than new');
  expect(decisionSentence(decisionOf(pair({ verdict: 'no-difference' })))).toContain(
    'old and new do not differ by more than 0.1',
  );
  expect(decisionSentence(decisionOf(pair({ verdict: 'undecided', units: 200 })))).toBe(
    'old and new are not told apart, with all 200 units',
  );
  const three = decisionOf(pair(), pair({ b: 'third' }), pair({ a: 'new', b: 'third', verdict: 'undecided' }));
  expect(decisionSentence({ ...three, best: 'new' })).toBe(
    'new is the best, 2 of 3 pairs are decided, after 31 of 200 units, error at most 5%',
  );
});

test('a gate takes the decision from the side of the candidate', () => {
  const gated = (changes: Partial<PairDecision>, candidate: 'old' | 'new') => {
    const baseline = candidate === 'new' ? 'old' : 'new';
    return gateMetricOfDecision({ scorer: 'success', decision: decisionOf(pair(changes)), baseline, candidate }, 0.1);
  };
  expect(gated({}, 'new')).toMatchObject({
    baseline: 0.4,
    candidate: 0.7,
    verdict: 'holds',
    comparison: { difference: 0.3, low: 0.05, high: 0.5, n: 31, verdict: 'better' },
  });
  expect(gated({}, 'old')).toMatchObject({
    verdict: 'worse',
    comparison: { difference: -0.3, low: -0.5, high: -0.05, verdict: 'worse' },
  });
  expect(gated({ verdict: 'no-difference', low: -0.09, high: 0.09 }, 'new')).toMatchObject({ verdict: 'holds' });
  expect(gated({ verdict: 'undecided', low: -0.2, high: 0.3 }, 'new')).toMatchObject({ verdict: 'insufficient' });
  expect(gated({ a: 'others' }, 'new')).toBeNull();
});
