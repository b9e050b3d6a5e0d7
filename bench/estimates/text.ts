import { wholeNumberText, countWithNoun, percentText } from '../../client/command-line/text.ts';
import { alignColumns } from '../shared/aligned.ts';
import { shareText } from '../discovery/text.ts';
import type { CountFigures, EstimateFigures, EstimateRow } from './figures.ts';
import type { EstimatesOptions } from './options.ts';

/** Formats all figures as tables, a row for each strategy in each world and one for all together. */
export function estimateTableLines(
  rows: readonly EstimateRow[],
  together: EstimateFigures,
  { seeds, rounds, stopRounds, target }: Pick<EstimatesOptions, 'seeds' | 'rounds' | 'stopRounds' | 'target'>,
  error: number,
): string[] {
  const table: TableOfRows = (heads, cells) =>
    alignColumns(
      [
        ['world', 'strategy', ...heads],
        ...rows.map(({ world, strategy, figures }) => [world, strategy, ...cells(figures)]),
        ['all', '', ...cells(together)],
      ],
      2,
    );
  const roundsOf = (counts: readonly CountFigures[]): string[] => counts.map(({ round }) => `round ${round}`);
  return [
    `${countWithNoun(seeds.length, 'seed')}, ${countWithNoun(rounds, 'round')}. The truth is the chance that a transition of a fresh probe is known; its standard error is at most ${error.toFixed(4)}.`,
    '',
    'Shares held against the truth: mean difference (bias), mean absolute difference (error); how often the 95% interval holds the truth',
    'from round 10 on; in how many runs anytimeLow was never above it.',
    ...table(
      ['probeCoverage bias', 'error', 'interval holds', 'anytimeLow holds', 'sampleCoverage bias', 'error'],
      ({ probeCoverage, sampleCoverage }) => [
        signedTextOrNone(probeCoverage.bias),
        fixedTextOrNone(probeCoverage.error, 3),
        percentTextOrNone(probeCoverage.holds),
        percentText(probeCoverage.anytimeHolds),
        signedTextOrNone(sampleCoverage.bias),
        fixedTextOrNone(sampleCoverage.error, 3),
      ],
    ),
    '',
    ...recaptureLines(table),
    '',
    "Chao1 of the run's own counts, by the true number of transitions: median (how often the 95% interval holds the true number).",
    'sgvef and frontier steer away from what is known, gve and sgve do not.',
    ...table(roundsOf(together.ofRun), ({ ofRun }) => ofRun.map(ratioAndHoldsText)),
    '',
    'The same of the probes alone.',
    ...table(roundsOf(together.ofProbes), ({ ofProbes }) => ofProbes.map(ratioAndHoldsText)),
    '',
    `The stop rule probe with the target ${shareText(target)}, within ${countWithNoun(stopRounds, 'round')}: runs that it stopped; those of them in which the truth had reached the target;`,
    'the round in which it stopped, by the round in which the truth reached the target (median); that round (median).',
    ...table(['stopped', 'rightly', 'lateness', 'round'], ({ stop }) => [
      percentText(stop.stopped),
      percentTextOrNone(stop.right),
      fixedTextOrNone(stop.lateness, 2),
      stop.round === null ? 'none' : wholeNumberText(stop.round),
    ]),
  ];
}

type TableOfRows = (heads: readonly string[], cells: (figures: EstimateFigures) => string[]) => string[];

const recaptureLines = (table: TableOfRows): string[] => [
  'All transitions by a recapture, over the rounds from 10 on: how many have an estimate; how often its 95% interval holds what it estimates, the number if those not found',
  'were as common as those found; median of estimate and width by that number; how often the lower end is at most the number of all true transitions; median of the estimate by that one.',
  ...table(['given', 'interval holds', 'estimate', 'width', 'low holds for all', 'by all'], ({ recapture }) => [
    percentTextOrNone(recapture.given),
    percentTextOrNone(recapture.holds),
    fixedTextOrNone(recapture.ratio, 2),
    fixedTextOrNone(recapture.width, 2),
    percentTextOrNone(recapture.lowHolds),
    fixedTextOrNone(recapture.ratioToAll, 2),
  ]),
];

const ratioAndHoldsText = ({ ratio, holds }: CountFigures): string => `${ratio.toFixed(2)} (${percentText(holds)})`;

const percentTextOrNone = (share: number | null): string => (share === null ? 'none' : percentText(share));

const fixedTextOrNone = (value: number | null, places: number): string => value?.toFixed(places) ?? 'none';

const signedTextOrNone = (value: number | null): string =>
  value === null ? 'none' : `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
