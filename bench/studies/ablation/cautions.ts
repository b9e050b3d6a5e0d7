import type { StrategyName } from '#core/exploration/config.ts';
import { countWithNoun, percentText, wholeNumberText } from '../../../client/command-line/text.ts';
import type { Spread, Summary } from './figures.ts';

/** Fewer runs do not show how far runs differ by chance. */
const fewestSeeds = 3;

/** How many runs of how many units a comparison has. */
interface Size {
  readonly units: number;
  readonly seeds: number;
}

/** Says which strategies the runs do not rank, and why: too few seeds, overlapping results, or too few units. */
export function rankingCautions(summaries: ReadonlyMap<StrategyName, Summary>, { units, seeds }: Size): string[] {
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
    ...breadthCautions(summaries.get('frontier')?.get('nodeCoverage') ?? null, units),
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

/** `frontier` draws at least 30% of its sets for breadth while any tool waits for its first success. */
function breadthCautions(nodeCoverage: Spread | null, units: number): string[] {
  if (nodeCoverage === null || nodeCoverage.median >= 1) return [];
  return [
    `${countWithNoun(units, 'unit')} are too few to show what frontier can do: with ${percentText(nodeCoverage.median)} of the tools reached, it still drew for breadth.`,
  ];
}
