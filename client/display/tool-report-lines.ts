import type {
  Finding,
  ObservedShare,
  ToolFindings,
  ToolReport,
  ToolVerdict,
} from '#core/reports/tool-report/record.ts';
import { tableLines, type Column } from '../command-line/table-lines.ts';
import { wholeNumberText, countWithNoun, makePrintableLine } from '../command-line/text.ts';

/** What the table says of a tool; a call that only shows that a tool runs is no success of an agent. */
const verdictTexts = {
  models: { works: 'works', struggles: 'struggles', fails: 'fails', 'not-called': 'not called' },
  rules: { works: 'runs', struggles: 'mostly fails', fails: 'fails', 'not-called': 'not called' },
} as const;

/** How the verdicts on tools are worded, which depends on whether models called them. */
export const getToolVerdictTexts = ({ offline }: Pick<ToolReport, 'offline'>): Readonly<Record<ToolVerdict, string>> =>
  verdictTexts[offline ? 'rules' : 'models'];

/** The columns of the table of tools. */
export const toolReportColumns = ({ offline }: Pick<ToolReport, 'offline'>): Column<ToolFindings>[] => [
  { title: 'tool', cell: ({ tool }) => tool, flexible: true },
  { title: 'verdict', cell: ({ verdict }) => getToolVerdictTexts({ offline })[verdict] },
  { title: 'calls', cell: ({ success }) => success.of },
  { title: offline ? 'no error' : 'succeeded', cell: ({ success }) => shareWithIntervalText(success) },
  // What rules did not call says nothing about a tool.
  ...(offline
    ? []
    : [
        {
          title: 'missed',
          cell: ({ missed }: ToolFindings) => (missed.of === 0 ? '' : `${missed.count} of ${missed.of}`),
        },
      ]),
  { title: 'effect', cell: ({ effect }) => effect },
  { title: 'median', cell: ({ medianMs }) => (medianMs === null ? '' : `${wholeNumberText(medianMs)} ms`) },
  { title: 'tokens', cell: ({ schemaTokens }) => schemaTokens },
];

/** Formats what a run found out about its tools: a sentence, a table, the errors, and the confusions. */
export function toolReportLines(report: ToolReport, width: number): string[] {
  return [
    ...toolReportNotes(report),
    toolReportHeadline(report),
    schemaTokensSentence(report),
    '',
    ...tableLines(toolReportColumns(report), report.tools, width),
    ...linesUnderTitle(
      toolErrorsTitle,
      listToolErrors(report).flatMap(({ sentence, text }) => [`${sentence}:`, `  ${text}`]),
    ),
    ...linesUnderTitle(confusionsTitle, confusionSentences(report)),
    ...linesUnderTitle(takenTitle, takenSentences(report)),
    ...linesUnderTitle(findingsTitle, findingSentences(report)),
  ];
}

const linesUnderTitle = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];

/** What has to be known before the figures of a report are read. */
export const toolReportNotes = ({ offline, final }: Pick<ToolReport, 'offline' | 'final'>): string[] => [
  ...(offline ? ['Rules stood in for models: calls show what the tools do, not whether agents can use them.'] : []),
  ...(final ? [] : ['The run has not ended: these figures will change.']),
];

/** Says how many tools work. */
export function toolReportHeadline({ offline, tools, units, attempts }: ToolReport): string {
  const count = (verdict: ToolFindings['verdict']): number => tools.filter((each) => each.verdict === verdict).length;
  const working = offline ? 'ran without errors in at least half of their calls' : 'work for agents';
  const others = [
    [count('struggles'), 'mostly failed'],
    [count('fails'), 'always failed'],
    [count('not-called'), 'were not called'],
  ] as const;
  const parts = others.flatMap(([tally, words]) => (tally === 0 ? [] : [`${tally} ${words}`]));
  return `${[`${count('works')} of ${countWithNoun(tools.length, 'tool')} ${working}`, ...parts].join(', ')}: ${countWithNoun(attempts, 'attempt')} at ${countWithNoun(units, 'unit')}.`;
}

const mostCostlyTools = 3;

/** Says what the definitions of the tools cost, and which of them cost most. */
export function schemaTokensSentence({ tools, schemaTokens }: Pick<ToolReport, 'tools' | 'schemaTokens'>): string {
  const costly = tools
    .toSorted((one, other) => other.schemaTokens - one.schemaTokens)
    .slice(0, mostCostlyTools)
    .map((each) => `${each.tool} ${wholeNumberText(each.schemaTokens)}`);
  return makePrintableLine(
    `Their definitions take about ${countWithNoun(schemaTokens, 'token')} of each request that offers them all${costly.length === 0 ? '' : `, the most: ${costly.join(', ')}`}.`,
  );
}

/** The titles of the parts of a report. */
export const toolErrorsTitle = 'The error that each tool gave most often:';
export const confusionsTitle = 'Called in the place of another tool:';
export const takenTitle = 'Called where no tool fits:';
export const findingsTitle = 'What to look at, the worst first:';

/** Returns which tools gave an error how often, and the error. */
export const listToolErrors = ({ tools }: Pick<ToolReport, 'tools'>): { sentence: string; text: string }[] =>
  tools.flatMap(({ tool, commonError, commonFailure }) =>
    commonError === null
      ? []
      : [
          {
            sentence: makePrintableLine(
              `${tool}, ${commonError.count === 1 ? 'once' : `${commonError.count} times`} (such as in unit ${commonError.unit})${commonFailure === null ? '' : `; most of its failures are ${commonFailure.class}`}`,
            ),
            text: makePrintableLine(commonError.text),
          },
        ],
  );

/** Says which tools were taken for which; nothing if rules played the agents, whose mistakes say nothing about the tools. */
export const confusionSentences = ({ confusions, offline }: Pick<ToolReport, 'confusions' | 'offline'>): string[] =>
  offline
    ? []
    : confusions.map(({ expected, called, attempts }) =>
        makePrintableLine(
          `${called} was called in place of ${expected} in ${attempts.count} of ${attempts.of} attempts${intervalInCountsText(attempts)}`,
        ),
      );

/** Says which tools were called where none fits, or that none was; nothing if there were no such requests, or rules played the agents. */
export const takenSentences = ({
  taken,
  negativeAttempts,
  offline,
}: Pick<ToolReport, 'taken' | 'negativeAttempts' | 'offline'>): string[] => {
  if (negativeAttempts === 0 || offline) return [];
  if (taken.length === 0) return [`no tool was called in ${countWithNoun(negativeAttempts, 'attempt')}`];
  return taken.map(({ tool, attempts }) =>
    makePrintableLine(
      `${tool} was called in ${attempts.count} of ${attempts.of} attempts${intervalInCountsText(attempts)}`,
    ),
  );
};

/** Findings that say the same of several tools, the worst first. */
export const groupSameFindings = ({ findings }: Pick<ToolReport, 'findings'>): Finding[][] => [
  ...Map.groupBy(findings, ({ severity, sentence, evidence, proposal }) =>
    JSON.stringify([severity, sentence, evidence, proposal]),
  ).values(),
];

/** Names what a finding is about. */
export const findingSubject = ({ tool }: Finding): string => tool ?? 'all tools together';

/** Says what was found, with what shows it in the definitions, and what to try. */
export const findingText = ({ sentence, evidence, proposal }: Finding): string =>
  `${sentence}${evidence.length === 0 ? '' : ` (${evidence.join('; ')})`}; ${proposal}.`;

/** Says what stands out; tools with the same finding and the same proposal share a sentence. */
export const findingSentences = (report: Pick<ToolReport, 'findings'>): string[] =>
  groupSameFindings(report).flatMap((alike) => {
    const [first] = alike;
    if (first === undefined) return [];
    return [makePrintableLine(`${alike.map(findingSubject).join(', ')}: ${first.severity}: ${findingText(first)}`)];
  });

/** The interval in counts, such as " [4, 11]". */
export const intervalInCountsText = ({ interval, of }: ObservedShare): string =>
  interval === null ? '' : ` [${Math.floor(interval.low * of)}, ${Math.ceil(interval.high * of)}]`;

/** Formats a share with its interval, such as `86% [60%, 96%]`; nothing where there is none. */
export const shareWithIntervalText = ({ share, interval }: ObservedShare): string => {
  if (share === null) return '';
  const percent = (value: number): string => `${Math.round(100 * value)}%`;
  return interval === null ? percent(share) : `${percent(share)} [${percent(interval.low)}, ${percent(interval.high)}]`;
};
