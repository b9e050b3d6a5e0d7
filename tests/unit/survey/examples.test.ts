import { describe, expect, test } from 'vitest';
import { drawExamplesThatFit, makeExamplesOfTrace, type ToolExample } from '#core/units/survey/examples.ts';
import { makePromptMaterial } from '#core/units/survey/writer-material.ts';
import type { Step } from '#core/traces/trace.ts';
import { makeStep } from '../../support/traces.ts';

const makeCall = (tool: string, more: Partial<Step> = {}): Step => makeStep(tool, { arguments: { id: 'a' }, ...more });

const makeExample = (tool: string, id: string): ToolExample => ({
  tool,
  arguments: { id },
  returned: 'found',
  cutChars: 0,
});

describe('the examples of a trace', () => {
  test('are its successful calls with their arguments', () => {
    const steps = [
      makeCall('a/read', { arguments: { id: 7 }, text: 'x'.repeat(900) }),
      makeCall('a/read', { outcome: 'fault', fault: null }),
      makeCall('a/wrong', { text: 'Error: no such id', reported: { rule: 'error-prefix' } }),
      makeCall('a/long', { arguments: { text: 'y'.repeat(2_000) } }),
      makeCall('a/silent', { text: ' ' }),
      makeCall('a/unread', { arguments: null }),
    ];
    expect(makeExamplesOfTrace({ steps }).map(({ example, key }) => [example, key])).toEqual([
      [{ tool: 'a/read', arguments: { id: 7 }, returned: 'x'.repeat(800), cutChars: 100 }, '{"id":7}'],
    ]);
  });

  test('have the same key and rank for the same arguments in any order', () => {
    const [one, other] = makeExamplesOfTrace({
      steps: [makeCall('a/b', { arguments: { x: 1, y: 2 } }), makeCall('a/b', { arguments: { y: 2, x: 1 } })],
    });
    expect(other?.key).toBe(one?.key);
    expect(other?.rank).toBe(one?.rank);
  });
});

describe('the examples in a prompt', () => {
  const many = ['a/b', 'a/c'].flatMap((tool) => ['1', '2', '3', '4', '5'].map((id) => makeExample(tool, id)));

  test('are at most three of a tool, and the same for the same unit', () => {
    const chosen = drawExamplesThatFit(many, 'r1-01', 1);
    expect(chosen.map(({ tool }) => tool)).toEqual(['a/b', 'a/c', 'a/b', 'a/c', 'a/b', 'a/c']);
    expect(drawExamplesThatFit(many, 'r1-01', 1)).toEqual(chosen);
    const others = Array.from({ length: 20 }, (_, i) => JSON.stringify(drawExamplesThatFit(many, `r${i}`, 1)));
    expect(new Set(others).size).toBeGreaterThan(1);
  });

  test('are bounded together', () => {
    const long = Array.from({ length: 40 }, (_, i) => ({ ...makeExample(`a/t${i}`, 'x'), returned: 'z'.repeat(800) }));
    expect(JSON.stringify(drawExamplesThatFit(long, 'u')).length).toBeLessThan(6_500);
  });
});

test('material for a prompt is bounded, marks its cuts, and names no dates', () => {
  const entry = { kind: 'tool', from: 'a/list', text: 'n'.repeat(6_000), cutChars: 0 } as const;
  const surveys = ['a', 'b', 'c', 'd'].map((server) => ({ server, at: '2026-01-01', entries: [entry] }));
  const { survey, values } = makePromptMaterial({ surveys, examples: [{ ...makeExample('a/b', '1'), cutChars: 9 }] });
  expect(survey.map(({ server, text }) => [server, text.length])).toEqual([
    ['a', 2_000],
    ['b', 2_000],
    ['c', 2_000],
    ['d', 2_000],
  ]);
  expect(survey[0]).toMatchObject({ from: 'a/list', cut: '4000 more characters' });
  expect(values).toEqual([{ tool: 'a/b', arguments: { id: '1' }, returned: 'found', cut: '9 more characters' }]);
  expect(JSON.stringify(survey)).not.toContain('2026');
});
