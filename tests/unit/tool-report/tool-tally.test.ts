import { expect, test } from 'vitest';
import { makeRandom } from '#core/values/random.ts';
import { listToolConfusionsOfAttempt } from '#core/reports/tool-report/tool-tally.ts';
import type { ObservedCall } from '#core/reports/tool-report/observed-attempt.ts';
import { describeToolDefinition } from '#core/reports/tool-report/tool-definition.ts';
import { ToolTally, type ReportedTool } from '#core/reports/tool-report/tool-tally.ts';

const tool = (name: string): ReportedTool => ({
  name,
  definition: describeToolDefinition({ name, description: `What ${name} does`, inputSchema: { type: 'object' } }),
});
const catalog = ['notes/add', 'notes/append', 'notes/list', 'notes/drop'].map(tool);

const call = (name: string, more: Partial<ObservedCall> = {}): ObservedCall => ({
  tool: name,
  outcome: 'success',
  failure: null,
  text: '',
  latencyMs: 10,
  ...more,
});

const failed = (name: string, text: string): ObservedCall =>
  call(name, { outcome: 'failure', failure: 'invalid-artifact-reference', text });

const reportOf = (...attempts: readonly Parameters<ToolTally['addAttempt']>[0][]) => {
  const tally = new ToolTally(catalog);
  for (const attempt of attempts) tally.addAttempt(attempt);
  return tally.makeReport({ offline: false, final: true });
};

const walk = (expected: readonly string[], called: readonly string[]) =>
  listToolConfusionsOfAttempt({ expected, calls: called.map((name) => call(name)) });

test('a tool that was called in the place of an expected one was confused with it', () => {
  expect(walk(['a', 'b', 'c'], ['a', 'x', 'c'])).toEqual([{ expected: 'b', called: 'x' }]);
});

test('a tool that was called outside of the place of the missing one was not confused with it', () => {
  expect(walk(['a', 'b', 'c'], ['x', 'a', 'c', 'y'])).toEqual([]);
});

test('an expected tool that was called out of order is not taken for a missing one', () => {
  expect(walk(['a', 'b'], ['b', 'a'])).toEqual([]);
});

test('each tool takes the place of one other at most', () => {
  expect(walk(['a', 'b'], ['x', 'y'])).toEqual([
    { expected: 'a', called: 'x' },
    { expected: 'b', called: 'y' },
  ]);
  expect(walk(['a', 'b'], ['x', 'x'])).toEqual([{ expected: 'a', called: 'x' }]);
});

test('a chain that expects a tool twice misses it once', () => {
  expect(walk(['a', 'b', 'a'], ['x', 'b', 'y'])).toEqual([{ expected: 'a', called: 'x' }]);
});

test('the report names every tool of the catalog, those with problems first', () => {
  const report = reportOf(
    { unit: 'u1', expected: ['notes/add'], calls: [call('notes/add'), failed('notes/append', 'no such note')] },
    { unit: 'u2', expected: ['notes/add'], calls: [call('notes/add'), failed('notes/drop', 'no'), call('notes/drop')] },
    { unit: 'u3', expected: ['notes/add'], calls: [failed('notes/drop', 'no'), call('made-up')] },
  );
  expect(report).toMatchObject({ units: 3, attempts: 3, offline: false, final: true });
  expect(report.tools.map(({ tool: name, verdict }) => [name, verdict])).toEqual([
    ['notes/append', 'fails'],
    ['notes/drop', 'struggles'],
    ['notes/list', 'not-called'],
    ['notes/add', 'works'],
  ]);
});

test('the report has the tokens of each definition, their sum, and what definitions show', () => {
  const report = reportOf({ unit: 'u1', expected: [], calls: [] });
  expect(report.schemaTokens).toBe(report.tools.reduce((sum, { schemaTokens }) => sum + schemaTokens, 0));
  expect(report.tools[0]?.schemaTokens).toBeGreaterThan(10);
  expect(report.findings).toContainEqual(
    expect.objectContaining({
      kind: 'schema-rewritten',
      tool: 'notes/drop',
      evidence: expect.arrayContaining(['OpenAI: properties-added']),
    }),
  );
});

test('the report says what a tool answers most often when it fails, and where', () => {
  const report = reportOf({
    unit: 'u1',
    expected: ['notes/drop'],
    calls: [failed('notes/drop', 'once'), failed('notes/drop', 'no  such\nnote'), failed('notes/drop', 'no such note')],
  });
  expect(report.tools[0]).toMatchObject({
    success: { count: 0, of: 3, share: 0, interval: null },
    commonFailure: { class: 'invalid-artifact-reference', count: 3 },
    commonError: { text: 'no such note', count: 2, unit: 'u1' },
    medianMs: 10,
  });
});

test('a call without a usable answer counts neither for nor against the tool', () => {
  const report = reportOf({ unit: 'u1', expected: [], calls: [call('notes/add', { outcome: 'unanswered' })] });
  const added = report.tools.find(({ tool: name }) => name === 'notes/add');
  expect(added).toMatchObject({ verdict: 'not-called', unanswered: 1, success: { of: 0, share: null }, unexpected: 1 });
});

test('the report counts attempts that should have called a tool and did not', () => {
  const report = reportOf(
    { unit: 'u1', expected: ['notes/add'], calls: [call('notes/append')] },
    { unit: 'u1', expected: ['notes/add'], calls: [call('notes/add')] },
    { unit: 'u2', expected: ['notes/add'], calls: [] },
  );
  expect(report.tools.find(({ tool: name }) => name === 'notes/add')?.missed).toMatchObject({ count: 2, of: 3 });
  expect(report.confusions).toMatchObject([
    { expected: 'notes/add', called: 'notes/append', attempts: { count: 1, of: 3 }, units: ['u1'] },
  ]);
});

/** Returns the share of simulated runs whose interval holds the rate at which siblings are planted to be confused. */
function coverOf(rate: number, units: number, isSameWithinUnit: boolean): number {
  const random = makeRandom('confusions', `${rate}-${units}-${isSameWithinUnit}`);
  const runs = 1_000;
  let held = 0;
  for (let run = 0; run < runs; run += 1) {
    const tally = new ToolTally(catalog);
    for (let unit = 0; unit < units; unit += 1) {
      const first = random.next() < rate;
      for (const isConfused of [first, isSameWithinUnit ? first : random.next() < rate])
        tally.addAttempt({
          unit: `u${unit}`,
          expected: ['notes/list', 'notes/add'],
          calls: [call('notes/list'), call(isConfused ? 'notes/append' : 'notes/add')],
        });
    }
    const { confusions, tools } = tally.makeReport({ offline: false, final: true });
    // Nothing was confused: what is known of the rate is what is known of missed calls.
    const seen = confusions[0]?.attempts ?? tools.find((each) => each.tool === 'notes/add')?.missed;
    const interval = seen?.interval ?? { low: 1, high: 0 };
    held += Number(interval.low <= rate && rate <= interval.high);
  }
  return held / runs;
}

test.each([
  [0.1, 40],
  [0.2, 20],
  [0.35, 10],
  [0.35, 20],
  [0.5, 40],
  [0.8, 20],
])('the interval of a confusion that is planted at a rate of %s in %i units holds it in 93% of runs', (rate, units) => {
  expect(coverOf(rate, units, true)).toBeGreaterThanOrEqual(0.93);
  expect(coverOf(rate, units, false)).toBeGreaterThanOrEqual(0.93);
});
