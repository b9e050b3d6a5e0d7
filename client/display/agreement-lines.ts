import { fixedDigitsText } from '#core/evaluation/figure-texts.ts';
import type { EvaluationAgreement } from '#core/evaluation/evaluation-agreement.ts';
import { tableLines, type Column } from '../command-line/table-lines.ts';
import { countWithNoun, makePrintableLine, percentText } from '../command-line/text.ts';

type Judge = EvaluationAgreement['withLabels']['judges'][number];
type Figure = Judge['kappa'];

const valueWithIntervalText = ({ value, interval }: Figure): string =>
  value === null
    ? 'none'
    : `${fixedDigitsText(value, 3)}${interval === null ? '' : ` [${fixedDigitsText(interval.low, 3)}, ${fixedDigitsText(interval.high, 3)}]`}`;

const columns: readonly Column<Judge>[] = [
  { title: 'judge', cell: ({ judge }) => makePrintableLine(judge), flexible: true },
  { title: 'n', cell: ({ n }) => n },
  { title: 'unparsed', cell: ({ unparsed }) => unparsed },
  { title: 'accuracy', cell: ({ accuracy }) => valueWithIntervalText(accuracy) },
  { title: 'kappa', cell: ({ kappa }) => valueWithIntervalText(kappa) },
  { title: 'successes', cell: ({ successRate }) => (successRate === null ? 'none' : percentText(successRate)) },
  { title: 'F1', cell: ({ f1 }) => (f1 === null ? 'none' : fixedDigitsText(f1, 3)) },
];

/** Formats how far judges agree with people, and with the majority of judges. */
export function agreementLines(
  { verdict, labels, withLabels, panel, before, ranking }: EvaluationAgreement,
  width: number,
): string[] {
  const { judges, majority, anyJudge } = withLabels;
  const given = labels.labellers.map(({ labeller, labels: count }) => `${makePrintableLine(labeller)} ${count}`);
  const rows = majority === null ? judges : [...judges, { judge: '(the verdict that counts)', ...majority }];
  return [
    ...(verdict === null
      ? [
          "the protocol says of no attempt that it passed, so labels have no verdict of the evaluation's judges beside them",
        ]
      : []),
    labels.attempts === 0
      ? 'nobody has labelled an attempt yet; "sextant label" does'
      : `${countWithNoun(labels.attempts, 'attempt')} labelled (${given.join(', ')}), ${labels.decided} of them decided`,
    ...(rows.length === 0 ? [] : ['', 'with the labels:', ...tableLines(columns, rows, width)]),
    ...(anyJudge === null
      ? []
      : [
          `at least one judge says what the label says on ${percentText(anyJudge.share)} of ${countWithNoun(anyJudge.n, 'attempt')}`,
        ]),
    ...(panel === null
      ? []
      : [
          '',
          `with the majority of the judges, on ${countWithNoun(panel.attempts, 'attempt')}, ${percentText(panel.undecided ?? 0)} of them undecided:`,
          ...tableLines(columns, panel.judges, width),
        ]),
    ...(before === null
      ? []
      : [
          '',
          'with the verdicts before:',
          ...tableLines(columns, [{ judge: '(the verdict that counts)', ...before }], width),
        ]),
    ...(ranking === null ? [] : ['', ...rankingAgreementLines(ranking)]),
  ];
}

const rankingAgreementLines = ({
  evaluation,
  tauB,
  p,
  agents,
  swapped,
}: NonNullable<EvaluationAgreement['ranking']>): string[] => [
  `ranking of ${countWithNoun(agents.length, 'agent')} against ${makePrintableLine(evaluation)}: tau-b ${tauB === null ? 'none' : fixedDigitsText(tauB, 3)}${p === null ? '' : `, p ${p < 0.001 ? 'below 0.001' : fixedDigitsText(p, 3)}`}`,
  ...agents.map(
    ({ agent, here, there }) =>
      `  ${makePrintableLine(agent)}: ${fixedDigitsText(here)}, before ${fixedDigitsText(there)}`,
  ),
  ...swapped.map(
    ({ aheadHere, aheadThere }) =>
      `  ${makePrintableLine(aheadHere)} is ahead of ${makePrintableLine(aheadThere)}; it was behind`,
  ),
];
