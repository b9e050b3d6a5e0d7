import { describe, expect, test } from 'vitest';
import { listNextSteps, runBrief, runText, standsStill, type RunBrief } from '#core/reports/offered-tools/run-brief.ts';

const common = {
  name: '',
  reason: null,
  offline: false,
  waiting: null,
  costUsd: 0.123_456,
  tokens: 1_200,
  createdAt: '2026-01-01T00:00:00.000Z',
  endedAt: null,
};

const exploration = (status: RunBrief['status'], accepted = 0, review = 0, offline = false): RunBrief =>
  runBrief.parse({
    ...common,
    kind: 'exploration',
    id: 'exp_1',
    status,
    offline,
    catalog: 'cat_1',
    models: { agent: 'a' },
    rounds: { done: 2, of: 5 },
    units: { accepted, review, rejected: 0, lost: 0, dropped: 0, probes: 2 },
    tools: { worked: 3, of: 8 },
    transitions: 4,
    probeCoverage: null,
    allTransitions: null,
    serversDown: [],
  });

const evaluation = (status: RunBrief['status'], done: number): RunBrief =>
  runBrief.parse({
    ...common,
    kind: 'evaluation',
    id: 'evl_1',
    status,
    benchmark: 'bm_1',
    protocol: 'sgvef',
    agents: ['steady'],
    attempts: { done, of: 12, notEvaluated: 0 },
    units: { done: 0, of: 6 },
  });

describe('what a model is told about a run', () => {
  test('has its state, how far it is and what it cost', () => {
    expect(runText(exploration('running', 7))).toBe(
      'The exploration exp_1 is running: 2 of 5 rounds, 7 units accepted; 1200 tokens, 0.123 USD.',
    );
    expect(runText(evaluation('paused', 3))).toBe(
      'The evaluation evl_1 is paused: 3 of 12 attempts, 0 of 6 units done; 1200 tokens, 0.123 USD.',
    );
  });

  test('says if rules replaced models', () => {
    expect(runText(exploration('completed', 1, 0, true))).toContain('its figures say nothing about models');
  });

  test('names what can be done next in each state', () => {
    expect(listNextSteps(exploration('running')).join()).toContain('wait_for_run {"run": "exp_1"}');
    expect(listNextSteps(exploration('paused')).join()).toContain('a person resumes it');
    expect(listNextSteps(exploration('completed', 3)).join()).toContain('freeze_benchmark {"explorations": ["exp_1"]}');
    expect(listNextSteps(exploration('cancelled', 0, 2))).toEqual([
      expect.stringContaining('read_tool_report'),
      '2 units wait for a person, who decides on its page or over the API',
      'no unit was accepted, so there is nothing to freeze',
    ]);
    expect(listNextSteps(evaluation('completed', 12)).join()).toContain(
      'list_cases {"run": "evl_1", "outcome": "failed"}',
    );
    expect(listNextSteps(evaluation('failed', 0))).toEqual(['no attempt was made, so there are no results']);
  });

  test('waits for a run that is running alone', () => {
    const states = ['running', 'paused', 'completed', 'cancelled', 'failed'] as const;
    expect(states.map((status) => standsStill(exploration(status)))).toEqual([false, true, true, true, true]);
  });
});
