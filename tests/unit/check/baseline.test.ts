import { describe, expect, test } from 'vitest';
import { baselineOf, onlyFamilies, readBaseline, withoutAccepted } from '#core/reports/check/baseline.ts';
import { findingBy, type CheckFinding } from '#core/reports/check/finding.ts';
import { gradeFamilies } from '#core/reports/check/grade.ts';
import { checkReport, type CheckReport } from '#core/reports/check/report.ts';
import type { RuleId } from '#core/reports/check/rules.ts';

const found = (rule: RuleId, tool: string | null): CheckFinding =>
  findingBy(rule, { server: 'orders', tool, sentence: 'it is odd', proposal: 'change it' });

const findings = [
  found('effect-contradicted', 'orders/delete'),
  found('writes-to-stdout', null),
  found('slow', 'orders/list'),
  found('slow', 'orders/delete'),
];
const tools = ['orders/delete', 'orders/list'].map((tool) => ({
  tool,
  effect: 'reads' as const,
  tokens: 100,
  calls: 4,
  p50Ms: 4_000,
  p95Ms: 4_100,
}));
const report: CheckReport = {
  servers: ['orders'],
  static: false,
  allows: 'reads',
  seconds: 3,
  grades: gradeFamilies({ tools, findings, static: false }),
  tools,
  findings,
  accepted: 0,
  notes: [],
};

describe('a file of accepted findings', () => {
  test('is read with reasons', () => {
    const text =
      '{"sextant": 1, "accepted": [{"rule": "slow", "tool": "orders/list", "reason": "the archive is on tape"}]}';
    expect(readBaseline(text)).toEqual({
      ok: true,
      value: { sextant: 1, accepted: [{ rule: 'slow', tool: 'orders/list', reason: 'the archive is on tape' }] },
    });
  });

  test.each([
    ['{', /^not JSON: /],
    ['[]', 'the file: give an object'],
    ['{}', 'sextant: is missing; accepted: is missing'],
    ['{"sextant": 2, "accepted": []}', 'sextant: this release reads version 1 of the format'],
    ['{"sextant": 1, "accepted": {}}', 'accepted: give a list'],
    ['{"sextant": 1, "accepted": [], "tools": []}', 'the file: there is no "tools"'],
    ['{"sextant": 1, "accepted": [{"tool": "a/b"}]}', 'accepted.0.rule: is missing'],
    ['{"sextant": 1, "accepted": [{"rule": "fast", "tool": "a/b"}]}', 'accepted.0.rule: there is no rule "fast"'],
    [
      '{"sextant": 1, "accepted": [{"rule": "slow", "tool": null}]}',
      'accepted.0.tool: give `server/tool`, or the name of the server for what is about it as a whole',
    ],
    ['{"sextant": 1, "accepted": [{"rule": "slow", "tool": "a/b", "why": ""}]}', 'accepted.0: there is no "why"'],
  ])('that is %s is refused, and the reason says where', (text, says) => {
    expect(readBaseline(text)).toEqual({
      ok: false,
      problem: typeof says === 'string' ? says : expect.stringMatching(says),
    });
  });

  test('accepts all findings of the report that it is made of, and can be read again', () => {
    const made = baselineOf(report);
    expect(made.accepted.map(({ rule, tool }) => `${tool} ${rule}`)).toEqual([
      'orders writes-to-stdout',
      'orders/delete effect-contradicted',
      'orders/delete slow',
      'orders/list slow',
    ]);
    expect(baselineOf({ findings: [...findings, ...findings.toReversed()] })).toEqual(made);
    expect(readBaseline(JSON.stringify(made))).toEqual({ ok: true, value: made });
    const rest = withoutAccepted(report, made);
    expect(rest.findings).toEqual([]);
    expect(rest.accepted).toBe(4);
    expect(new Set(Object.values(rest.grades))).toEqual(new Set(['A']));
  });
});

test('what is accepted is counted and left out of the findings and of the grades, at its own tool only', () => {
  const rest = withoutAccepted(report, {
    sextant: 1,
    accepted: [
      { rule: 'effect-contradicted', tool: 'orders/delete' },
      { rule: 'slow', tool: 'orders/list' },
      { rule: 'slow', tool: 'orders' },
    ],
  });
  expect(rest.findings.map(({ rule, tool }) => [rule, tool])).toEqual([
    ['writes-to-stdout', null],
    ['slow', 'orders/delete'],
  ]);
  expect(rest.accepted).toBe(2);
  expect([report.grades.safe, rest.grades.safe]).toEqual(['D', 'A']);
  expect(checkReport.parse(rest)).toEqual(rest);
});

test('a report on some families has no grade for the others, also when findings are accepted afterwards', () => {
  const lean = onlyFamilies(report, ['sturdy', 'lean']);
  const expected = { safe: null, clear: null, distinct: null, sturdy: 'D', lean: 'A', conformant: null };
  expect(lean.grades).toEqual(expected);
  expect(lean.findings.map(({ family }) => family)).toEqual(['sturdy', 'sturdy']);
  const accepted = withoutAccepted(lean, { sextant: 1, accepted: [{ rule: 'slow', tool: 'orders/list' }] });
  expect(accepted.grades).toEqual({ ...expected, sturdy: 'C' });
});
