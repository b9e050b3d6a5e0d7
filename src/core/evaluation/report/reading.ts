import { section } from './markdown.ts';

/** What a reader has to know in order to read the figures. */
export const readingSection = (): string[] =>
  section(
    'How to read this',
    '- **TCS**, tool call score, 0 to 1: recall and precision of the calls against the expected chain, by their longest common subsequence. Higher is better.',
    '- **MTC**, metamorphic consistency, 0 to 1: how alike the calls for the two wordings are (sequence agreement, set overlap, prefix adequacy, function agreement). Higher is better.',
    '- **TFD**, trajectory fault density, 0 to 1: the share of calls that failed. Lower is better; without calls there is none.',
    '- **AR**, answer relevance, up to 1: half the grade of a judge, half the mean cosine of the request to three requests written back from the response.',
    '- **UIC**, unified intent coverage, 0 to 1: the mean score of the sub-intents that both wordings share.',
    '- **ECG**, execution-completion gap, -1 to 1: the mean of TCS and MTC less the mean of AR and UIC. Best near 0; its plain mean lets gaps of both signs cancel, the mean of absolute gaps does not.',
    '- **Intervals** are 95% percentile bootstrap intervals of a mean over whole units. With few units they are too narrow.',
    '- **pass@k** (Chen et al. 2021) is the chance that at least one of k trials passes, **pass^k** (tau-bench) that all do; units with fewer than k scored trials are unscored.',
    "- **Comparisons** are bootstrap intervals of the mean difference within units; passes are compared by McNemar's exact test on attempts. Fewer than six pairs are insufficient data. Attempts of one unit are alike, which makes McNemar's p somewhat too small.",
    '- **Unscored** is what could not be measured. It is counted, left out of means, and never a zero.',
  );
