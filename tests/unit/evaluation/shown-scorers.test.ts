import { describe, expect, test } from 'vitest';
import { listShownComparisons, listShownScorers } from '#core/evaluation/shown-scorers.ts';
import { scorerKeysOfProtocol } from '#core/benchmarks/protocols/protocols.ts';
import type { UnscoredAttempts } from '#core/evaluation/results-record.ts';
import { agentResult } from '../../client/records.ts';

const agentWith = (unscoredReasons: UnscoredAttempts, handles: number | null = 1) => {
  const agent = agentResult('steady', 0.5);
  const handlekept = { mean: handles, low: null, high: null, n: handles === null ? 0 : 3, unscored: 0 };
  return { ...agent, unscoredReasons, scores: { ...agent.scores, handlekept } };
};

const toolFits: UnscoredAttempts = { refusal: { 'tool-fits': 12, 'not-evaluated': 1 }, tcs: { 'not-evaluated': 1 } };
const noToolFits: UnscoredAttempts = { refusal: { 'tool-fits': 12, 'judges-off': 2 }, tcs: { 'no-tool-fits': 2 } };

describe('the scorers of a table', () => {
  const shown = (...agents: UnscoredAttempts[]) =>
    listShownScorers({ protocol: 'sgvef', agents: agents.map((reasons) => agentWith(reasons)) }).map(({ key }) => key);
  const all = scorerKeysOfProtocol('sgvef');
  const withoutRefusal = all.filter((key) => key !== 'refusal');

  test('lack the refusal where no attempt was made at a negative unit', () => {
    expect(all).toContain('refusal');
    expect(shown()).toEqual(withoutRefusal.filter((key) => key !== 'handlekept'));
    expect(shown(toolFits)).toEqual(withoutRefusal);
  });

  test('have the refusal where one agent was at a negative unit, also without its score', () => {
    expect(shown(noToolFits)).toEqual(all);
    expect(shown(toolFits, noToolFits)).toEqual(all);
  });

  test('lack the handles where no call passed one', () => {
    const shownTo = (...handles: (number | null)[]) =>
      listShownScorers({ protocol: 'sgvef', agents: handles.map((kept) => agentWith(noToolFits, kept)) });
    expect(shownTo(null, null).map(({ key }) => key)).toEqual(all.filter((key) => key !== 'handlekept'));
    expect(shownTo(null, 0).map(({ key }) => key)).toEqual(all);
  });

  test('are those of a protocol without refusal, all of them', () => {
    const agents = [agentWith(toolFits)];
    expect(listShownScorers({ protocol: 'mcp-bench', agents }).map(({ key }) => key)).toEqual(
      scorerKeysOfProtocol('mcp-bench'),
    );
  });
});

describe('the scorers of a comparison', () => {
  const paired = (n: number) => ({
    difference: n === 0 ? null : 0.1,
    low: null,
    high: null,
    n,
    leftOut: 3,
    verdict: 'insufficient-data' as const,
  });

  test('lack the refusal and the handles where no unit has them, and no other scorer', () => {
    const keysOf = (n: number) =>
      listShownComparisons({ scores: { tcs: paired(0), handlekept: paired(n), refusal: paired(n) } }).map(
        ({ scorer }) => scorer.key,
      );
    expect(keysOf(0)).toEqual(['tcs']);
    expect(keysOf(1)).toEqual(['tcs', 'handlekept', 'refusal']);
  });
});
