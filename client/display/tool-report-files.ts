import { serverNameOfToolName } from '#core/catalog/tool.ts';
import { escapeMarkdown, markdownTableLines } from '#core/evaluation/report/markdown.ts';
import { definitionFindingKind, type ToolFindings, type ToolReport } from '#core/reports/tool-report/record.ts';
import { wholeNumberText } from '../command-line/text.ts';
import { junitXml, type JunitCase, type JunitSuite } from './junit-xml.ts';
import { toMarkdownColumns } from './markdown-columns.ts';
import {
  confusionSentences,
  confusionsTitle,
  findingSentences,
  findingsTitle,
  listToolErrors,
  schemaTokensSentence,
  shareWithIntervalText,
  takenSentences,
  takenTitle,
  toolErrorsTitle,
  toolReportColumns,
  toolReportHeadline,
  toolReportLines,
  toolReportNotes,
  getToolVerdictTexts,
} from './tool-report-lines.ts';

/** A report on tools, and whose calls it counts, such as `exp_...` or the name of an agent. */
export interface TitledToolReport {
  readonly title: string;
  readonly report: ToolReport;
}

/** Reports on the same tools, and what has to be known before they are read. */
export interface ToolReports {
  readonly title: string;
  readonly notes: readonly string[];
  readonly reports: readonly TitledToolReport[];
}

/** Returns reports of which only the first has the findings of definitions, which are the same for all agents. */
export const withoutRepeatedFindings = (reports: readonly TitledToolReport[]): TitledToolReport[] =>
  reports.map(({ title, report }, index) => {
    const findings = report.findings.filter(
      ({ kind }) => index === 0 || !definitionFindingKind.safeParse(kind).success,
    );
    return { title, report: { ...report, findings } };
  });

/** Formats reports on tools for a terminal; several have a title each. */
export const toolReportsLines = ({ notes, reports }: ToolReports, width: number): string[] => [
  ...notes,
  ...reports.flatMap(({ title, report }, index) => [
    ...(reports.length === 1 ? [] : [...(index === 0 && notes.length === 0 ? [] : ['']), `${title}:`]),
    ...toolReportLines(report, width),
  ]),
];

/** Formats reports on tools for a comment on a pull request; several have a heading each. */
export const toolReportsMarkdown = ({ notes, reports }: ToolReports): string =>
  [
    ...notes.flatMap(noteLines),
    ...reports.flatMap(({ title, report }) => [
      ...(reports.length === 1 ? [] : [`## ${escapeMarkdown(title)}`, '']),
      ...toolReportMarkdownLines(report),
    ]),
  ].join('\n');

const noteLines = (note: string): string[] => [`> ${escapeMarkdown(note)}`, ''];

const toolReportMarkdownLines = (report: ToolReport): string[] => [
  ...toolReportNotes(report).flatMap(noteLines),
  `**${escapeMarkdown(toolReportHeadline(report))}**`,
  '',
  escapeMarkdown(schemaTokensSentence(report)),
  '',
  ...markdownTableLines(toMarkdownColumns(toolReportColumns(report)), report.tools),
  '',
  ...listLines(findingsTitle, findingSentences(report)),
  ...listLines(confusionsTitle, confusionSentences(report)),
  ...listLines(takenTitle, takenSentences(report)),
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
export const toolReportsJunitXml = (reports: ToolReports): string => junitXml(toolReportSuites(reports));

/** Returns the suites of JUnit XML that reports on tools are. */
export const toolReportSuites = ({ notes, reports }: ToolReports): JunitSuite[] =>
  reports.map(({ title, report }) => ({
    name: `sextant: tools of ${title}`,
    properties: [
      ...[...notes, ...toolReportNotes(report)].map((note) => ['note', note] as const),
      ['units', report.units],
    ],
    cases: report.tools.map((of) => toolJunitCase(of, report, reports.length === 1 ? '' : `${title} `)),
  }));

const junitKinds = { works: null, struggles: 'failure', fails: 'failure', 'not-called': 'skipped' } as const;

/** `agent` tells the tests of several agents apart where readers of JUnit know a test by its class and its name. */
function toolJunitCase(of: ToolFindings, report: ToolReport, agent: string): JunitCase {
  const { tool, verdict, success, missed, commonError, schemaTokens } = of;
  const answered = `${success.count} of ${wholeNumberText(success.of)} calls ${report.offline ? 'ran without an error' : 'succeeded'}`;
  const error = commonError === null ? '' : `; most often: ${commonError.text}`;
  return {
    subject: `${agent}${serverNameOfToolName(tool)}`,
    name: tool,
    // What rules got wrong is chance: it fails nobody's build.
    kind: report.offline && verdict !== 'works' ? 'skipped' : junitKinds[verdict],
    text: verdict === 'not-called' ? 'no call of it was answered' : `${answered}${error}`,
    properties: [
      ['verdict', getToolVerdictTexts(report)[verdict]],
      ['calls', success.of],
      [report.offline ? 'no error' : 'succeeded', shareWithIntervalText(success)],
      ...(report.offline ? [] : [['missed', `${missed.count} of ${missed.of}`] as const]),
      ...(report.negativeAttempts === 0 ? [] : [['called where no tool fits', takenCountText(report, tool)] as const]),
      ['tokens of its definition', schemaTokens],
    ],
  };
}

const takenCountText = ({ taken, negativeAttempts }: ToolReport, tool: string): string =>
  `${taken.find((each) => each.tool === tool)?.attempts.count ?? 0} of ${negativeAttempts}`;
