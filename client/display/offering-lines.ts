import { fixedDigitsText, signedDifferenceText, toldCell, toldDifferenceNote } from '#core/evaluation/figure-texts.ts';
import { effortMeasures, type EffortMeasure, type Offering, type Sequence } from '#core/evaluation/offering.ts';
import { getScorerOrThrow } from '#core/evaluation/scorers.ts';
import { tableLines, type Column } from '../command-line/table-lines.ts';
import { wholeNumberText } from '../command-line/text.ts';

const nounOfMeasure: Readonly<Record<EffortMeasure, string>> = {
  tokens: 'tokens',
  costUsd: 'cost',
  durationMs: 'time',
  calls: 'calls',
};

/** The verdict in one sentence. */
export function offeringSentence({ agents, suits, scorer, d, cheaperBy }: Offering): string {
  const { title } = getScorerOrThrow(scorer);
  const less = `less ${nounOfMeasure[cheaperBy] === 'cost' ? 'cost' : 'tokens'}`;
  if (suits !== null)
    return `${suits} suits these tools: each other way is lower in ${title}, or takes more and is not higher by more than ${d}.`;
  const out = agents.flatMap(({ agent, ruledOutBy }) => (ruledOutBy === null ? [] : [`${agent} (by ${ruledOutBy})`]));
  const known = out.length === 0 ? 'no way is ruled out' : `ruled out: ${out.join(', ')}`;
  return `Undecided: the units are too few to say which way has a higher ${title} or the same for ${less}; ${known}.`;
}

/** Formats a comparison of ways for a terminal. */
export function offeringLines(compared: Offering, width: number): string[] {
  const { units, of, leftOut } = compared;
  return [
    offeringSentence(compared),
    '',
    ...tableLines(offeringWayColumns(compared), compared.agents, width),
    '',
    `Differences, the second less the first; of what is taken in percent of the larger. All intervals hold together with 95%, however often one looks. ${toldDifferenceNote}`,
    ...tableLines(offeringPairColumns(compared), compared.pairs, width),
    '',
    `units       ${units} of ${of}${leftOut === 0 ? '' : `, of which ${leftOut} were not scored for all`}`,
  ];
}

const textOrUnknown = (value: number | null, format: (known: number) => string): string =>
  value === null ? 'unknown' : format(value);

/** The columns of the ways, which begin with their names. */
export const offeringWayColumns = ({ scorer }: Offering): Column<Offering['agents'][number]>[] => [
  { title: 'way', cell: ({ agent }) => agent },
  {
    title: getScorerOrThrow(scorer).title,
    cell: ({ success }) => textOrUnknown(success, (of) => fixedDigitsText(of, 3)),
  },
  { title: 'tokens', cell: ({ tokens }) => textOrUnknown(tokens, wholeNumberText) },
  { title: 'of them cached', cell: ({ cachedTokens }) => textOrUnknown(cachedTokens, wholeNumberText) },
  { title: 'cost', cell: ({ costUsd }) => textOrUnknown(costUsd, (of) => `$${of.toFixed(4)}`) },
  { title: 'seconds', cell: ({ durationMs }) => textOrUnknown(durationMs, (of) => (of / 1_000).toFixed(1)) },
  { title: 'calls', cell: ({ calls }) => textOrUnknown(calls, (of) => of.toFixed(1)) },
  { title: 'ruled out by', cell: ({ ruledOutBy }) => ruledOutBy ?? '' },
];

/** The columns of each pair of ways, with confidence sequences. */
export const offeringPairColumns = ({ scorer }: Offering): Column<Offering['pairs'][number]>[] => [
  { title: 'first', cell: ({ a }) => a },
  { title: 'second', cell: ({ b }) => b },
  { title: getScorerOrThrow(scorer).title, cell: ({ success }) => sequenceText(success, signedDifferenceText) },
  { title: 'tells', cell: ({ success }) => toldCell(success.detectable) },
  ...effortMeasures.map((measure) => ({
    title: nounOfMeasure[measure],
    cell: ({ efforts }: Offering['pairs'][number]) => sequenceText(efforts[measure], percentText),
  })),
];

const sequenceText = ({ mean, low, high }: Sequence, format: (value: number) => string): string =>
  mean === null ? 'unknown' : `${format(mean)} [${format(low)}, ${format(high)}]`;

const percentText = (share: number): string => {
  const text = (100 * share).toFixed(0);
  return share > 0 ? `+${text}%` : `${text === '-0' ? '0' : text}%`;
};
