import type { AgentResult, Comparison, EvaluationResults } from '#core/evaluation/record.ts';
import type { Verdict } from '#core/statistics/verdict.ts';
import { table, type Column } from './command-line/table.ts';
import { counted, plain, widthOf } from './command-line/text.ts';

type Summary = AgentResult['tcs'];

/** Agents by their mean TCS, the best one first; those without one at the end. */
export const ranked = ({ agents }: EvaluationResults): AgentResult[] =>
  agents.toSorted((a, b) => (b.tcs.mean ?? -1) - (a.tcs.mean ?? -1));

/** `0.83 [0.79, 0.87]`, with the number of units that have no score where there are any. */
export function summaryText({ mean, low, high, unscored }: Summary): string {
  const interval = low === null || high === null ? '' : ` [${fixed(low)}, ${fixed(high)}]`;
  const without = unscored === 0 ? '' : ` (${unscored} unscored)`;
  return mean === null ? `none${without}` : `${fixed(mean)}${interval}${without}`;
}

const fixed = (value: number, digits = 2): string => withoutMinusZero(value.toFixed(digits));

/** A rounded difference of next to nothing has no sign. */
const withoutMinusZero = (text: string): string => (/^-0\.?0*$/.test(text) ? text.slice(1) : text);

const nameColumn: Column<AgentResult> = { title: 'agent', of: ({ name }) => name };

/** Columns in the groups that stay together where the table is too wide to stand in one piece. */
const columnGroups: readonly (readonly Column<AgentResult>[])[] = [
  [
    { title: 'units', of: ({ units }) => units },
    { title: 'TCS', of: ({ tcs }) => summaryText(tcs) },
    { title: 'MTC', of: ({ mtc }) => summaryText(mtc) },
    { title: 'TFD', of: ({ tfd }) => summaryText(tfd) },
  ],
  [
    { title: 'AR', of: ({ ar }) => summaryText(ar) },
    { title: 'UIC', of: ({ uic }) => summaryText(uic) },
    { title: 'ECG', of: ({ ecg }) => summaryText(ecg) },
  ],
  [
    { title: 'pass', of: ({ pass }) => summaryText(pass) },
    { title: 'cost', of: ({ costUsd }) => `$${costUsd.toFixed(2)}` },
    { title: 'tokens', of: ({ tokens }) => tokens },
    { title: 'not evaluated', of: ({ notEvaluated }) => notEvaluated },
  ],
];

/** The agents with all their figures, the best TCS first: one table, or several below each other where it is too wide. */
export function resultLines(results: EvaluationResults, width: number): string[] {
  const agents = ranked(results);
  const whole = table([nameColumn, ...columnGroups.flat()], agents, width);
  if (whole.every((line) => widthOf(line) <= width)) return [...whole, '', ...legend(results)];
  const parts = columnGroups.flatMap((group) => [...table([nameColumn, ...group], agents, width), '']);
  return [...parts, ...legend(results)];
}

/** What a reader has to know in order to read the table. */
function legend({ agents }: EvaluationResults): string[] {
  const broken = agents.reduce((sum, { notEvaluated }) => sum + notEvaluated, 0);
  return [
    'Means over units with 95% intervals. Higher is better, but for TFD (share of failed calls) and ECG (best near 0).',
    'Cost and tokens are those of the agents; what the judges took comes on top.',
    ...(agents.some(({ tcs, mtc, tfd, ar, uic, ecg, pass }) =>
      [tcs, mtc, tfd, ar, uic, ecg, pass].some(({ unscored }) => unscored > 0),
    )
      ? ['Unscored units are left out of a mean; they do not count as zero.']
      : []),
    ...(broken === 0
      ? []
      : [`Not evaluated, since the way to a server or model broke twice: ${counted(broken, 'attempt')}.`]),
  ];
}

const comparedMetrics = [
  { key: 'tcs', title: 'TCS' },
  { key: 'mtc', title: 'MTC' },
  { key: 'tfd', title: 'TFD' },
  { key: 'ar', title: 'AR' },
  { key: 'uic', title: 'UIC' },
] as const;

/** Two agents compared, a metric a line, with the verdict in words. */
export function comparisonLines(comparison: Comparison, width: number): string[] {
  const { a, b } = comparison;
  const rows = comparedMetrics.map(({ key, title }) => ({ title, ...comparison[key] }));
  const lines = table(
    [
      { title: 'metric', of: ({ title }) => title },
      { title: 'difference', of: ({ difference }) => (difference === null ? 'none' : signed(difference)) },
      {
        title: '95% interval',
        of: ({ low, high }) => (low === null || high === null ? 'none' : `[${signed(low)}, ${signed(high)}]`),
      },
      { title: 'units', of: ({ n }) => n },
      { title: 'left out', of: ({ leftOut }) => leftOut },
      { title: 'verdict', of: ({ verdict }) => verdictText(verdict, a, b) },
    ],
    rows,
    width,
  );
  return [
    `${plain(a)} less ${plain(b)}, on the units that both have a score for:`,
    ...lines,
    '',
    'Of TFD less is better. Five verdicts at 95% each: one of them may well be chance.',
  ];
}

const signed = (value: number): string => {
  const text = fixed(value, 3);
  return text.startsWith('-') || Number(text) === 0 ? text : `+${text}`;
};

function verdictText(verdict: Verdict, a: string, b: string): string {
  switch (verdict) {
    case 'better':
      return `${a} is better than ${b}`;
    case 'worse':
      return `${a} is worse than ${b}`;
    case 'no-difference':
      return 'no difference shown';
    case 'insufficient-data':
      return 'insufficient data';
  }
}
