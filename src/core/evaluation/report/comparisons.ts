import type { Verdict } from '#core/statistics/verdict.ts';
import { scorerTitleInComparisons, getScorerOrThrow } from '../scorers.ts';
import { pValueText, signedDifferenceText, toldCell, toldDifferenceNote } from '../figure-texts.ts';
import type { Comparison } from '../record.ts';
import { listShownComparisons } from '../shown-scorers.ts';
import { escapeMarkdown, markdownTableLines, sectionLines } from './markdown.ts';

/** Compares each agent with the next one in the ranking, paired by unit. */
export const neighbourComparisonSection = (comparisons: readonly Comparison[]): string[] =>
  comparisons.length === 0
    ? []
    : sectionLines(
        'Neighbours in the ranking',
        'Differences are those of the first agent less the second, on the units that both have a score for. Several verdicts at 95% each: one of them may well be chance.',
        toldDifferenceNote,
        '',
        ...comparisons.flatMap((each, at) => [...(at === 0 ? [] : ['']), ...comparisonLines(each)]),
      );

function comparisonLines(comparison: Comparison): string[] {
  const { passes } = comparison;
  const [a, b] = [escapeMarkdown(comparison.a), escapeMarkdown(comparison.b)];
  const words: Readonly<Record<Verdict, string>> = {
    better: `${a} is better`,
    worse: `${b} is better`,
    'no-difference': 'no difference shown',
    'insufficient-data': 'insufficient data',
  };
  const rows = listShownComparisons(comparison).map(
    ({ scorer, difference, low, high, detectable, n, leftOut, verdict }) => ({
      title: `${escapeMarkdown(scorerTitleInComparisons(scorer))}${scorer.direction === 'higher' ? '' : ' (less is better)'}`,
      difference: difference === null ? 'none' : signedDifferenceText(difference),
      certainty:
        low === null || high === null ? 'none' : `[${signedDifferenceText(low)}, ${signedDifferenceText(high)}]`,
      tells: toldCell(detectable),
      n: `${n} units`,
      leftOut,
      verdict: words[verdict],
    }),
  );
  const passRows =
    passes === null
      ? []
      : [
          {
            title: `attempts that pass by ${getScorerOrThrow(passes.scorer).title} (McNemar)`,
            difference: `${passes.onlyA} only ${a}, ${passes.onlyB} only ${b}`,
            certainty: pValueText(passes.p),
            tells: '',
            n: `${passes.both + passes.neither + passes.onlyA + passes.onlyB} attempts`,
            leftOut: passes.leftOut,
            verdict: words[passes.verdict],
          },
        ];
  return [
    `### ${a} and ${b}`,
    '',
    ...markdownTableLines(
      [
        { title: 'scorer', of: ({ title }) => title },
        { title: 'difference', of: ({ difference }) => difference },
        { title: '95% interval, or p', of: ({ certainty }) => certainty },
        { title: 'tells', of: ({ tells }) => tells },
        { title: 'on', of: ({ n }) => n },
        { title: 'left out', of: ({ leftOut }) => leftOut },
        { title: 'verdict', of: ({ verdict }) => verdict },
      ],
      [...rows, ...passRows],
    ),
  ];
}
