import type { Scorer } from '#core/scoring/scorer.ts';
import { getProtocol, type ListedScorer, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { sectionLines } from './markdown.ts';

const directions: Readonly<Record<Scorer['direction'], string>> = {
  higher: 'Higher is better.',
  lower: 'Lower is better.',
  zero: 'Best near 0.',
};

const scorerExplanationText = ({
  title,
  name,
  range: [low, high],
  question,
  formula,
  caveat,
  direction,
}: Scorer): string =>
  `- **${title}**${name === title ? '' : `, ${name}`}, ${low} to ${high}: ${question} ${capitalizeFirst(formula)}. ${directions[direction]} Not to be taken for ${caveat}.`;

const capitalizeFirst = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** What a reader must know to read the figures. */
export function howToReadSection(protocol: ProtocolKey, shown: readonly ListedScorer[]): string[] {
  const binaryTitles = shown.flatMap(({ binary, title }) => (binary ? [title] : []));
  const hasVerdict = getProtocol(protocol).verdict !== null;
  return sectionLines(
    'How to read this',
    ...shown.map(scorerExplanationText),
    `- **Intervals** are 95% intervals of a mean over whole units: ${binaryTitles.length === 0 ? 'percentile bootstrap intervals' : `Wilson's for ${binaryTitles.join(', ')} and passes, percentile bootstrap intervals for all else`}, which are too narrow for few units.`,
    ...(hasVerdict
      ? [
          '- **pass@k** (Chen et al. 2021) is the chance that at least one of k trials passes, **pass^k** (tau-bench) that all do; units with fewer than k scored trials are unscored.',
        ]
      : []),
    `- **Comparisons** are bootstrap intervals of the mean difference within units. Fewer than six pairs are insufficient data.${hasVerdict ? " Passes are also compared by McNemar's exact test on attempts. Attempts of one unit are alike, which makes McNemar's p somewhat too small." : ''}`,
    '- **Unscored** is what could not be measured. It is counted, left out of means, and never a zero.',
  );
}
