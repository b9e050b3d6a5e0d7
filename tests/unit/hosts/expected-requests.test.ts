import { expect, test } from 'vitest';
import {
  estimateEvaluationRequestsByHost,
  estimateExplorationRequestsByHost,
} from '#core/exploration/estimates/expected-requests.ts';

const servers = [
  { name: 'old', url: 'https://one.example/mcp', protocolVersion: '2025-11-25' },
  { name: 'new', url: 'https://ONE.example:8443/mcp', protocolVersion: '2026-07-28' },
  { name: 'other', url: 'https://two.example/mcp', protocolVersion: null },
  { name: 'described', url: null, protocolVersion: null },
];

test('an evaluation sends each host the expected calls of its units, and three requests for each session', () => {
  const sample = [{ chain: ['old/a', 'old/b', 'new/c'] }, { chain: ['other/d', 'described/e'] }];
  const expected = estimateEvaluationRequestsByHost({ units: 10, attemptsOfUnit: 4 }, sample, servers);
  // Half of the 40 attempts are at each unit: 20 x (3 calls + 3 for a session), and 20 x (1 + 3).
  expect(Object.fromEntries(expected)).toEqual({ 'one.example': 120, 'two.example': 80 });
});

test('an exploration shares the calls of its attempts among all tools', () => {
  const tools = [{ server: 'new' }, { server: 'new' }, { server: 'new' }, { server: 'described' }];
  const expected = estimateExplorationRequestsByHost(100, tools, servers);
  expect(expected.get('one.example')).toBeCloseTo(100 * 3.5 * 0.75);
  expect(expected.get('two.example')).toBe(0);
});

test('nothing is sent where there are no servers', () => {
  expect(estimateEvaluationRequestsByHost({ units: 10, attemptsOfUnit: 4 }, [], []).size).toBe(0);
});
