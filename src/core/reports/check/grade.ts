import { toolNameWithoutServer } from '#core/catalog/tool.ts';
import { severities } from '../tool-report/record.ts';
import { needsWork, type CheckFinding } from './finding.ts';
import { grades, type CheckedTool, type CheckReport } from './report.ts';
import { families, type Family, type Severity } from './rules.ts';

export type Grade = (typeof grades)[number];

/** The grade of each family; null for one that was not looked at. */
export type Grades = Readonly<Record<Family, Grade | null>>;

/** What a finding takes of a tool's worth, which is 1. */
const weights: Readonly<Record<Severity, number>> = { high: 1, medium: 0.5, low: 0.05 };

/** The largest share of the tools' worth that may be lost for a grade. */
const limits = [
  ['A', 0.05],
  ['B', 0.15],
  ['C', 0.3],
  ['D', 0.5],
] as const;

/** Keeps a sum such as 0.05 + 0.05 + 0.05 from being above its limit. */
const roundingError = 1e-9;

const worseOf = (one: Grade, other: Grade): Grade => (grades.indexOf(one) > grades.indexOf(other) ? one : other);

const worstSeverityOf = (findings: readonly Pick<CheckFinding, 'severity'>[]): Severity | null =>
  severities.find((each) => findings.some(({ severity }) => severity === each)) ?? null;

/** Returns what a finding is about: `server/tool` of each tool, or the name of the server. A twin is about both tools. */
const subjectsOf = ({ tool, server, others }: CheckFinding): string[] => [...new Set([tool ?? server, ...others])];

/** By subject, its findings, in the order of the findings. */
function findingsBySubject(findings: readonly CheckFinding[]): Map<string, CheckFinding[]> {
  const bySubject = new Map<string, CheckFinding[]>();
  for (const finding of findings)
    for (const subject of subjectsOf(finding)) bySubject.set(subject, [...(bySubject.get(subject) ?? []), finding]);
  return bySubject;
}

/** Returns the worst severity of what was found about a tool, `server/tool`; null without findings. */
export const worstOfTool = (findings: readonly CheckFinding[], tool: string): Severity | null =>
  worstSeverityOf(findings.filter((finding) => subjectsOf(finding).includes(tool)));

/**
 * Grades each family by the share of the tools' worth that is lost: of each tool its worst finding counts, of high severity as all of it, of
 * medium severity as half, of low severity as a twentieth; findings about a server as a whole add to this like those of one more tool. A
 * finding of medium severity excludes an A, one of high severity a B, in `safe` a C as well. `sturdy` is about the tools that were called;
 * null if none was.
 */
export function gradeFamilies(parts: Pick<CheckReport, 'tools' | 'findings' | 'static'>): Grades {
  return {
    safe: gradeFamily('safe', parts),
    clear: gradeFamily('clear', parts),
    distinct: gradeFamily('distinct', parts),
    sturdy: parts.static ? null : gradeFamily('sturdy', parts),
    lean: gradeFamily('lean', parts),
    conformant: gradeFamily('conformant', parts),
  };
}

function gradeFamily(family: Family, { tools, findings }: Pick<CheckReport, 'tools' | 'findings'>): Grade | null {
  const bySubject = findingsBySubject(findings.filter((each) => each.family === family));
  const looked = tools.filter(({ tool, calls }) => family !== 'sturdy' || calls > 0 || bySubject.has(tool)).length;
  if (looked === 0 && bySubject.size === 0) return null;
  const worst = [...bySubject.values()].flatMap((own) => worstSeverityOf(own) ?? []);
  const lost = worst.reduce((sum, severity) => sum + weights[severity], 0) / Math.max(1, looked);
  const [byShare] = limits.find(([, most]) => lost <= most + roundingError) ?? ['F'];
  return worst.map((severity) => bestGradeWith(severity, family)).reduce(worseOf, byShare);
}

/** Returns the best grade of a family that has a finding of a severity. */
function bestGradeWith(severity: Severity, family: Family): Grade {
  if (severity === 'high') return family === 'safe' ? 'D' : 'C';
  return severity === 'medium' ? 'B' : 'A';
}

/**
 * Grades all families together: their mean, between two grades the worse one, and at most one grade better than the worst family. Null if no
 * family has a grade.
 */
export function overallGrade(of: Grades): Grade | null {
  const places = families.flatMap((family) => {
    const grade = of[family];
    return grade === null ? [] : [grades.indexOf(grade)];
  });
  if (places.length === 0) return null;
  const mean = Math.ceil(places.reduce((sum, place) => sum + place, 0) / places.length);
  return grades[Math.max(mean, Math.max(...places) - 1)] ?? null;
}

/** Returns the name of a tool, `server/tool`, as a report shows it: without its server if there is only one. */
export const shownToolName = ({ servers }: Pick<CheckReport, 'servers'>, tool: string): string =>
  servers.length === 1 ? toolNameWithoutServer(tool) : tool;

/** Names a server, as what a finding is about that is about no tool. */
export const shownServerName = ({ servers }: Pick<CheckReport, 'servers'>, server: string): string =>
  servers.length === 1 ? 'the server itself' : `the server ${server} itself`;

const mostNamed = 5;
const mostSaidOfServer = 3;
const reasonChars = 60;

const otherText = (count: number): string => (count === 1 ? '1 other' : `${count} others`);

/**
 * Says in words what a report means, a sentence each: first how many tools need work before agents use them, and which, the worst first;
 * then for each server what it does wrong itself.
 */
export function verdictOf(
  report: Pick<CheckReport, 'servers' | 'static' | 'tools' | 'findings'>,
): readonly [string, ...string[]] {
  const { servers, findings } = report;
  const serious = findings.filter(needsWork);
  const ofServers = servers.flatMap((server) => {
    const own = serious.filter((each) => each.tool === null && each.server === server);
    const said = [...new Set(own.map(({ sentence }) => sentence.replace(/\.$/, '')))];
    if (said.length === 0) return [];
    const subject = shownServerName(report, server);
    const more = said.length > mostSaidOfServer ? `; and ${said.length - mostSaidOfServer} more` : '';
    return [`T${subject.slice(1)}: ${said.slice(0, mostSaidOfServer).join('; ')}${more}.`];
  });
  return [toolsSentence(report, serious), ...ofServers];
}

function toolsSentence(
  report: Pick<CheckReport, 'servers' | 'static' | 'tools' | 'findings'>,
  serious: readonly CheckFinding[],
): string {
  const { tools, findings } = report;
  if (tools.length === 0) return 'There is no tool to check.';
  const bad = [...findingsBySubject(serious)].filter(([subject]) => subject.includes('/')).toSorted(worseFirst);
  if (bad.length > 0) {
    const named = bad
      .slice(0, mostNamed)
      .map(([tool, about]) => `${shownToolName(report, tool)} (${shortReason(report, tool, about)})`)
      .join(', ');
    const rest = bad.length > mostNamed ? ` and ${otherText(bad.length - mostNamed)}` : '';
    const before =
      tools.length === 1 ? 'The only tool needs work before agents use it' : needText(bad.length, tools.length);
    return `${before}: ${named}${rest}.`;
  }
  const improvable = tools.filter(({ tool }) => worstOfTool(findings, tool) !== null).length;
  return usableText(report, improvable);
}

const needText = (bad: number, of: number): string =>
  bad === 1
    ? `1 of ${of} tools needs work before agents use it`
    : `${bad} of ${of} tools need work before agents use them`;

/** Says that agents can use all tools, as far as that is known: what was not called is known by its definition only. */
function usableText({ tools, static: isStatic }: Pick<CheckReport, 'tools' | 'static'>, improvable: number): string {
  const uncalled = tools.filter(({ calls }) => calls === 0).length;
  const byDefinition = isStatic || uncalled === tools.length;
  const subject = tools.length === 1 ? 'the only tool' : `all ${tools.length} tools`;
  const found =
    improvable === 0
      ? 'nothing to improve was found'
      : tools.length === 1
        ? 'it has something to improve'
        : `${improvable} ${improvable === 1 ? 'has' : 'have'} something to improve`;
  const notCalled = byDefinition || uncalled === 0 ? '' : `; ${uncalled} ${uncalled === 1 ? 'was' : 'were'} not called`;
  const usable = byDefinition ? `By the definitions, ${subject}` : `${subject[0]?.toUpperCase()}${subject.slice(1)}`;
  return `${usable} can be used by agents; ${found}${notCalled}.`;
}

type ToolWithFindings = readonly [tool: string, findings: readonly CheckFinding[]];

/** Orders tools by their worst finding, then by how many they have. */
function worseFirst([, one]: ToolWithFindings, [, other]: ToolWithFindings): number {
  const rank = (of: readonly CheckFinding[]): number =>
    Math.min(...of.map(({ severity }) => severities.indexOf(severity)));
  return rank(one) - rank(other) || other.length - one.length;
}

/** The beginning of what the worst finding about a tool says, up to where it goes into detail; of a twin, whose twin it is. */
function shortReason(report: Pick<CheckReport, 'servers'>, tool: string, findings: readonly CheckFinding[]): string {
  const worst = worstSeverityOf(findings);
  const serious = findings.filter(({ severity }) => severity === worst);
  const [first] = serious;
  const own = serious.find((each) => each.tool === tool);
  if (own === undefined) return `see ${first?.tool ? shownToolName(report, first.tool) : 'below'}`;
  const [clause = ''] = own.sentence.split(/[:;.](?:\s|$)/u, 1);
  return cutAtWord(clause.trim(), reasonChars);
}

function cutAtWord(text: string, chars: number): string {
  const characters = Array.from(text);
  if (characters.length <= chars) return text;
  const cut = characters.slice(0, chars - 1).join('');
  return `${cut.slice(0, cut.lastIndexOf(' ') > 0 ? cut.lastIndexOf(' ') : cut.length)}…`;
}

/** The tools of a report, those with the worst findings first. */
export const worstToolsFirst = ({ tools, findings }: Pick<CheckReport, 'tools' | 'findings'>): CheckedTool[] => {
  const rank = ({ tool }: CheckedTool): number => {
    const worst = worstOfTool(findings, tool);
    return worst === null ? severities.length : severities.indexOf(worst);
  };
  return tools.toSorted((one, other) => rank(one) - rank(other));
};
