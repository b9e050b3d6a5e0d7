import { describe, expect, test } from 'vitest';
import { findingBy, type CheckFinding } from '#core/reports/check/finding.ts';
import {
  gradeFamilies,
  overallGrade,
  shownToolName,
  verdictOf,
  worstOfTool,
  worstToolsFirst,
  type Grade,
  type Grades,
} from '#core/reports/check/grade.ts';
import type { CheckedTool } from '#core/reports/check/report.ts';
import { families, type RuleId, type Severity } from '#core/reports/check/rules.ts';

const tool = (name: string, changes: Partial<CheckedTool> = {}): CheckedTool => ({
  tool: `orders/${name}`,
  effect: 'reads',
  tokens: 100,
  calls: 8,
  p50Ms: 5,
  p95Ms: 9,
  ...changes,
});
const toolsOf = (count: number): CheckedTool[] => Array.from({ length: count }, (_, index) => tool(`t${index}`));

interface Said {
  readonly severity?: Severity;
  readonly others?: readonly string[];
  readonly sentence?: string;
  readonly server?: string;
}
const found = (rule: RuleId, name: string | null, said: Said = {}): CheckFinding => {
  const { server = 'orders', sentence = 'it is odd', others = [], ...more } = said;
  return findingBy(rule, {
    server,
    tool: name === null ? null : `${server}/${name}`,
    others: others.map((each) => `${server}/${each}`),
    sentence,
    proposal: 'change it',
    ...more,
  });
};
const foundAt = (rule: RuleId, count: number, severity: Severity): CheckFinding[] =>
  Array.from({ length: count }, (_, index) => found(rule, `t${index}`, { severity }));

const reportOf = (tools: readonly CheckedTool[], findings: readonly CheckFinding[], changes = {}) => ({
  servers: ['orders'],
  static: false,
  tools: [...tools],
  findings: [...findings],
  ...changes,
});

const gradesOf = (letters: readonly (Grade | null)[]): Grades => ({
  safe: letters[0] ?? null,
  clear: letters[1] ?? null,
  distinct: letters[2] ?? null,
  sturdy: letters[3] ?? null,
  lean: letters[4] ?? null,
  conformant: letters[5] ?? null,
});

describe('the grade of a family', () => {
  test.each([
    { rule: 'slow', count: 0, severity: 'low', of: 10, grade: 'A' },
    { rule: 'slow', count: 10, severity: 'low', of: 10, grade: 'A' },
    { rule: 'slow', count: 1, severity: 'medium', of: 100, grade: 'B' },
    { rule: 'slow', count: 3, severity: 'medium', of: 10, grade: 'B' },
    { rule: 'slow', count: 4, severity: 'medium', of: 10, grade: 'C' },
    { rule: 'slow', count: 6, severity: 'medium', of: 10, grade: 'C' },
    { rule: 'slow', count: 7, severity: 'medium', of: 10, grade: 'D' },
    { rule: 'slow', count: 10, severity: 'medium', of: 10, grade: 'D' },
    { rule: 'hangs', count: 1, severity: 'high', of: 100, grade: 'C' },
    { rule: 'hangs', count: 4, severity: 'high', of: 10, grade: 'D' },
    { rule: 'hangs', count: 6, severity: 'high', of: 10, grade: 'F' },
    { rule: 'secret-argument', count: 1, severity: 'medium', of: 100, grade: 'B' },
    { rule: 'effect-contradicted', count: 1, severity: 'high', of: 100, grade: 'D' },
    { rule: 'effect-contradicted', count: 6, severity: 'high', of: 10, grade: 'F' },
  ] as const)(
    'is $grade if $count of $of tools have a $severity finding of $rule',
    ({ rule, count, severity, of, grade }) => {
      const findings = foundAt(rule, count, severity);
      const family = findings[0]?.family ?? 'sturdy';
      const grades = gradeFamilies(reportOf(toolsOf(of), findings));
      expect(grades[family]).toBe(grade);
      for (const other of families) if (other !== family) expect(grades[other]).toBe('A');
    },
  );

  test('counts only the worst finding of a tool', () => {
    const many = [...foundAt('slow', 1, 'medium'), ...foundAt('hangs', 1, 'medium'), ...foundAt('slow', 1, 'low')];
    expect(gradeFamilies(reportOf(toolsOf(4), many)).sturdy).toBe('B');
  });

  test('counts a twin for both tools', () => {
    const alone = [found('twin-by-behaviour', 't0')];
    const twins = [found('twin-by-behaviour', 't0', { others: ['t1'] })];
    expect(gradeFamilies(reportOf(toolsOf(4), alone)).distinct).toBe('B');
    expect(gradeFamilies(reportOf(toolsOf(4), twins)).distinct).toBe('C');
    expect(worstOfTool(twins, 'orders/t1')).toBe('medium');
    expect(worstOfTool(twins, 'orders/t2')).toBeNull();
  });

  test('counts what is about the server like one more tool, and never gets better by it', () => {
    const own = foundAt('name-refused', 1, 'medium');
    const withServer = [...own, found('list-costly', null), found('protocol-violated', null, { severity: 'low' })];
    const [before, after] = [own, withServer].map((each) => gradeFamilies(reportOf(toolsOf(1), each)));
    expect(before?.conformant).toBe('D');
    expect(after?.conformant).toBe('F');
    expect(gradeFamilies(reportOf(toolsOf(10), [found('writes-to-stdout', null)])).conformant).toBe('C');
  });

  test('is null for what was not looked at', () => {
    expect(gradeFamilies(reportOf(toolsOf(2), [], { static: true }))).toEqual(
      gradesOf(['A', 'A', 'A', null, 'A', 'A']),
    );
    expect(gradeFamilies(reportOf([], []))).toEqual(gradesOf([]));
    expect(gradeFamilies(reportOf([tool('a', { calls: 0 })], [])).sturdy).toBeNull();
  });

  test('is of the tools that were called where calls show it', () => {
    const tools = [...toolsOf(2), ...Array.from({ length: 8 }, (_, index) => tool(`w${index}`, { calls: 0 }))];
    expect(gradeFamilies(reportOf(tools, foundAt('slow', 2, 'medium'))).sturdy).toBe('D');
  });
});

test.each([
  { of: 'AAAAAA', overall: 'A' },
  { of: 'AAAAAB', overall: 'B' },
  { of: 'DAAAAA', overall: 'C' },
  { of: 'FAAAAA', overall: 'D' },
  { of: 'BBBCCC', overall: 'C' },
  { of: 'FFFFFF', overall: 'F' },
  { of: 'AAA-AA', overall: 'A' },
  { of: '---B--', overall: 'B' },
  { of: '------', overall: null },
] as const)('the grade of $of together is $overall', ({ of, overall }) => {
  const letters = Array.from(of, (letter): Grade | null =>
    letter === 'A' || letter === 'B' || letter === 'C' || letter === 'D' || letter === 'F' ? letter : null,
  );
  expect(overallGrade(gradesOf(letters))).toBe(overall);
});

describe('a verdict', () => {
  test('names the tools that need work, the worst first, each with the beginning of the reason', () => {
    const findings = [
      found('slow', 't4', { sentence: 'it is slow: half of its calls take 8 s' }),
      found('hangs', 't2', { sentence: 'a call with an empty text gets no answer. Never.' }),
      found('description-long', 't7', { severity: 'low' }),
    ];
    expect(verdictOf(reportOf(toolsOf(10), findings))).toEqual([
      '2 of 10 tools need work before agents use them: t2 (a call with an empty text gets no answer), t4 (it is slow).',
    ]);
  });

  test('names five tools at most, and says how many others there are', () => {
    const [six = '', seven = ''] = [6, 7].map(
      (count) => verdictOf(reportOf(toolsOf(10), foundAt('hangs', count, 'high')))[0],
    );
    expect(six).toMatch(/^6 of 10 tools need .* t4 \(it is odd\) and 1 other\.$/);
    expect(seven).toMatch(/ t4 \(it is odd\) and 2 others\.$/);
  });

  test('cuts a long reason at a word', () => {
    const sentence = `it says ${'the same thing over and over '.repeat(9)}`;
    const [first] = verdictOf(reportOf(toolsOf(1), [found('slow', 't0', { sentence })]));
    expect(first).toBe(
      'The only tool needs work before agents use it: t0 (it says the same thing over and over the same thing over…).',
    );
  });

  test('sends the reader of a twin to the tool whose twin it is', () => {
    const twin = found('twin-by-behaviour', 't0', { others: ['t1'], sentence: 'it gives the same results as t1' });
    expect(verdictOf(reportOf(toolsOf(3), [twin]))[0]).toBe(
      '2 of 3 tools need work before agents use them: t0 (it gives the same results as t1), t1 (see t0).',
    );
  });

  test.each([
    { tools: toolsOf(10), low: 3, says: 'All 10 tools can be used by agents; 3 have something to improve.' },
    { tools: toolsOf(10), low: 1, says: 'All 10 tools can be used by agents; 1 has something to improve.' },
    { tools: toolsOf(1), low: 1, says: 'The only tool can be used by agents; it has something to improve.' },
    { tools: toolsOf(2), low: 0, says: 'All 2 tools can be used by agents; nothing to improve was found.' },
    {
      tools: [...toolsOf(2), tool('w', { calls: 0 })],
      low: 0,
      says: 'All 3 tools can be used by agents; nothing to improve was found; 1 was not called.',
    },
    { tools: [], low: 0, says: 'There is no tool to check.' },
  ])('says that nothing keeps agents from the tools: $says', ({ tools, low, says }) => {
    expect(verdictOf(reportOf(tools, foundAt('description-long', low, 'low')))).toEqual([says]);
  });

  test('promises no more than the definitions show if nothing was called', () => {
    const says = 'By the definitions, all 2 tools can be used by agents; nothing to improve was found.';
    expect(verdictOf(reportOf(toolsOf(2), [], { static: true }))[0]).toBe(says);
    const uncalled = [tool('a', { calls: 0 }), tool('b', { calls: 0 })];
    expect(verdictOf(reportOf(uncalled, []))[0]).toBe(says);
  });

  test('says what is wrong with each server itself in a sentence of its own', () => {
    const findings = [
      found('writes-to-stdout', null, { sentence: 'it writes to its standard output' }),
      found('list-costly', null, { severity: 'low' }),
      found('protocol-violated', null, { server: 'crm', sentence: 'it answers an unknown method' }),
    ];
    expect(verdictOf(reportOf(toolsOf(2), findings.slice(0, 2)))[1]).toBe(
      'The server itself: it writes to its standard output.',
    );
    const both = { servers: ['orders', 'crm'] };
    expect(verdictOf(reportOf(toolsOf(2), findings, both)).slice(1)).toEqual([
      'The server orders itself: it writes to its standard output.',
      'The server crm itself: it answers an unknown method.',
    ]);
    expect(verdictOf(reportOf(toolsOf(2), [found('hangs', 't1')], both))[0]).toContain(': orders/t1 (');
  });
});

test('the tools with the worst findings are first, the others stay in order', () => {
  const report = reportOf(toolsOf(4), [found('hangs', 't3'), found('slow', 't1'), found('definition-costly', 't2')]);
  expect(worstToolsFirst(report).map((each) => shownToolName(report, each.tool))).toEqual(['t3', 't1', 't2', 't0']);
});
