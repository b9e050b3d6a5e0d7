import type { AnytimeComparison } from '#core/evaluation/compare-anytime.ts';
import { signedDifferenceText, toldDifferenceText } from '#core/evaluation/figure-texts.ts';
import { overlayNameAndHashText, type ShownOverlay } from '#core/evaluation/overlay/overlay.ts';
import type { RunStatus } from '#core/exploration/runs.ts';
import { getScorerOrThrow } from '#core/evaluation/scorers.ts';
import { tableLines, type Column } from '../command-line/table-lines.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';

/** One of two agents that read their tools under different wordings. */
interface WordedAgent {
  readonly name: string;
  /** Null for what the servers say. */
  readonly overlay: ShownOverlay | null;
  readonly attempts: number;
  /** Null where they are not known. */
  readonly tokensPerAttempt: number | null;
  readonly costUsdPerAttempt: number | null;
}

/** What a comparison of two wordings came to. */
export interface ComparedWordings {
  readonly evaluation: string;
  readonly status: RunStatus;
  readonly comparison: AnytimeComparison;
  readonly agents: readonly WordedAgent[];
}

const wordingNamesOf = ({ agents }: ComparedWordings): readonly string[] =>
  agents.map(({ overlay }) => makePrintableLine(overlayNameAndHashText(overlay ?? undefined)));

/** The verdict in one sentence. */
export function wordingSentence(compared: ComparedWordings): string {
  const [a = 'a', b = 'b'] = wordingNamesOf(compared);
  const { verdict, scorer, d } = compared.comparison;
  const { title } = getScorerOrThrow(scorer);
  switch (verdict) {
    case 'improved':
      return `Improved: ${title} is higher with ${b} than with ${a}.`;
    case 'worse':
      return `Worse: ${title} is lower with ${b} than with ${a}.`;
    case 'no-difference':
      return `No difference larger than ${d}: ${title} with ${b} and with ${a} is about the same.`;
    case 'undecided':
      return `Undecided: the units are too few to say whether ${title} differs between ${b} and ${a}.`;
  }
}

/** Formats a comparison for a terminal. */
export function wordingLines(compared: ComparedWordings, width: number): string[] {
  const { comparison, evaluation, status } = compared;
  const { difference, low, high, detectable, units, of, leftOut, decidedAfter } = comparison;
  const interval = `[${signedDifferenceText(low)}, ${signedDifferenceText(high)}]`;
  const left = leftOut === 0 ? '' : `, of which ${leftOut} were not scored for both`;
  return [
    wordingSentence(compared),
    '',
    `difference  ${difference === null ? 'none' : signedDifferenceText(difference)} ${interval}, a 95% interval that holds however often one looks`,
    ...(typeof detectable === 'number'
      ? [
          `tells       differences of ${toldDifferenceText(detectable)} or more, in four of five comparisons of so many units`,
        ]
      : []),
    `units       ${units} of ${of}${left}${decidedAfter === null ? '' : `; decided after ${countWithNoun(decidedAfter, 'unit')}`}`,
    `evaluation  ${evaluation}, ${status}`,
    '',
    ...tableLines(makeWordedAgentColumns(compared), compared.agents, width),
  ];
}

const numberOrUnknown = (value: number | null, format: (known: number) => string): string =>
  value === null ? 'unknown' : format(value);

function makeWordedAgentColumns({ comparison }: ComparedWordings): Column<WordedAgent>[] {
  const { meanA, meanB } = comparison;
  return [
    { title: 'agent', cell: ({ name }) => name },
    { title: 'wording', cell: ({ overlay }) => makePrintableLine(overlayNameAndHashText(overlay ?? undefined)) },
    {
      title: getScorerOrThrow(comparison.scorer).title,
      cell: ({ name }) => numberOrUnknown(name === comparison.a ? meanA : meanB, (mean) => mean.toFixed(3)),
    },
    { title: 'attempts', cell: ({ attempts }) => attempts },
    {
      title: 'tokens an attempt',
      cell: ({ tokensPerAttempt }) => numberOrUnknown(tokensPerAttempt, (tokens) => tokens.toFixed(0)),
    },
    {
      title: 'cost an attempt',
      cell: ({ costUsdPerAttempt }) => numberOrUnknown(costUsdPerAttempt, (cost) => `$${cost.toFixed(4)}`),
    },
  ];
}
