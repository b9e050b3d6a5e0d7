import { expect, test } from 'vitest';
import { listToolFindingsWorstFirst } from '#core/reports/tool-report/list-findings.ts';
import type { ObservedShare, ToolFindings } from '#core/reports/tool-report/record.ts';

const share = (count: number, of: number): ObservedShare => ({
  count,
  of,
  share: of === 0 ? null : count / of,
  interval: null,
});

const works: ToolFindings = {
  tool: 'notes/add',
  effect: 'reads',
  verdict: 'works',
  success: share(9, 10),
  unanswered: 0,
  missed: share(0, 10),
  unexpected: 0,
  commonFailure: null,
  commonError: null,
  medianMs: 10,
  schemaTokens: 100,
};

const found = (changes: Partial<ToolFindings>) =>
  listToolFindingsWorstFirst([{ ...works, ...changes }], { confusions: [], taken: [], offline: false }, []).map(
    ({ severity, sentence }) => `${severity}: ${sentence}`,
  );

test('nothing is found about a tool that works', () => {
  expect(found({})).toEqual([]);
});

test('a tool that always fails is worse than one that often fails', () => {
  const failure = { class: 'syntactic-malformation', count: 4 } as const;
  expect(found({ success: share(0, 5), commonFailure: failure })).toEqual([
    'high: 5 of 5 calls failed, 4 as syntactic-malformation',
  ]);
  expect(found({ success: share(2, 5) })).toEqual(['medium: 3 of 5 calls failed']);
});

test('a share of fewer than three calls or attempts is no finding', () => {
  expect(found({ success: share(0, 2), missed: share(2, 2) })).toEqual([]);
});

test('a tool that attempts often miss is found, the more often the worse', () => {
  expect(found({ missed: share(2, 10) })).toEqual(['medium: 2 of 10 attempts that need it did not call it']);
  expect(found({ missed: share(6, 10) })).toEqual(['high: 6 of 10 attempts that need it did not call it']);
});

test('a slow tool and one that declares nothing are worth a look', () => {
  expect(found({ medianMs: 5_400, effect: 'unknown' })).toEqual([
    'low: half of its calls took 5.4 s or longer',
    'low: it does not say whether it only reads',
  ]);
});

test('a frequent confusion is found with its units, before what matters less', () => {
  const confusion = { expected: 'notes/add', called: 'notes/append', attempts: share(5, 10), units: ['u1'] };
  const rare = { ...confusion, called: 'notes/list', attempts: share(1, 10) };
  const listed = listToolFindingsWorstFirst(
    [{ ...works, effect: 'unknown' }],
    { confusions: [rare, confusion], taken: [], offline: false },
    [],
  );
  expect(listed.map(({ severity, tool, units }) => [severity, tool, units])).toEqual([
    ['high', 'notes/add', ['u1']],
    ['low', 'notes/add', []],
  ]);
});

test('a tool that is often called where none fits is found with its units; one that seldom is, or in few attempts, is not', () => {
  const taken = { tool: 'notes/add', attempts: share(3, 10), units: ['u7'] };
  const seldom = { tool: 'notes/list', attempts: share(1, 10), units: ['u7'] };
  const few = { tool: 'notes/drop', attempts: share(2, 2), units: ['u7'] };
  const listed = listToolFindingsWorstFirst(
    [works],
    { confusions: [], taken: [taken, seldom, few], offline: false },
    [],
  );
  expect(listed).toMatchObject([{ kind: 'taken', severity: 'medium', tool: 'notes/add', units: ['u7'] }]);
  expect(listed[0]?.sentence).toBe('it was called in 3 of 10 attempts at requests that no tool fits');
});

test('what rules did wrong in the place of agents is found nowhere: it says nothing about the tools', () => {
  const of = { ...works, success: share(0, 5), missed: share(6, 10), effect: 'unknown', medianMs: 6_000 } as const;
  const confusion = { expected: 'notes/add', called: 'notes/append', attempts: share(5, 10), units: ['u1'] };
  const taken = { tool: 'notes/add', attempts: share(3, 10), units: ['u7'] };
  const listed = listToolFindingsWorstFirst([of], { confusions: [confusion], taken: [taken], offline: true }, []);
  expect(listed.map(({ kind }) => kind)).toEqual(['slow', 'effect-undeclared']);
});
