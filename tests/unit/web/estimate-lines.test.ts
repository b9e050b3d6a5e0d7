import { expect, test } from 'vitest';
import type { RoundReading } from '#core/exploration/reading-record.ts';
import { estimateLines } from '../../../web/charts/estimate-lines.ts';
import { reading } from '../../client/records.ts';

const probed = (value: number): RoundReading['probeCoverage'] => ({
  value,
  low: value - 0.1,
  high: value + 0.1,
  anytimeLow: 0,
  transitions: 9,
  probes: 3,
  designEffect: 1,
});
const afterRound = (round: number, accepted: number, transitions: number, coverage: number | null): RoundReading =>
  reading({
    round,
    units: { accepted, review: 1, rejected: 1, lost: 1, dropped: 1, probes: 2 },
    transitions,
    probeCoverage: coverage === null ? null : probed(coverage),
  });

const own = { name: 'mine', readings: [afterRound(1, 4, 7, null), afterRound(2, 10, 12, 0.5)] };
const other = { name: 'theirs', readings: [afterRound(1, 24, 20, 0.7)] };

test('a run alone has its lines by round, without its name', () => {
  const { across, coverage, transitions } = estimateLines(own, null);
  expect(across).toBe('round');
  expect(coverage.map(({ points }) => points)).toEqual([[{ x: 2, y: 0.5, low: 0.4, high: 0.6 }]]);
  expect(transitions.map((line) => line.class)).toEqual(['second', 'first']);
  expect(transitions.at(-1)).toEqual({
    name: 'executed',
    class: 'first',
    points: [
      { x: 1, y: 7 },
      { x: 2, y: 12 },
    ],
  });
});

test('beside another run both go by units, and the other lies behind without bands', () => {
  const { across, coverage, transitions } = estimateLines(own, other);
  expect(across).toBe('units');
  expect(coverage).toMatchObject([
    { class: 'behind', name: 'theirs: share of probe transitions that were known', points: [{ x: 30, y: 0.7 }] },
    { class: 'first', name: 'mine: share of probe transitions that were known, 95%', points: [{ x: 16, y: 0.5 }] },
  ]);
  expect(transitions.map(({ name }) => name)).toEqual([
    'theirs: executed',
    'mine: all, an estimate, 95%',
    'mine: executed',
  ]);
  expect(transitions[0]?.points).toEqual([{ x: 30, y: 20 }]);
  expect(transitions[2]?.points.map(({ x }) => x)).toEqual([10, 16]);
});

test('a run that has no reading yet adds no line of transitions, which a legend would name', () => {
  const { coverage, transitions } = estimateLines(own, { name: 'new', readings: [] });
  expect(coverage[0]?.points).toEqual([]);
  expect(transitions.every(({ points }) => points.length > 0)).toBe(true);
  expect(transitions.map(({ name }) => name)).not.toContain('new: executed');
});
