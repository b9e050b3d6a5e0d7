import type {
  Finding,
  ObservedShare,
  ToolConfusion,
  ToolFindings,
  ToolReport,
  ToolVerdict,
} from '#core/tool-report/record.ts';
import { tableLines, type Column } from '../command-line/table-lines.ts';
import { wholeNumberText, countWithNoun, makePrintableLine } from '../command-line/text.ts';

/** What the table says of a tool; a call that only shows that a tool runs is no success of an agent. */
const verdictTexts = {
  models: { works: 'works', struggles: 'struggles', fails: 'fails', 'not-called': 'not called' },
  rules: { works: 'runs', struggles: 'mostly fails', fails: 'fails', 'not-called': 'not called' },
} as const;

/** How the verdicts on tools are worded, which depends on whether models called them. */
export const toolVerdictTexts = ({ offline }: Pick<ToolReport, 'offline'>): Readonly<Record<ToolVerdict, string>> =>
  verdictTexts[offline ? 'rules' : 'models'];

const toolReportColumns = ({ offline }: ToolReport): Column<ToolFindings>[] => [
  { title: 'tool', cell: ({ tool }) => tool, flexible: true },
  { title: 'verdict', cell: ({ verdict }) => toolVerdictTexts({ offline })[verdict] },
  { title: 'calls', cell: ({ success }) => success.of },
  { title: offline ? 'no error' : 'succeeded', cell: ({ success }) => shareWithIntervalText(success) },
  { title: 'missed', cell: ({ missed }) => (missed.of === 0 ? '' : `${missed.count} of ${missed.of}`) },
  { title: 'effect', cell: ({ effect }) => effect },
  { title: 'median', cell: ({ medianMs }) => (medianMs === null ? '' : `${wholeNumberText(medianMs)} ms`) },
];

/** Formats what a run found out about its tools: a sentence, a table, the errors, and the confusions. */
export function toolReportLines(report: ToolReport, width: number): string[] {
  return [
    ...(report.offline
      ? ['Rules stood in for models: calls show what the tools do, not whether agents can use them.']
      : []),
    ...(report.final ? [] : ['The run has not ended: these figures will change.']),
    toolReportHeadline(report),
    '',
    ...tableLines(toolReportColumns(report), report.tools, width),
    ...toolErrorLines(report),
    ...confusionLines(report),
    ...findingLines(report),
  ];
}

/** Says how many tools work. */
export function toolReportHeadline({ offline, tools, units, attempts }: ToolReport): string {
  const count = (verdict: ToolFindings['verdict']): number => tools.filter((each) => each.verdict === verdict).length;
  const working = offline ? 'ran without errors in at least half of their calls' : 'work for agents';
  const others = [
    [count('struggles'), 'mostly failed'],
    [count('fails'), 'always failed'],
    [count('not-called'), 'never answered a call'],
  ] as const;
  const parts = others.flatMap(([tally, words]) => (tally === 0 ? [] : [`${tally} ${words}`]));
  return `${[`${count('works')} of ${countWithNoun(tools.length, 'tool')} ${working}`, ...parts].join(', ')}: ${countWithNoun(attempts, 'attempt')} at ${countWithNoun(units, 'unit')}.`;
}

const toolErrorLines = ({ tools }: ToolReport): string[] => {
  const failing = tools.flatMap(({ tool, commonError, commonFailure }) =>
    commonError === null
      ? []
      : [
          `  ${tool}, ${commonError.count === 1 ? 'once' : `${commonError.count} times`} (such as in unit ${commonError.unit})${commonFailure === null ? '' : `; most of its failures are ${commonFailure.class}`}:`,
          `    ${makePrintableLine(commonError.text)}`,
        ],
  );
  return failing.length === 0 ? [] : ['', 'The error that each tool gave most often:', ...failing];
};

const confusionLines = ({ confusions }: ToolReport): string[] =>
  confusions.length === 0 ? [] : ['', 'Called in the place of another tool:', ...confusions.map(confusionText)];

/** Findings that say the same of several tools, the worst first. */
export const groupSameFindings = ({ findings }: Pick<ToolReport, 'findings'>): Finding[][] => [
  ...Map.groupBy(findings, ({ severity, sentence, proposal }) => `${severity} ${sentence} ${proposal}`).values(),
];

/** Tools with the same finding and the same proposal share a line. */
const findingLines = (report: ToolReport): string[] => {
  const lines = groupSameFindings(report).flatMap((alike) => {
    const [first] = alike;
    if (first === undefined) return [];
    const { severity, sentence, proposal } = first;
    const tools = alike.map(({ tool }) => makePrintableLine(tool)).join(', ');
    return [`  ${tools}: ${makePrintableLine(`${severity}: ${sentence}; ${proposal}.`)}`];
  });
  return lines.length === 0 ? [] : ['', 'What to look at, the worst first:', ...lines];
};

const confusionText = ({ expected, called, attempts }: ToolConfusion): string =>
  `  ${called} was called in place of ${expected} in ${attempts.count} of ${attempts.of} attempts${intervalInCountsText(attempts)}`;

/** The interval in counts, such as " [4, 11]". */
const intervalInCountsText = ({ interval, of }: ObservedShare): string =>
  interval === null ? '' : ` [${Math.floor(interval.low * of)}, ${Math.ceil(interval.high * of)}]`;

const shareWithIntervalText = ({ share, interval }: ObservedShare): string => {
  if (share === null) return '';
  const percent = (value: number): string => `${Math.round(100 * value)}%`;
  return interval === null ? percent(share) : `${percent(share)} [${percent(interval.low)}, ${percent(interval.high)}]`;
};
