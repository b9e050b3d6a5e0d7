import type { StrategyName } from '#core/exploration/config.ts';
import { countWithNoun, wholeNumberText } from '../../../client/command-line/text.ts';
import type { Spread, Summary } from './figures.ts';

/** Fewer runs do not show how far runs differ by chance. */
const fewestSeeds = 3;

/** Says which strategies the runs do not rank, and why: too few seeds, or overlapping results. */
export function rankingCautions(summaries: ReadonlyMap<StrategyName, Summary>, seeds: number): string[] {
  return [
    ...(seeds < fewestSeeds && summaries.size > 1
      ? [
          `${countWithNoun(seeds, 'seed')} cannot rank strategies: runs of one strategy differ too; give --seeds ${fewestSeeds} or more.`,
        ]
      : []),
    ...overlappingNeighbours(summaries).map(
      ([[better, high], [worse, low]]) =>
        `${better} and ${worse} are not ranked: the transitions of their runs overlap (${rangeText(high)}, and ${rangeText(low)}).`,
    ),
  ];
}

type Ranked = readonly [strategy: StrategyName, transitions: Spread];

/** Neighbours in the order of their medians, of which the worse one's best run found as much as the better one's worst. */
function overlappingNeighbours(summaries: ReadonlyMap<StrategyName, Summary>): (readonly [Ranked, Ranked])[] {
  const ranked = [...summaries]
    .flatMap(([strategy, summary]): Ranked[] => {
      const transitions = summary.get('transitions') ?? null;
      return transitions === null ? [] : [[strategy, transitions]];
    })
    .toSorted(([, a], [, b]) => b.median - a.median);
  return ranked.flatMap((better, index): (readonly [Ranked, Ranked])[] => {
    const worse = ranked[index + 1];
    return worse !== undefined && worse[1].max >= better[1].min ? [[better, worse]] : [];
  });
}

const rangeText = ({ min, max }: Spread): string => `${wholeNumberText(min)} to ${wholeNumberText(max)}`;
