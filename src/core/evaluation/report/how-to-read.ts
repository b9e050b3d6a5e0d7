import type { Scorer } from '#core/scoring/scorer.ts';
import { scorers } from '#core/scoring/scorers.ts';
import { sectionLines } from './markdown.ts';

const directions: Readonly<Record<Scorer['direction'], string>> = {
  higher: 'Higher is better.',
  lower: 'Lower is better.',
  zero: 'Best near 0.',
};

const scorerText = ({ title, name, range: [low, high], formula, direction }: Scorer): string =>
  `- **${title}**${name === title ? '' : `, ${name}`}, ${low} to ${high}: ${formula}. ${directions[direction]}`;

/** What a reader must know to read the figures. */
export const readingSection = (): string[] =>
  sectionLines(
    'How to read this',
    ...scorers.map(scorerText),
    '- **Intervals** are 95% percentile bootstrap intervals of a mean over whole units. With few units they are too narrow.',
    '- **pass@k** (Chen et al. 2021) is the chance that at least one of k trials passes, **pass^k** (tau-bench) that all do; units with fewer than k scored trials are unscored.',
    "- **Comparisons** are bootstrap intervals of the mean difference within units; successes are also compared by McNemar's exact test on attempts. Fewer than six pairs are insufficient data. Attempts of one unit are alike, which makes McNemar's p somewhat too small.",
    '- **Unscored** is what could not be measured. It is counted, left out of means, and never a zero.',
  );
