import type { Scorer } from '#core/scoring/scorer.ts';
import { scorers } from '#core/scoring/scorers.ts';
import { sectionLines } from './markdown.ts';

const directions: Readonly<Record<Scorer['direction'], string>> = {
  higher: 'Higher is better.',
  lower: 'Lower is better.',
  zero: 'Best near 0.',
};

const scorerText = ({ title, name, range: [low, high], question, formula, caveat, direction }: Scorer): string =>
  `- **${title}**${name === title ? '' : `, ${name}`}, ${low} to ${high}: ${question} ${capitalised(formula)}. ${directions[direction]} Not to be taken for ${caveat}.`;

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const binaryTitles = scorers
  .filter(({ binary }) => binary)
  .map(({ title }) => title)
  .join(', ');

/** What a reader must know to read the figures. */
export const readingSection = (): string[] =>
  sectionLines(
    'How to read this',
    ...scorers.map(scorerText),
    `- **Intervals** are 95% intervals of a mean over whole units: Wilson's for ${binaryTitles} and passes, percentile bootstrap intervals for all else, which are too narrow for few units.`,
    '- **pass@k** (Chen et al. 2021) is the chance that at least one of k trials passes, **pass^k** (tau-bench) that all do; units with fewer than k scored trials are unscored.',
    "- **Comparisons** are bootstrap intervals of the mean difference within units; successes are also compared by McNemar's exact test on attempts. Fewer than six pairs are insufficient data. Attempts of one unit are alike, which makes McNemar's p somewhat too small.",
    '- **Unscored** is what could not be measured. It is counted, left out of means, and never a zero.',
  );
