import type { Decision } from '#core/evaluation/decision.ts';
import { decisionSentence, pairText } from '#core/evaluation/decision-text.ts';
import { signedDifferenceText } from '#core/evaluation/figure-texts.ts';
import { tableLines } from '../command-line/table-lines.ts';
import { makePrintableLine } from '../command-line/text.ts';

/** Formats what the drawn units told: the decision, the means over all planned units, and each pair where there are several. */
export function decisionLines(decision: Decision, width: number): string[] {
  const { means, pairs } = decision;
  const bounds = ({ low, high }: { readonly low: number; readonly high: number }): string =>
    `[${low.toFixed(3)}, ${high.toFixed(3)}]`;
  return [
    `${makePrintableLine(decisionSentence(decision))}.`,
    '',
    ...tableLines(
      [
        { title: 'over all planned units', cell: ({ agent }) => agent },
        {
          title: 'mean',
          cell: ({ mean, ...interval }) => (mean === null ? 'none' : `${mean.toFixed(3)} ${bounds(interval)}`),
        },
        { title: 'units drawn', cell: ({ units }) => units },
        { title: 'unscored', cell: ({ unscored }) => unscored },
      ],
      means,
      width,
    ),
    '',
    ...tableLines(
      [
        { title: 'pair', cell: (pair) => pairText(pair, decision) },
        {
          title: 'difference',
          cell: ({ difference, low, high }) =>
            difference === null
              ? 'none'
              : `${signedDifferenceText(difference)} [${signedDifferenceText(low)}, ${signedDifferenceText(high)}]`,
        },
        { title: 'units', cell: ({ units }) => units },
      ],
      pairs,
      width,
    ),
    '',
    'The tables below are of the units that were drawn. These are more often such that agents differ at, so other means than those above speak of them alone.',
    '',
  ];
}
