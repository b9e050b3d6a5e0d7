import { describe, expect, it } from 'vitest';
import type { Comparison, EvaluationResults } from '#core/evaluation/record.ts';
import { makeBoardPicture, makeEntryPicture, type PicturedTier } from '#core/pictures/board-picture.ts';
import { findComparedAgentsOrNull, makeEvaluationPicture } from '#core/pictures/evaluation-picture.ts';
import { makeExplorationPicture } from '#core/pictures/exploration-picture.ts';
import { sayPicture } from '#core/pictures/link-picture.ts';
import { agentResult, evaluation, exploration } from '../client/records.ts';
import { boardWith, entryWith, ranked } from '../support/entries.ts';

const scored = (name: string, mean: number | null) => {
  const agent = agentResult(name, mean ?? 0);
  const interval = mean === null ? null : mean - 0.1;
  const success = { mean, low: interval, high: mean === null ? null : mean + 0.1, n: 40, unscored: 0 };
  return { ...agent, scores: { ...agent.scores, success } };
};
const resultsOf = (...agents: EvaluationResults['agents']): EvaluationResults => ({
  protocol: 'sgvef',
  agents,
  mounted: [],
  isolation: [],
  user: 'decline',
  floor: null,
  adaptations: [],
});
const compared = (
  verdict: 'better' | 'worse' | 'no-difference' | 'insufficient-data',
  [difference, low, high]: readonly [number, number, number],
): Comparison => ({
  a: 'steady',
  b: 'hasty',
  scores: { success: { difference, low, high, n: 40, leftOut: 0, verdict } },
  passes: null,
});
const record = { ...evaluation(), offline: false };
const two = resultsOf(scored('hasty', 0.6), scored('steady', 0.8));

describe('the verdict of an evaluation', () => {
  it('is that of the comparison of the best two, and no more', () => {
    expect(findComparedAgentsOrNull(two)).toEqual(['steady', 'hasty']);
    const verdictOf = (comparison: Comparison | null) => makeEvaluationPicture(record, two, comparison).verdict;
    expect(verdictOf(compared('better', [0.2, 0.1, 0.3]))).toBe(
      'steady is better than hasty by 0.20 (0.10 to 0.30) in success, over 40 units.',
    );
    expect(verdictOf(compared('worse', [-0.2, -0.3, -0.1]))).toBe(
      'hasty is better than steady by 0.20 (0.10 to 0.30) in success, over 40 units.',
    );
    expect(verdictOf(compared('no-difference', [0.02, -0.05, 0.09]))).toBe(
      'steady and hasty are not told apart: success differs by 0.02 (-0.05 to 0.09) over 40 units.',
    );
    expect(verdictOf(compared('insufficient-data', [0.2, 0.1, 0.3]))).toBe(
      '40 units are too few to tell steady and hasty apart.',
    );
  });

  it('is the figure of an agent alone, and says where nothing is scored', () => {
    const alone = resultsOf(scored('steady', 0.8), scored('unscored', null));
    expect(findComparedAgentsOrNull(alone)).toBeNull();
    expect(makeEvaluationPicture(record, alone, null).verdict).toBe(
      'steady has success 0.80 (0.70 to 0.90) over 40 units.',
    );
    const none = resultsOf(scored('unscored', null));
    expect(makeEvaluationPicture(record, none, null).verdict).toBe('No unit is scored yet.');
  });

  it('says first that rules stood in for models', () => {
    const said = sayPicture(makeEvaluationPicture({ ...record, offline: true }, two, null));
    expect(said).toMatch(/^Rules stood in for models\. /);
    expect(sayPicture(makeEvaluationPicture(record, two, null))).not.toContain('Rules');
  });

  it('has the best agents first on the scale of the headline, and the floor where it is measured', () => {
    const floor = {
      state: 'measured',
      evaluation: 'evl_0',
      units: 20,
      scores: { success: { value: 0.1, agent: 'call-nothing' } },
    } as const;
    const { content } = makeEvaluationPicture(record, { ...two, floor }, null);
    expect(content).toMatchObject({
      rows: [{ name: 'steady' }, { name: 'hasty' }],
      scale: { title: 'success', range: [0, 1], floor: 0.1 },
    });
  });
});

describe('the verdict of a leaderboard', () => {
  const rowOf = (id: string, rank: number, position: number) =>
    ranked(entryWith({ id, name: `agent ${id}` }), { rank, position });
  const tier = (rows: PicturedTier['rows'], total = rows.length): PicturedTier => ({
    board: boardWith(),
    tier: 'service',
    total,
    rows,
    floor: null,
  });

  it('says who leads, and whether others cannot be told from it', () => {
    const [a, b, c] = [rowOf('a', 1, 1), rowOf('b', 1, 2), rowOf('c', 2, 3)];
    expect(makeBoardPicture(tier([])).verdict).toBe('Nobody has been ranked here yet.');
    expect(makeBoardPicture(tier([a])).verdict).toMatch(
      /^agent a is the only entry of the tier service: success 0\.\d\d/,
    );
    expect(makeBoardPicture(tier([a, c])).verdict).toMatch(
      /^agent a leads the 2 entries of the tier service and is told apart from all others: success/,
    );
    expect(makeBoardPicture(tier([a, b, c])).verdict).toBe(
      'agent a and 1 more share the first place of the 3 entries of the tier service: they cannot be told apart.',
    );
    expect(makeBoardPicture(tier([a, b], 1_200)).verdict).toContain(
      'at least 1 more share the first place of the 1,200',
    );
  });

  it('says the place of an entry, and marks it among those around it', () => {
    const [a, b] = [rowOf('a', 1, 1), rowOf('b', 1, 2)];
    const { verdict, content } = makeEntryPicture(tier([a, b]), b);
    expect(verdict).toMatch(/^Rank 1 of 2 \(tied\) in the tier service of A leaderboard: success/);
    expect(content).toMatchObject({ rows: [{ isMarked: false }, { name: 'agent b', isMarked: true }] });
  });
});

it('an exploration says how far the tool space is charted', () => {
  const units = { accepted: 1_113, review: 0, rejected: 2, lost: 0, dropped: 0, probes: 5 };
  const run = { ...exploration(), offline: false, units, toolsExecuted: 1, transitions: 305, valuesPassed: 138 };
  const { verdict, caveat } = makeExplorationPicture(run);
  expect(verdict).toBe(
    '1,113 of 1,120 units were accepted, over 1 tool; 138 of 305 transitions between tools pass a value on.',
  );
  expect(caveat).toBeNull();
});
