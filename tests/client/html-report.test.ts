import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeScore } from '#core/scoring/score.ts';
import type { EvaluationResults } from '#core/evaluation/record.ts';
import type { ToolReport } from '#core/reports/tool-report/record.ts';
import { evaluationReportHtml, type ReportedEvaluation } from '../../client/report/evaluation-report.ts';
import { finished } from '../unit/evaluation/cases.ts';
import { fakeApi, json, type Handler } from './fake-api.ts';
import { agentResult, evaluation } from './records.ts';
import { runVerb } from './run-verb.ts';

const hostile = '<script>alert(1)</script>" onload="x\u202E\u001B[31m&';

const results: EvaluationResults = {
  protocol: 'sgvef',
  agents: [agentResult('hasty', 0.6), agentResult('steady', 0.9)],
  mounted: [],
  isolation: [],
  user: 'decline',
  floor: null,
  adaptations: [],
};
const tools: ToolReport = {
  offline: true,
  final: true,
  units: 10,
  attempts: 20,
  schemaTokens: 80,
  tools: [
    {
      tool: `files/${hostile}`,
      effect: 'reads',
      verdict: 'fails',
      success: { count: 0, of: 6, share: 0, interval: null },
      unanswered: 0,
      missed: { count: 1, of: 4, share: 0.25, interval: null },
      unexpected: 0,
      commonFailure: null,
      commonError: { text: hostile, count: 4, unit: 'u' },
      medianMs: 3,
      schemaTokens: 80,
    },
  ],
  confusions: [],
  negativeAttempts: 0,
  taken: [],
  findings: [],
};
const failed = {
  case: finished(
    { unit: 'u_1', agent: 'steady' },
    { tools: ['fruit/apple'], grades: { success: makeScore(0, {}, hostile) } },
  ),
  traces: {},
  asked: { source: hostile },
  chain: ['fruit/apple', `fruit/${hostile}`],
  plan: null,
};
const reported = (changes: Partial<ReportedEvaluation> = {}): ReportedEvaluation => ({
  run: evaluation({
    status: 'completed',
    config: { ...evaluation().config, name: hostile },
    progress: { attempts: 40, made: 40, notEvaluated: 0, relaunched: 0, units: 10, unitsDone: 10 },
  }),
  results,
  comparisons: [],
  tools,
  failed: [failed],
  failedInAll: 41,
  ...changes,
});

test('a report is one file that loads nothing and runs nothing, whatever names and answers hold', async () => {
  const text = await evaluationReportHtml(reported());
  expect(text).not.toMatch(/<script|<link|<img|<iframe|javascript:| on\w+="|url\(|@import/i);
  for (const hidden of ['\u202E', '\u001B']) expect(text).not.toContain(hidden);
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&quot;x[31m&amp;');
  const addresses = Array.from(text.matchAll(/(?:src|href|action)=/g));
  expect(addresses).toEqual([]);
});

test('the policy of a report lets in its own style alone', async () => {
  const text = await evaluationReportHtml(reported());
  const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(text).toContain(`style-src &#39;sha256-${hash}&#39;`);
  expect(text).toContain('prefers-color-scheme: dark');
});

test('a report shows agents by the headline, tools, and failed cases, and says what is offline', async () => {
  const text = await evaluationReportHtml(reported());
  expect(text).toContain('Rules stood in for models');
  expect(text.indexOf('>steady</th>')).toBeGreaterThan(0);
  expect(text.indexOf('>steady</th>')).toBeLessThan(text.indexOf('>hasty</th>'));
  expect(text.match(/class="mean"/g)).toHaveLength(2);
  expect(text).toContain('41 failed; 1 are shown.');
  expect(text).toContain('0 of 1 tool ran without errors');
});

test('a report of a run that is not done says so first', async () => {
  const run = evaluation({
    progress: { attempts: 40, made: 8, notEvaluated: 0, relaunched: 0, units: 10, unitsDone: 2 },
  });
  const text = await evaluationReportHtml(reported({ run, failed: [], failedInAll: 0 }));
  expect(text.indexOf('running: 2 of 10 units done')).toBeLessThan(text.indexOf('<h2>'));
  expect(text).toContain('No case failed.');
});

test('a report says which agents crashed, and what became of their attempts', async () => {
  const crashes = [{ agent: hostile, held: 1, retried: 2, failed: 0 }];
  const text = await evaluationReportHtml(reported({ results: { ...results, crashes } }));
  expect(text).toContain('1 is held without a score, 2 were made again.');
  expect(text).not.toContain('<script>alert');
  expect(await evaluationReportHtml(reported())).not.toContain('crashed');
});

test('"report --html" reads what it shows', async () => {
  const comparison = { a: 'steady', b: 'hasty', scores: {}, passes: null };
  const answers: readonly (readonly [RegExp, unknown])[] = [
    [/\/results$/, results],
    [/\/tools$/, tools],
    [/\/compare/, comparison],
    [/\/cases\?outcome=failed$/, { items: [failed.case], nextCursor: null }],
    [/\/cases\/./, failed],
    [/evl_1$/, evaluation({ status: 'completed' })],
  ];
  const answer: Handler = (request, response, body) =>
    json(answers.find(([path]) => path.test(request.url ?? ''))?.[1])(request, response, body);
  await using api = await fakeApi(answer);
  const { lines } = await runVerb(api, 'report', 'evl_1', '--html');
  expect(lines[0]).toBe('<!doctype html>');
  expect(lines.join('\n')).toContain('steady less hasty');
  expect(lines.join('\n')).toContain('1 failed; all are shown.');
});
