import { fixedDigitsText, summaryText } from '#core/evaluation/figure-texts.ts';
import { getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { getScorerOrThrow } from '#core/evaluation/scorers.ts';
import { tableLines } from '../command-line/table-lines.ts';
import { durationText } from '../command-line/text.ts';
import { computeTauBMatrixOfRankings, type ProtocolComparison } from './compare-protocols.ts';
import { agentsOfKnownSkill } from './submit.ts';

/** The same agents under each protocol and mounting, and how far the protocols rank them alike. */
export function protocolTableLines(comparison: ProtocolComparison | null, width: number): string[] {
  if (comparison === null) return [];
  const { rows, ms } = comparison;
  const agreement = computeTauBMatrixOfRankings(rows);
  const numbered = rows.map((row, at) => ({ ...row, number: at + 1, alike: agreement[at] ?? [] }));
  return [
    `The same agents under ${new Set(rows.map(({ protocol }) => protocol)).size} protocols, in ${durationText(ms)}:`,
    '',
    ...tableLines(
      [
        { title: '', cell: ({ number }) => number },
        { title: 'protocol', cell: ({ protocol }) => getProtocol(protocol).title },
        { title: 'mounting', cell: ({ mounting }) => mounting },
        { title: 'headline', cell: ({ protocol }) => getScorerOrThrow(getProtocol(protocol).headline).title },
        ...agentsOfKnownSkill.map((name) => ({
          title: name,
          cell: ({ headlines }: (typeof numbered)[number]) => summaryText(headlines[name]),
        })),
      ],
      numbered,
      width,
    ),
    '',
    'Tau-b between the rankings (1 alike, -1 reversed):',
    ...tableLines(
      [
        { title: '', cell: ({ number }) => number },
        ...numbered.map(({ number }, at) => ({
          title: String(number),
          cell: ({ alike }: (typeof numbered)[number]) => {
            const tau = alike[at] ?? null;
            return tau === null ? 'none' : fixedDigitsText(tau);
          },
        })),
      ],
      numbered,
      width,
    ),
    'SGVEF is measured on the sample of explored units, the others on ten tasks with known answers. Headlines of different protocols are different figures.',
  ];
}
