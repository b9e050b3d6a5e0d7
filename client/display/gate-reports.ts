import { failsGate, type GatedMetric, type GateFailure, type GateVerdict } from '#core/evaluation/gate.ts';
import { countUnitsForDifference } from '#core/statistics/power.ts';
import { signedDifferenceText, toldCell, toldDifferenceNote } from '#core/evaluation/figure-texts.ts';
import { escapeMarkdown, markdownTableLines } from '#core/evaluation/report/markdown.ts';
import { ruleAgentsNoteOrNull } from '#core/evaluation/rule-agents.ts';
import { getScorerOrThrow, type ScorerKey } from '#core/evaluation/scorers.ts';
import { tableLines, type Column } from '../command-line/table-lines.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';
import { junitXml, type JunitCase } from './junit-xml.ts';
import { toMarkdownColumns } from './markdown-columns.ts';

/** A lower bound of the candidate's mean. */
export interface RequiredMean {
  readonly scorer: ScorerKey;
  readonly least: number;
  /** The candidate's mean over all of its units; null if none is scored. */
  readonly mean: number | null;
}

/** What a gate decided, and by what. */
export interface Gate {
  readonly baseline: string;
  readonly candidate: string;
  readonly minEffect: number;
  readonly verdict: GateVerdict;
  /** What alone fails it; whatever is worse or undecided if empty. */
  readonly failIf: readonly GateFailure[];
  readonly metrics: readonly GatedMetric[];
  readonly required: readonly RequiredMean[];
  /** Which of the two follow rules instead of asking a model. */
  readonly ruleAgents: readonly string[];
}

export const meetsRequiredMean = ({ mean, least }: RequiredMean): boolean => mean !== null && mean >= least;

const verdictTexts: Readonly<Record<GateVerdict, string>> = {
  holds: 'not worse',
  worse: 'worse',
  insufficient: 'undecided',
};

const threeDecimalsOrNoneText = (value: number | null): string => (value === null ? 'none' : value.toFixed(3));

const differenceWithIntervalText = ({ comparison: { difference, low, high } }: GatedMetric): string =>
  difference === null || low === null || high === null
    ? 'none'
    : `${signedDifferenceText(difference)} [${signedDifferenceText(low)}, ${signedDifferenceText(high)}]`;

const columns: readonly Column<GatedMetric>[] = [
  { title: 'metric', cell: ({ scorer }) => getScorerOrThrow(scorer).title },
  { title: 'baseline', cell: ({ baseline }) => threeDecimalsOrNoneText(baseline) },
  { title: 'candidate', cell: ({ candidate }) => threeDecimalsOrNoneText(candidate) },
  { title: 'advantage', cell: differenceWithIntervalText },
  { title: 'tells', cell: ({ comparison }) => toldCell(comparison.detectable) },
  { title: 'units', cell: ({ comparison }) => comparison.n },
  { title: 'verdict', cell: ({ verdict }) => verdictTexts[verdict] },
];

/** The decision in one sentence. */
export function gateSentence({ baseline, candidate, verdict, minEffect, required, metrics }: Gate): string {
  const missed = required.filter((each) => !meetsRequiredMean(each));
  const below = missed.map(
    ({ scorer, least, mean }) =>
      `${getScorerOrThrow(scorer).title} is ${threeDecimalsOrNoneText(mean)}, and ${least} is required`,
  );
  const compared = {
    holds: `${candidate} is not worse than ${baseline} by ${minEffect} or more`,
    worse: `${candidate} is worse than ${baseline}`,
    insufficient: `${candidate} may be worse than ${baseline} by ${minEffect} or more: there are too few units to say${unitsToSayText(metrics, minEffect)}`,
  }[verdict];
  return `${[compared, ...below].join('; ')}.`;
}

/** Says about how many units would do; nothing where the comparison is too small to say that. */
function unitsToSayText(metrics: readonly GatedMetric[], minEffect: number): string {
  const needed = metrics.flatMap(({ verdict, comparison: { n, detectable } }) =>
    verdict !== 'insufficient' || detectable === null || detectable === undefined
      ? []
      : [countUnitsForDifference({ n, detectable }, minEffect)],
  );
  return needed.length === 0 ? '' : `, and about ${countWithNoun(Math.max(...needed), 'unit')} would do`;
}

/** Formats a gate for a terminal. */
export const gateLines = (gate: Gate, width: number): string[] => [
  gateSentence(gate),
  '',
  ...tableLines(columns, gate.metrics, width),
  toldDifferenceNote,
  ...listGateNotes(gate),
];

const listGateNotes = ({ ruleAgents }: Gate): string[] => {
  const note = ruleAgentsNoteOrNull(ruleAgents);
  return note === null ? [] : ['', makePrintableLine(note)];
};

/** Formats a gate for a comment on a pull request. */
export const gateMarkdown = (gate: Gate): string =>
  [
    `**${escapeMarkdown(gateSentence(gate))}**`,
    '',
    ...markdownTableLines(toMarkdownColumns(columns), gate.metrics),
    '',
    `The advantage is that of the candidate, with its 95% interval over units that both are scored on. ${toldDifferenceNote}`,
    ...listGateNotes(gate).map(escapeMarkdown),
    '',
  ].join('\n');

const junitKinds = { holds: null, worse: 'failure', insufficient: 'error' } as const;

/** Formats a gate as JUnit XML: a test for each metric and for each required mean. An undecided metric that fails it is an error. */
export const gateJunitXml = ({ candidate, minEffect, failIf, metrics, required }: Gate): string =>
  junitXml([
    {
      name: 'sextant gate',
      cases: [
        ...metrics.map((metric): JunitCase => ({
          subject: candidate,
          name: `${getScorerOrThrow(metric.scorer).title} is not worse by ${minEffect}`,
          kind: failsGate(metric, failIf) ? junitKinds[metric.verdict] : null,
          text: `advantage ${differenceWithIntervalText(metric)} over ${countWithNoun(metric.comparison.n, 'unit')}`,
        })),
        ...required.map((each): JunitCase => ({
          subject: candidate,
          name: `${getScorerOrThrow(each.scorer).title} is at least ${each.least}`,
          kind: meetsRequiredMean(each) ? null : 'failure',
          text: `the mean is ${threeDecimalsOrNoneText(each.mean)}`,
        })),
      ],
    },
  ]);
