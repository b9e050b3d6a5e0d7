import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { serverNameOfToolName } from '#core/catalog/tool.ts';
import { escapeMarkdown, markdownTableLines } from '#core/evaluation/report/markdown.ts';
import { needsWork, type CheckFinding } from '#core/reports/check/finding.ts';
import { overallGrade, worstOfTool, worstToolsFirst, type Grade } from '#core/reports/check/grade.ts';
import type { CheckedTool, CheckReport } from '#core/reports/check/report.ts';
import { checkRules, ruleIds, type RuleId } from '#core/reports/check/rules.ts';
import { badgeSvg } from '#core/values/badge-svg.ts';
import { harnessVersion } from '#core/values/harness-version.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';
import {
  callText,
  checkColumns,
  checkNotes,
  foundText,
  groupCheckFindings,
  namedGrades,
  subjectsText,
  verdictLines,
  type CheckFindingGroup,
} from './check-lines.ts';
import { junitXml, type JunitCase } from './junit-xml.ts';
import { toMarkdownColumns } from './markdown-columns.ts';
import { toolReportsMarkdown, toolReportSuites, type ToolReports } from './tool-report-files.ts';

/** Formats a report for a comment on a pull request, with what agents did below it if they were let in. */
export function checkMarkdown(report: CheckReport, agents: ToolReports | null = null): string {
  const [verdict, ...ofServers] = verdictLines(report);
  const grades = namedGrades(report).map(([title, grade]) => ({ title, of: () => grade }));
  const findings = groupCheckFindings(report).map(findingItem);
  return [
    `**${escapeMarkdown(verdict)}**`,
    '',
    ...ofServers.flatMap((each) => [escapeMarkdown(each), '']),
    ...markdownTableLines(grades, [report]),
    '',
    ...(findings.length === 0 ? [] : [...findings, '']),
    ...(report.tools.length === 0
      ? []
      : [...markdownTableLines(toMarkdownColumns(checkColumns(report)), worstToolsFirst(report)), '']),
    ...checkNotes(report).flatMap((note) => [`> ${escapeMarkdown(note)}`, '']),
    ...(agents === null ? [] : ['## What agents did with the tools', '', toolReportsMarkdown(agents)]),
  ].join('\n');
}

/** An item of a list, with the call that shows the finding. */
function findingItem(group: CheckFindingGroup): string {
  const { rule, severity, subjects, proposal, call } = group;
  const shown = call === null ? '' : ` Call: ${escapeMarkdown(callText(call.shown))}.`;
  return `- **${severity}** ${escapeMarkdown(subjectsText(subjects))} (${escapeMarkdown(rule)}): ${escapeMarkdown(foundText(group))}.${shown} Fix: ${escapeMarkdown(proposal)}.`;
}

/**
 * Formats a report as JUnit XML: a test for each tool, and one for each server itself if something was found about it. A test fails if
 * there is a finding of medium or high severity. What agents did are suites of their own.
 */
export const checkJunitXml = (report: CheckReport, agents: ToolReports | null = null): string =>
  junitXml([
    {
      name: `sextant: check of ${report.servers.join(', ')}`,
      properties: [
        ...checkNotes(report).map((note) => ['note', note] as const),
        ...namedGrades(report).map(([name, grade]) => [`grade ${name}`, grade] as const),
      ],
      cases: [...serverCases(report), ...worstToolsFirst(report).map((tool) => toolCase(tool, report))],
    },
    ...(agents === null ? [] : toolReportSuites(agents)),
  ]);

const serverCases = ({ servers, findings }: CheckReport): JunitCase[] =>
  servers.flatMap((server) => {
    const own = findings.filter((each) => each.tool === null && each.server === server);
    return own.length === 0 ? [] : [{ subject: server, name: 'the server itself', ...judgedCase(own) }];
  });

function toolCase({ tool, effect, calls, p50Ms, p95Ms, tokens }: CheckedTool, report: CheckReport): JunitCase {
  const findings = report.findings.filter((each) => each.tool === tool || each.others.includes(tool));
  return {
    subject: serverNameOfToolName(tool),
    name: tool,
    ...judgedCase(findings),
    properties: [
      ['effect', effect],
      ['tokens of its definition', tokens],
      ['worst finding', worstOfTool(report.findings, tool) ?? 'none'],
      ['findings', findings.map(({ rule }) => rule).join(', ')],
      ...(report.static ? [] : [['calls', calls] as const]),
      ...(p50Ms === null ? [] : [['p50 ms', Math.round(p50Ms)] as const]),
      ...(p95Ms === null ? [] : [['p95 ms', Math.round(p95Ms)] as const]),
    ],
  };
}

function judgedCase(findings: readonly CheckFinding[]): Pick<JunitCase, 'kind' | 'text'> {
  const serious = findings.filter(needsWork);
  return {
    kind: serious.length === 0 ? null : 'failure',
    text: serious
      .map(({ rule, severity, sentence, proposal }) => `${severity}: ${sentence} (${rule}); ${proposal}`)
      .join(' | '),
  };
}

const sarifSchema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const sarifLevels = { high: 'error', medium: 'warning', low: 'note' } as const;
const problemSeverities = { high: 'error', medium: 'warning', low: 'recommendation' } as const;
/** The middles of GitHub's bands of the same names; they are no scores of CVSS. */
const securitySeverities = { high: '8.0', medium: '5.5', low: '2.0' } as const;
const sourceRoot = '%SRCROOT%';

/**
 * Formats a report as SARIF 2.1.0, with all properties that GitHub's code scanning requires. All results are at the beginning of `file`: the
 * path of the file of servers from the root of the repository, or an address.
 */
export function checkSarif(report: CheckReport, { file }: { readonly file: string }): string {
  const artifactLocation = artifactLocationOf(file);
  const ordinals = new Map<string, number>();
  const results = report.findings.map((finding) => {
    const key = `${finding.rule} ${finding.tool ?? finding.server}`;
    const ordinal = (ordinals.get(key) ?? 0) + 1;
    ordinals.set(key, ordinal);
    return sarifResult(finding, { artifactLocation, fingerprint: fingerprintOf(key, ordinal) });
  });
  const [, version] = harnessVersion.split('@');
  const driver = { name: 'Sextant', semanticVersion: version, rules: ruleIds.map(sarifRule) };
  const run = {
    tool: { driver },
    originalUriBaseIds: { [sourceRoot]: { description: { text: 'The root of the repository.' } } },
    columnKind: 'unicodeCodePoints',
    results,
  };
  return `${JSON.stringify({ $schema: sarifSchema, version: '2.1.0', runs: [run] }, null, 2)}\n`;
}

/** The same from check to check for the same rule and tool; several results of one rule at one tool are counted. */
const fingerprintOf = (ruleAndTool: string, ordinal: number): string =>
  `${createHash('sha256').update(ruleAndTool).digest('hex').slice(0, 16)}:${ordinal}`;

interface ArtifactLocation {
  readonly uri: string;
  readonly uriBaseId?: string;
}

function artifactLocationOf(file: string): ArtifactLocation {
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(file) && URL.canParse(file)) return { uri: new URL(file).href };
  if (file.startsWith('/')) return { uri: pathToFileURL(file).href };
  const parts = file.replaceAll('\\', '/').split('/');
  const uri = parts
    .filter((part) => part !== '.' && part !== '')
    .map(encodeURIComponent)
    .join('/');
  return { uri, uriBaseId: sourceRoot };
}

function sarifRule(id: RuleId): unknown {
  const { family, severity, when, example } = checkRules[id];
  const isSafety = family === 'safe';
  return {
    id,
    shortDescription: { text: sarifText(`${id.replaceAll('-', ' ')} (${family})`) },
    fullDescription: { text: sarifText(`Found when ${when}.`) },
    help: { text: sarifText(`Found when ${when}. For example: ${example}`) },
    defaultConfiguration: { level: sarifLevels[severity] },
    properties: {
      tags: isSafety ? [family, 'security'] : [family],
      'problem.severity': problemSeverities[severity],
      ...(isSafety ? { 'security-severity': securitySeverities[severity] } : {}),
    },
  };
}

function sarifResult(
  { rule, severity, tool, server, others, sentence, evidence, proposal, call }: CheckFinding,
  { artifactLocation, fingerprint }: { readonly artifactLocation: ArtifactLocation; readonly fingerprint: string },
): unknown {
  const shown = call === null ? '' : ` Call: ${callText(call)}.`;
  const found = foundText({
    sentence: sentence.replace(/\.$/, ''),
    evidence: evidence.filter((each) => !others.includes(each)),
  });
  return {
    ruleId: rule,
    ruleIndex: ruleIds.indexOf(rule),
    level: sarifLevels[severity],
    message: { text: sarifText(`${tool ?? server}: ${found}.${shown} Fix: ${proposal.replace(/\.$/, '')}.`) },
    locations: [
      {
        physicalLocation: {
          artifactLocation,
          region: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 },
        },
        logicalLocations: [
          logicalLocation(tool ?? server, tool === null ? 'module' : 'function'),
          ...others.map((each) => logicalLocation(each, 'function')),
        ],
      },
    ],
    // The only fingerprint that GitHub reads. Without it all results of a rule would be one, as all are at the same line.
    partialFingerprints: { primaryLocationLineHash: fingerprint },
  };
}

const logicalLocation = (of: string, kind: 'module' | 'function'): unknown => {
  const fullyQualifiedName = makePrintableLine(of);
  return { name: fullyQualifiedName.slice(fullyQualifiedName.indexOf('/') + 1), fullyQualifiedName, kind };
};

/** Makes outside text a message of SARIF: one line without placeholders (`{0}`) and without links (`[text](address)`). */
const sarifText = (text: string): string =>
  makePrintableLine(text).replaceAll('](', '] (').replaceAll('{', '{{').replaceAll('}', '}}');

/** Colours on which white text has a contrast of 4.5 and more (WCAG 2.2, level AA). */
const gradeFills: Readonly<Record<Grade, string>> = {
  A: '#1f6f54',
  B: '#3f6b1f',
  C: '#7a5c00',
  D: '#9a4a00',
  F: '#a3242b',
};

/** Draws the grade of a check of all families together and the count of tools as an SVG, such as `sextant | check A | 10 tools`. */
export function checkBadgeSvg({ grades, tools, static: isStatic }: CheckReport): string {
  const grade = overallGrade(grades);
  return badgeSvg([
    { text: 'sextant', fill: '#24344d' },
    { text: `check ${grade ?? '–'}`, fill: grade === null ? '#596168' : gradeFills[grade] },
    { text: `${countWithNoun(tools.length, 'tool')}${isStatic ? ', definitions only' : ''}`, fill: '#3d5578' },
  ]);
}
