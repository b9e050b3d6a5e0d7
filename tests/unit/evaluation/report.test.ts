import { describe, expect, it } from 'vitest';
import { escapeMarkdown, markdownTableLines } from '#core/evaluation/report/markdown.ts';
import type { ResultsBasis } from '#core/evaluation/results-basis.ts';
import { generateBreakdownGroups } from '#core/evaluation/breakdown.ts';
import { makeExplainedCase } from '#core/evaluation/explained-case.ts';
import { compareAgents } from '#core/evaluation/compare-agents.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import { countBrokenAttemptsByCause } from '#core/evaluation/report/missing.ts';
import {
  pairNeighboursInRanking,
  reportedBreakdowns,
  evaluationReportMarkdown,
} from '#core/evaluation/report/report.ts';
import { oracleMounting } from '#core/units/mounting/mounting.ts';
import { oracleCaveat } from '#core/units/mounting/mounting-texts.ts';
import { makeAgentResult } from '#core/evaluation/agent-result.ts';
import { makeScore, makeUnscored } from '#core/scoring/score.ts';
import { evaluation } from '../../client/records.ts';
import { basisOf, classified, failing, passing } from './basis.ts';
import { chain, finished } from './cases.ts';

const ids = Array.from({ length: 8 }, (_, at) => `u${at}`);
const cases = [
  ...ids.map((unit) => finished({ unit, agent: 'steady' }, passing)),
  ...ids
    .slice(0, 6)
    .map((unit) => finished({ unit, agent: 'hasty' }, { ...failing, tools: ['trees/oak', 'fruit/apple'] })),
  classified({ unit: 'u6', agent: 'hasty' }, { tools: ['fruit/apple!'] }, 'undefined-parameter-key', null),
  finished(
    { unit: 'u7', agent: 'hasty' },
    { tools: null },
    { tools: chain, grades: { ar: makeUnscored('judge-refused', {}) } },
  ),
];
const basis = basisOf(cases, { units: ids.map((id) => ({ id, chain })) });
const run = evaluation({
  status: 'completed',
  reason: 'all attempts were made',
  endedAt: '2026-01-01T00:10:00.000Z',
  progress: { attempts: 32, made: 32, notEvaluated: 1, relaunched: 1, units: 8, unitsDone: 8 },
});
const reportOn = (evaluation: EvaluationRecord, of: ResultsBasis): string => {
  const names = evaluation.agents.map(({ name }) => name);
  const results = {
    protocol: 'sgvef' as const,
    agents: names.map((name) => makeAgentResult(name, of)),
    user: 'decline' as const,
    isolation: [
      { server: 'notes', isolation: 'none' as const, shared: true },
      { server: 'books', isolation: 'reset' as const, shared: true },
      { server: 'maps', isolation: 'none' as const, shared: false },
    ],
    mounted: evaluation.agents.map(({ name, mounting }) => ({
      agent: name,
      mounting,
      tools: { mean: 21.5, least: 20, most: 23 },
      schemaTokens: { mean: 4_000, least: 4_000, most: 4_000 },
      cutUnits: 2,
    })),
    floor: null,
    adaptations: [],
  };
  return evaluationReportMarkdown(evaluation, {
    results,
    comparisons: pairNeighboursInRanking(results).map(([a, b]) => compareAgents(a, b, of)),
    breakdowns: reportedBreakdowns.map(({ by }) => [...generateBreakdownGroups(by, names, of)]),
    broken: countBrokenAttemptsByCause(names, of),
    failedCases,
  });
};
const why = 'no [price] | in it';
const success = makeScore(0, { achieved: [false, true], reasons: [why, 'it is'], answered: true }, why);
const failedCases = [
  makeExplainedCase(finished({ unit: 'u0', agent: 'hasty' }, { tools: chain, grades: { success } }), {
    ok: true,
    value: ['the <price>', 'the day'],
  }),
];
const report = reportOn(run, basis);
const lines = report.split('\n');
const rowWith = (...words: readonly string[]): string | undefined =>
  lines.find((line) => line.startsWith('|') && words.every((word) => line.includes(word)));

describe('an evaluation report', () => {
  it('has its parts in order', () => {
    expect(lines[0]).toBe('# Evaluation report');
    expect(lines.filter((line) => line.startsWith('## '))).toEqual([
      '## Mounted tools',
      '## State of the servers',
      '## Scores',
      '## Parts of the scores',
      '## Floor',
      '## Neighbours in the ranking',
      '## Passes',
      '## Failed calls',
      '## Failed cases',
      '## Answers',
      '## Failure patterns',
      '## Domains',
      '## Chain lengths',
      '## Numbers of servers',
      '## Kinds of metamorphic relation',
      '## Levels',
      '## Witnessed units',
      '## Cost and tokens',
      '## What was not evaluated',
      '## How to read this',
    ]);
    expect(report.endsWith('\n')).toBe(true);
  });

  it('says which tools each agent saw, and what figures under oracle are not', () => {
    expect(rowWith('steady', 'standard')).toBe(
      "| steady | standard | the tools of the chain's servers and of others drawn by seed, up to 128 tools and 44000 schema tokens | 22 (20 to 23) | 4000 | 2 |",
    );
    expect(report).not.toContain(oracleCaveat);
    const agents = run.agents.map((agent) => ({ ...agent, mounting: oracleMounting }));
    expect(reportOn({ ...run, agents }, basis)).toContain(oracleCaveat);
  });

  it('names the evaluation and says that its models were rules', () => {
    expect(rowWith('benchmark')).toBe('| benchmark | bm\\_1 |');
    expect(rowWith('status')).toBe('| status | completed: all attempts were made |');
    expect(rowWith('when')).toBe('| when | 2026-01-01T00:00:00.000Z to 2026-01-01T00:10:00.000Z |');
    expect(report).toContain('**Offline.**');
    expect(reportOn({ ...run, offline: false }, basis)).not.toContain('**Offline.**');
  });

  it('says which agents the judge shares its model with', () => {
    expect(rowWith('judge model')).toBe('| judge model | critic |');
    const [first, ...others] = run.agents;
    const same = reportOn({ ...run, judge: { ...run.judge, model: 'offline-steady' } }, basis);
    expect([first?.name, others.length]).toEqual(['steady', 1]);
    expect(same).toContain('| judge model | offline-steady, which judges itself: it is the model of steady too |');
    const off = reportOn({ ...run, config: { ...run.config, judges: false } }, basis);
    expect(off).toContain('| judge model | none: the judges are off |');
  });

  it('ranks the agents with intervals, n and what is unscored', () => {
    expect(rowWith('| 1 | steady')).toContain('1.00 [1.00, 1.00], n = 8');
    expect(rowWith('| 2 | hasty')).toContain('(1 unscored), n = 7');
    expect(rowWith('steady', '| 1 | 1.00 [0.59, 1.00], n = 8')).toBeDefined();
  });

  it('has the mean of each part of a score with its number of units', () => {
    expect(rowWith('| MTC | SA | sequence agreement |')).toBe(
      '| MTC | SA | sequence agreement | 1.000, n = 8 | 1.000, n = 7 |',
    );
    expect(rowWith('| TCS | SR |')).toMatch(/\| 1\.000, n = 8 \| 0\.\d{3}, n = 7 \|$/);
    expect(rowWith('| AR | grade |')).toContain('| none | none |');
  });

  it('compares neighbours and states the verdict in words', () => {
    expect(lines).toContain('### steady and hasty');
    expect(rowWith('| TCS |', 'units')).toMatch(
      /\| \+0\.\d{3} \| .* \| 0\.\d\d \| 7 units \| 1 \| steady is better \|$/,
    );
    expect(rowWith('McNemar')).toBe(
      '| attempts that pass by success (McNemar) | 12 only steady, 0 only hasty | p < 0.001 |  | 15 attempts | 1 | steady is better |',
    );
    const alone = reportOn({ ...run, agents: run.agents.slice(0, 1) }, basis);
    expect(alone).not.toContain('Neighbours');
  });

  it('says why some cases failed, with the reasons of judges and the missed goals', () => {
    const from = lines.indexOf('## Failed cases');
    const section = lines.slice(from, lines.indexOf('## Answers'));
    expect(section.join('\n')).toContain('### steady\n\nNone.\n');
    const [, , own = ''] = section.join('\n').split('### ');
    expect(own.split('\n').slice(0, 7)).toEqual([
      'hasty',
      '',
      '**u.a.01**',
      '',
      '- source: answered',
      String.raw`  - success 0.00: no \[price\] \| in it`,
      String.raw`  - goal 1 \(the \<price\>\) 0.00: no \[price\] \| in it`,
    ]);
    expect(own).not.toContain('goal 2');
  });

  it('counts failed calls by class, patterns with their meaning, and domains', () => {
    expect(rowWith('undefined-parameter-key')).toBe(
      '| undefined-parameter-key | resource-hallucination | cognition | 0 | 1 |',
    );
    expect(rowWith('undecided')).toBe('| undecided |  |  | 0 | 1 |');
    expect(rowWith('all failed calls')).toBe('| all failed calls |  |  | 0 | 2 |');
    expect(rowWith('spoilt by the environment', '0')).toBe('| spoilt by the environment |  |  | 0 | 0 |');
    expect(rowWith('network-instability')).toBeUndefined();
    expect(rowWith('incomplete-planning')).toContain('skip tools');
    expect(rowWith('| food | steady')).toContain('0 of 32 (0.0%)');
    expect(rowWith('| forest | steady')).toContain('no calls');
  });

  it('lists what is missing, and why', () => {
    expect(report).toContain('Broken twice, and so not evaluated: 1.');
    expect(rowWith('server fruit: unreachable')).toBe('| hasty | server fruit: unreachable | 1 |');
    expect(rowWith('judge-refused')).toBe('| hasty | AR | judge-refused | 1 |');
    expect(report).not.toContain('attempts were not made');
    const early = { ...run, status: 'cancelled' as const, progress: { ...run.progress, attempts: 40 } };
    expect(reportOn(early, basis)).toContain('8 attempts were not made: the evaluation is cancelled.');
  });

  it('can be written without any results', () => {
    const nothing = reportOn(evaluation(), basisOf([]));
    expect(nothing).toContain('none, n = 0');
    expect(nothing).not.toContain('NaN');
    expect(nothing).toContain('it has not ended');
  });

  it('escapes outside names to plain text', () => {
    const config = { ...run.config, name: 'a | b <img src=x>\n# c' };
    const [head = ''] = reportOn({ ...run, config }, basis).split('\n');
    expect(head).toBe('# Evaluation report: a \\| b \\<img src=x\\> \\# c');
    const named = run.agents.map((agent) => ({ ...agent, model: 'm|`x`' }));
    expect(reportOn({ ...run, agents: named }, basis)).toContain('(m\\|\\`x\\`, function-calling)');
  });

  it('has the same number of cells in each row of a table', () => {
    const cells = (line: string): number => line.replaceAll(/\\\|/g, '').split('|').length;
    for (const [at, line] of lines.entries()) {
      const before = lines[at - 1] ?? '';
      if (line.startsWith('|') && before.startsWith('|')) expect([line, cells(line)]).toEqual([line, cells(before)]);
    }
  });
});

describe('a Markdown table', () => {
  it.each([
    ['plain-name_1', String.raw`plain-name\_1`],
    ['a|b', String.raw`a\|b`],
    ['[x](javascript:y)', String.raw`\[x\]\(javascript:y\)`],
    ['two\nlines\t', 'two lines'],
    ['\u202Eturned\u0007', 'turned'],
    [String.raw`\|`, String.raw`\\\|`],
  ])('shows %j as plain text', (text, safe) => {
    expect(escapeMarkdown(text)).toBe(safe);
  });

  it('aligns numbers to the right', () => {
    const columns = [
      { title: 'a', of: ({ a }: { a: string; b: number }) => a },
      { title: 'b', of: ({ b }: { a: string; b: number }) => b },
    ];
    expect(markdownTableLines(columns, [{ a: 'x', b: 1 }])).toEqual(['| a | b |', '| --- | ---: |', '| x | 1 |']);
    expect(markdownTableLines(columns, [])).toEqual(['| a | b |', '| --- | --- |']);
  });
});
