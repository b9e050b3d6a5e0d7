import type { CheckFinding, ShownCall } from '#core/reports/check/finding.ts';
import {
  overallGrade,
  shownServerName,
  shownToolName,
  verdictOf,
  worstOfTool,
  worstToolsFirst,
} from '#core/reports/check/grade.ts';
import type { CheckedTool, CheckReport } from '#core/reports/check/report.ts';
import { checkRules, families, type Family, type RuleId, type Severity } from '#core/reports/check/rules.ts';
import { severities } from '#core/reports/tool-report/record.ts';
import { tableLines, type Column } from '../command-line/table-lines.ts';
import { countWithNoun, cutToWidth, makePrintableLine, wholeNumberText } from '../command-line/text.ts';

/** Returns the command that repeats a call of a server; null if there is none. */
export type RepeatCommand = (call: ShownCall, server: string) => string | null;

interface CheckLinesOptions {
  /** Columns of the terminal. */
  readonly width: number;
  /** Whether each finding of low severity is shown, and not only one line for each rule. */
  readonly verbose: boolean;
  readonly repeatCommand: RepeatCommand;
}

/** Formats a report for a terminal: what it means, the grades, the findings, the worst first, a table of tools, and the notes. */
export function checkLines(report: CheckReport, { width, verbose, repeatCommand }: CheckLinesOptions): string[] {
  const groups = groupCheckFindings(report);
  const [shown, folded] = verbose
    ? [groups, []]
    : [groups.filter(({ severity }) => severity !== 'low'), groups.filter(({ severity }) => severity === 'low')];
  return [
    ...verdictLines(report),
    gradesLine(report),
    ...(groups.length === 0 ? [] : ['']),
    ...shown.flatMap((group) => groupLines(group, width, repeatCommand)),
    ...foldedLines(folded),
    ...(report.tools.length === 0 ? [] : ['', ...tableLines(checkColumns(report), worstToolsFirst(report), width)]),
    ...underBlankLine(checkNotes(report)),
  ];
}

const underBlankLine = (lines: readonly string[]): string[] => (lines.length === 0 ? [] : ['', ...lines]);

/** What a report means, a sentence a line. */
export const verdictLines = (report: CheckReport): [string, ...string[]] => {
  const [first, ...others] = verdictOf(report);
  return [makePrintableLine(first), ...others.map(makePrintableLine)];
};

/** What a grade is shown as: a dash for a family that was not looked at. */
const gradeText = (grade: string | null): string => grade ?? '–';

/** The grades by name in their order, the grade of all together first. */
export const namedGrades = ({ grades }: Pick<CheckReport, 'grades'>): [name: string, grade: string][] => [
  ['overall', gradeText(overallGrade(grades))],
  ...families.map((family): [string, string] => [family, gradeText(grades[family])]),
];

const gradesLine = (report: CheckReport): string => {
  const [overall = ['', ''], ...byFamily] = namedGrades(report);
  return `${byFamily.map((each) => each.join(' ')).join('  ')}  (${overall.join(' ')})`;
};

/** Findings that say the same, of several tools or of one. All texts can be printed. */
export interface CheckFindingGroup {
  readonly rule: RuleId;
  readonly family: Family;
  readonly severity: Severity;
  /** The names of what it is about. */
  readonly subjects: readonly [string, ...string[]];
  readonly sentence: string;
  /** What in the definitions shows it. */
  readonly evidence: readonly string[];
  readonly proposal: string;
  /** The first call that shows it, and its server. */
  readonly call: { readonly shown: ShownCall; readonly server: string } | null;
}

/** Joins the findings that say the same, the worst first. */
export function groupCheckFindings(report: Pick<CheckReport, 'servers' | 'findings'>): CheckFindingGroup[] {
  const alike = Map.groupBy(report.findings, ({ rule, severity, sentence, evidence, proposal }) =>
    JSON.stringify([rule, severity, sentence, evidence, proposal]),
  );
  const groups = [...alike.values()].flatMap((findings) => {
    const [first] = findings;
    if (first === undefined) return [];
    const { rule, family, severity, sentence, proposal } = first;
    const [subject = '', ...more] = new Set(findings.flatMap((each) => subjectNames(report, each)));
    const shows = findings.find(({ call }) => call !== null);
    const names = new Set(findings.flatMap(({ tool, others }) => [tool, ...others]));
    const group: CheckFindingGroup = {
      rule,
      family,
      severity,
      subjects: [subject, ...more],
      sentence: makePrintableLine(sentence).replace(/\.$/, ''),
      evidence: first.evidence
        .filter((each) => !names.has(each) && !sentence.includes(each))
        .map((each) => cutToWidth(makePrintableLine(each), evidenceColumns)),
      proposal: makePrintableLine(proposal).replace(/\.$/, ''),
      call: shows?.call ? { shown: shows.call, server: shows.server } : null,
    };
    return [group];
  });
  return groups.toSorted((one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity));
}

/** Names what a finding is about: its tool and the others, or the server. */
const subjectNames = (report: Pick<CheckReport, 'servers'>, { tool, server, others }: CheckFinding): string[] =>
  [
    tool === null ? shownServerName(report, server) : shownToolName(report, tool),
    ...others.map((each) => shownToolName(report, each)),
  ].map(makePrintableLine);

/** Columns that a piece of evidence may take. */
const evidenceColumns = 120;
/** Subjects that a line names. */
export const mostSubjects = 6;

/** Names subjects in a line: six at most, and how many others there are. */
export const subjectsText = (subjects: readonly string[]): string =>
  subjects.length <= mostSubjects
    ? subjects.join(', ')
    : `${subjects.slice(0, mostSubjects).join(', ')} and ${countWithNoun(subjects.length - mostSubjects, 'other')}`;

/** Says what was found, with what shows it in the definitions. */
export const foundText = ({ sentence, evidence }: Pick<CheckFindingGroup, 'sentence' | 'evidence'>): string =>
  `${sentence}${evidence.length === 0 ? '' : ` (${evidence.join('; ')})`}`;

/** `HIGH  ` and so on, all as wide as the widest. */
const severityMark = (severity: Severity): string => severity.toUpperCase().padEnd('MEDIUM'.length);

const indent = ' '.repeat('MEDIUM  '.length);

function groupLines(group: CheckFindingGroup, width: number, repeatCommand: RepeatCommand): string[] {
  const { rule, severity, subjects, proposal, call } = group;
  const again = call === null ? null : repeatText(call, repeatCommand);
  return [
    `${severityMark(severity)}  ${subjectsText(subjects)}  [${rule}] ${foundText(group)}`,
    ...(call === null ? [] : [cutToWidth(`${indent}call: ${callText(call.shown)}`, width)]),
    `${indent}fix: ${proposal}`,
    ...(again === null ? [] : [`${indent}again: ${again}`]),
  ];
}

/** A call in a line: the arguments, and what came back. */
export const callText = ({ tool, arguments: given, answer }: ShownCall): string =>
  `${makePrintableLine(`${tool} ${JSON.stringify(given)}`)} → ${makePrintableLine(answer).trim() || '(nothing)'}`;

const longestCommand = 1_000;

/**
 * Returns the command that repeats a call, if it has at most 1,000 characters. What cannot be printed is written as JSON's escapes, so the
 * arguments stay as they were.
 */
export function repeatText(
  { shown, server }: NonNullable<CheckFindingGroup['call']>,
  repeatCommand: RepeatCommand,
): string | null {
  const command = repeatCommand(shown, server)?.replaceAll(/(?! )[\s\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, jsonEscape);
  return command === undefined || command.length > longestCommand ? null : command;
}

const jsonEscape = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, index) => String.raw`\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');

/** A line for each rule: what is worth a look, and which tools it is about. */
function foldedLines(groups: readonly CheckFindingGroup[]): string[] {
  return [...Map.groupBy(groups, ({ rule }) => rule)].map(([rule, own]) => {
    const subjects = [...new Set(own.flatMap((each) => each.subjects))];
    const [only, second] = own;
    const found = only !== undefined && second === undefined ? foundText(only) : checkRules[rule].when;
    return `${severityMark('low')}  ${subjectsText(subjects)}  [${rule}] ${found}`;
  });
}

const millisecondsText = (value: number | null): string => (value === null ? '' : `${wholeNumberText(value)} ms`);

/** The columns of the table of tools; those of calls only if there could be calls. */
export const checkColumns = (report: CheckReport): Column<CheckedTool>[] => [
  { title: 'tool', cell: ({ tool }) => shownToolName(report, tool), flexible: true },
  { title: 'effect', cell: ({ effect }) => effect },
  ...(report.static ? [] : callColumns),
  { title: 'tokens', cell: ({ tokens }) => tokens },
  { title: 'worst', cell: ({ tool }) => worstOfTool(report.findings, tool) ?? '' },
];

const callColumns: readonly Column<CheckedTool>[] = [
  { title: 'calls', cell: ({ calls }) => calls },
  { title: 'p50', cell: ({ p50Ms }) => millisecondsText(p50Ms) },
  { title: 'p95', cell: ({ p95Ms }) => millisecondsText(p95Ms) },
];

/** What has to be known beside the findings: what was not looked at, and what is accepted. */
export const checkNotes = ({ notes, accepted, static: isStatic }: CheckReport): string[] => [
  ...(isStatic ? ['Only the definitions were looked at: nothing was called.'] : []),
  ...(accepted === 0 ? [] : [`The baseline accepts ${countWithNoun(accepted, 'finding')}.`]),
  ...notes.map(makePrintableLine),
];
