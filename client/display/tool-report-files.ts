import { escapeMarkdown, markdownTableLines } from '#core/evaluation/report/markdown.ts';
import type { ToolFindings, ToolReport } from '#core/tool-report/record.ts';
import { wholeNumberText } from '../command-line/text.ts';
import { junitXml, type JunitCase } from './junit-xml.ts';
import { markdownColumns } from './markdown-columns.ts';
import {
  confusionSentences,
  confusionsTitle,
  findingSentences,
  findingsTitle,
  listToolErrors,
  schemaTokensSentence,
  shareWithIntervalText,
  toolErrorsTitle,
  toolReportColumns,
  toolReportHeadline,
  toolReportNotes,
  toolVerdictTexts,
} from './tool-report-lines.ts';

/** A report on tools, and whose calls it counts, such as `exp_...` or the name of an agent. */
export interface TitledToolReport {
  readonly title: string;
  readonly report: ToolReport;
}

/** Formats reports on tools for a comment on a pull request; several have a heading each. */
export const toolReportsMarkdown = (reports: readonly TitledToolReport[]): string =>
  reports
    .flatMap(({ title, report }) => [
      ...(reports.length === 1 ? [] : [`## ${escapeMarkdown(title)}`, '']),
      ...toolReportMarkdownLines(report),
    ])
    .join('\n');

const toolReportMarkdownLines = (report: ToolReport): string[] => [
  ...toolReportNotes(report).flatMap((note) => [`> ${escapeMarkdown(note)}`, '']),
  `**${escapeMarkdown(toolReportHeadline(report))}**`,
  '',
  escapeMarkdown(schemaTokensSentence(report)),
  '',
  ...markdownTableLines(markdownColumns(toolReportColumns(report)), report.tools),
  '',
  ...listLines(findingsTitle, findingSentences(report)),
  ...listLines(confusionsTitle, confusionSentences(report)),
  ...listLines(
    toolErrorsTitle,
    listToolErrors(report).map(({ sentence, text }) => `${sentence}: ${text}`),
  ),
];

const listLines = (title: string, sentences: readonly string[]): string[] =>
  sentences.length === 0 ? [] : [title, '', ...sentences.map((each) => `- ${escapeMarkdown(each)}`), ''];

/**
 * Formats reports on tools as JUnit XML: a suite for each, and in it a test for each tool. A tool that fails or struggles is a
 * failure; one without an answered call is skipped.
 */
export const toolReportsJunitXml = (reports: readonly TitledToolReport[]): string =>
  junitXml(
    reports.map(({ title, report }) => ({
      name: `sextant: tools of ${title}`,
      properties: [...toolReportNotes(report).map((note) => ['note', note] as const), ['units', report.units]],
      cases: report.tools.map((of) => toolJunitCase(of, report)),
    })),
  );

const junitKinds = { works: null, struggles: 'failure', fails: 'failure', 'not-called': 'skipped' } as const;

function toolJunitCase(of: ToolFindings, report: ToolReport): JunitCase {
  const { tool, verdict, success, missed, commonError, schemaTokens } = of;
  const answered = `${success.count} of ${wholeNumberText(success.of)} calls ${report.offline ? 'ran without an error' : 'succeeded'}`;
  const error = commonError === null ? '' : `; most often: ${commonError.text}`;
  return {
    subject: tool.slice(0, Math.max(0, tool.indexOf('/'))),
    name: tool,
    kind: junitKinds[verdict],
    text: verdict === 'not-called' ? 'no call of it was answered' : `${answered}${error}`,
    properties: [
      ['verdict', toolVerdictTexts(report)[verdict]],
      ['calls', success.of],
      [report.offline ? 'no error' : 'succeeded', shareWithIntervalText(success)],
      ['missed', `${missed.count} of ${missed.of}`],
      ['tokens of its definition', schemaTokens],
    ],
  };
}
