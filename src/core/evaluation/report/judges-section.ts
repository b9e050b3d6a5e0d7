import { fixedDigitsText } from '../figure-texts.ts';
import type { VerdictAgreement } from '../verdict-agreement.ts';
import { escapeMarkdown, markdownTableLines, sectionLines } from './markdown.ts';

type Judge = VerdictAgreement['withLabels']['judges'][number];

/** How far judges agree with people and with each other; nothing without labels and without a panel. */
export function judgeAgreementSection({ labels, withLabels, panel }: VerdictAgreement): string[] {
  const { judges, majority } = withLabels;
  const withPeople = majority === null ? judges : [...judges, { judge: 'the verdict that counts', ...majority }];
  if (withPeople.length === 0 && panel === null) return [];
  return sectionLines(
    'Judges',
    'Accuracy and the kappa of Cohen, each with its 95% interval. Verdicts that cannot be read count for nobody.',
    '',
    ...(withPeople.length === 0
      ? []
      : [`With people, on ${labels.decided} labelled attempts:`, '', ...judgesTableLines(withPeople)]),
    ...(withPeople.length === 0 || panel === null ? [] : ['']),
    ...(panel === null
      ? []
      : [
          `With the majority of the judges, on ${panel.attempts} attempts, ${fixedDigitsText(100 * (panel.undecided ?? 0), 1)}% of them undecided:`,
          '',
          ...judgesTableLines(panel.judges),
        ]),
  );
}

const judgesTableLines = (judges: readonly Judge[]): string[] =>
  markdownTableLines(
    [
      { title: 'judge', of: ({ judge }) => escapeMarkdown(judge) },
      { title: 'n', of: ({ n }) => n },
      { title: 'unparsed', of: ({ unparsed }) => unparsed },
      { title: 'accuracy', of: ({ accuracy }) => agreementFigureText(accuracy) },
      { title: 'kappa', of: ({ kappa }) => agreementFigureText(kappa) },
      { title: 'F1', of: ({ f1 }) => (f1 === null ? 'none' : fixedDigitsText(f1, 3)) },
    ],
    judges,
  );

const agreementFigureText = ({ value, interval }: Judge['kappa']): string =>
  value === null
    ? 'none'
    : `${fixedDigitsText(value, 3)}${interval === null ? '' : ` (${fixedDigitsText(interval.low, 3)} to ${fixedDigitsText(interval.high, 3)})`}`;
