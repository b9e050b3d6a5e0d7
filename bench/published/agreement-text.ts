import type { JudgeAgreement } from '#core/evaluation/judge-agreement.ts';
import { countWithNoun } from '../../client/command-line/text.ts';
import { figureWithIntervalText } from './interval-text.ts';
import { alignColumns } from '../shared/aligned.ts';

/** A judge's agreement with people. */
export interface JudgeRow extends JudgeAgreement {
  readonly judge: string;
  /** Verdicts that the published evaluator reads otherwise; null where that is not asked. */
  readonly flips: number | null;
}

interface Labels {
  readonly labels: number;
  readonly successes: number;
  readonly unparsedLabels: number;
}

/** Formats the labels in a sentence and each judge in a row. */
export function agreementTableLines(
  { labels, successes, unparsedLabels }: Labels,
  rows: readonly JudgeRow[],
): string[] {
  return [
    `${countWithNoun(labels, 'label')}, ${successes} of success, ${unparsedLabels} that cannot be read`,
    ...alignColumns([
      ['judge', 'n', 'unparsed', 'flips', 'accuracy', 'kappa', 'successes'],
      ...rows.map(({ judge, n, unparsed, flips, accuracy, kappa, successRate }) => [
        judge,
        String(n),
        String(unparsed),
        flips === null ? '-' : String(flips),
        figureWithIntervalText(accuracy.value, accuracy.interval),
        figureWithIntervalText(kappa.value, kappa.interval),
        figureWithIntervalText(successRate, null),
      ]),
    ]),
  ];
}
