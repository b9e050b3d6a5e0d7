import { describe, expect, test } from 'vitest';
import { ToolTally, type ReportedTool } from '#core/reports/tool-report/tool-tally.ts';
import type { ToolReport } from '#core/reports/tool-report/record.ts';
import { describeToolDefinition } from '#core/reports/tool-report/tool-definition.ts';
import type { FailureClass } from '#core/traces/failure.ts';
import { chooseToolsToReword, mostRewordedTools } from '#core/reports/wording-proposal/choose-tools.ts';

const reported = (name: string): ReportedTool => ({
  name,
  effect: 'reads',
  definition: describeToolDefinition({ name, description: `Does ${name}`, inputSchema: { type: 'object' } }),
});

const call = (tool: string, failure: FailureClass | null = null) => ({
  tool,
  outcome: failure === null ? ('success' as const) : ('failure' as const),
  failure,
  text: failure === null ? '' : `bad ${tool}`,
  latencyMs: 1,
});

type Attempt = readonly [expected: readonly string[], calls: readonly ReturnType<typeof call>[]];

function reportOf(names: readonly string[], attempts: readonly Attempt[]): ToolReport {
  const tally = new ToolTally(names.map(reported));
  for (const [n, [expected, calls]] of attempts.entries()) tally.addAttempt({ unit: `u_${n}`, expected, calls });
  return tally.makeReport({ offline: false, final: true });
}

describe('the tools that get a new wording', () => {
  const report = reportOf(
    ['n/add', 'n/append', 'n/list', 'n/remove'],
    [
      [['n/append'], [call('n/add')]],
      [['n/append'], [call('n/add')]],
      [['n/list'], [call('n/list', 'syntactic-malformation'), call('n/list')]],
      [['n/remove'], [call('n/remove', 'network-instability')]],
    ],
  );

  test('are those that agents missed, took for others or called in vain, the worst first', () => {
    expect(chooseToolsToReword(report, undefined)).toEqual([
      { tool: 'n/add', expected: 0, missed: 0, taken: 2, calls: 2, failed: 0, commonError: null },
      { tool: 'n/append', expected: 2, missed: 2, taken: 0, calls: 0, failed: 0, commonError: null },
      { tool: 'n/list', expected: 1, missed: 0, taken: 0, calls: 2, failed: 1, commonError: 'bad n/list' },
    ]);
  });

  test('are none whose failures lie in the world, unless somebody names them', () => {
    expect(chooseToolsToReword(report, ['n/remove', 'n/add']).map(({ tool, failed }) => [tool, failed])).toEqual([
      ['n/remove', 0],
      ['n/add', 0],
    ]);
  });

  test('are a bounded number', () => {
    const names = Array.from({ length: 30 }, (_, n) => `s/t${n}`);
    const many = reportOf(
      names,
      names.map((name): Attempt => [[name], []]),
    );
    expect(chooseToolsToReword(many, undefined)).toHaveLength(mostRewordedTools);
  });

  test('are none where everything works', () => {
    expect(chooseToolsToReword(reportOf(['n/add'], [[['n/add'], [call('n/add')]]]), undefined)).toEqual([]);
  });
});
