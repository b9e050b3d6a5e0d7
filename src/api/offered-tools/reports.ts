import { z } from '@hono/zod-openapi';
import { agentName } from '#core/evaluation/config.ts';
import { evaluationResults } from '#core/evaluation/record.ts';
import { runText } from '#core/reports/offered-tools/run-brief.ts';
import { resultsText, makeShownResults, shownResults } from '#core/reports/offered-tools/shown-results.ts';
import {
  finding,
  takenTool,
  toolConfusion,
  toolFindings,
  toolReport,
  type ToolReport,
} from '#core/reports/tool-report/record.ts';
import { evaluationInput, kindOfRun, limitInput, moreText, runInput } from './inputs.ts';
import { makeTool, readsOnly } from './make-tool.ts';
import { encodeIdForPath } from './own-api.ts';
import { readRun } from './runs.ts';

const placeCursor = z
  .string()
  .regex(/^\d{0,9}$/, '`nextCursor` of the page before')
  .default('')
  .describe('`nextCursor` of the page before');

/** Findings and confusions in a report; more would only repeat what the rows of tools say. */
const mostShown = 10;

const reportPage = z.object({
  offline: toolReport.shape.offline.describe(
    'Whether rules stood in for models: then it says what tools do, but not whether agents can use them',
  ),
  final: toolReport.shape.final.describe('Whether the run has ended, so that nothing will change'),
  units: toolReport.shape.units,
  attempts: toolReport.shape.attempts,
  of: z.int().describe('How many tools the whole report has'),
  findings: z
    .array(finding)
    .describe(`What stands out, the worst first, at most ${mostShown}; on the first page alone`),
  confusions: z
    .array(toolConfusion)
    .describe(`Tools that were called where another one was expected, at most ${mostShown}; on the first page alone`),
  negativeAttempts: toolReport.shape.negativeAttempts.describe('Attempts at requests that no tool fits'),
  taken: z.array(takenTool).describe(`Tools that were called in them, at most ${mostShown}; on the first page alone`),
  tools: z.array(toolFindings).describe('A page of the tools, those with problems first'),
  nextCursor: z.string().nullable(),
});

const readToolReport = makeTool({
  name: 'read_tool_report',
  title: 'Read what a run says about tools',
  description:
    'Reads what an exploration or evaluation says about each tool: whether it works, its most frequent error, whether agents call it where they should, which tools are taken for which, and which are called where none fits. Works while the run continues.',
  input: z.strictObject({
    run: runInput,
    agent: agentName.optional().describe('Of an evaluation: only attempts of this agent'),
    limit: limitInput,
    cursor: placeCursor,
  }),
  output: reportPage,
  hints: readsOnly,
  async run({ run, agent, limit, cursor }, { api }) {
    const path = `/v1/${kindOfRun(run)}s/${encodeIdForPath(run)}/tools`;
    const report = await api.ask(path, toolReport, { query: kindOfRun(run) === 'evaluation' ? { agent } : {} });
    const from = Number(cursor);
    const end = from + limit;
    const nextCursor = end < report.tools.length ? String(end) : null;
    const first = from === 0;
    const data = {
      ...report,
      of: report.tools.length,
      findings: first ? report.findings.slice(0, mostShown) : [],
      confusions: first ? report.confusions.slice(0, mostShown) : [],
      taken: first ? report.taken.slice(0, mostShown) : [],
      tools: report.tools.slice(from, end),
      nextCursor,
    };
    return { text: `${reportText(report)}${moreText(nextCursor)}`, data };
  },
});

function reportText({ offline, final, tools, attempts, findings }: ToolReport): string {
  const count = (verdict: ToolReport['tools'][number]['verdict']) =>
    tools.filter((each) => each.verdict === verdict).length;
  return [
    ...(offline ? ['Rules stood in for models: this says what tools do, but not whether agents can use them.'] : []),
    ...(final ? [] : ['The run continues, so this will change.']),
    `After ${attempts} attempts ${count('works')} of ${tools.length} tools work, ${count('struggles')} struggle, ${count('fails')} fail, ${count('not-called')} were not called.`,
    ...findings.slice(0, mostShown).map(({ severity, sentence }) => `${severity}: ${sentence}`),
  ].join('\n');
}

const readResults = makeTool({
  name: 'read_results',
  title: 'Read the results of an evaluation',
  description:
    'Reads the figures of each agent of an evaluation, with 95% intervals over units and the floor. Works while the evaluation continues.',
  input: z.strictObject({ run: evaluationInput }),
  output: shownResults,
  hints: readsOnly,
  async run({ run }, { api }) {
    const [brief, results] = await Promise.all([
      readRun(api, run),
      api.ask(`/v1/evaluations/${encodeIdForPath(run)}/results`, evaluationResults),
    ]);
    const data = makeShownResults(results);
    return { text: `${runText(brief)}\n${resultsText(data)}`, data };
  },
});

export const reportTools = [readToolReport, readResults];
