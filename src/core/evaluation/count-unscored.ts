import type { AttemptSums } from './agent-figures.ts';
import { unscoredAttempts, type UnscoredAttempts } from './results-record.ts';

/** Returns the counts of attempts without a score, by scorer and reason. */
export const unscoredCountsByScorerAndReason = ({ unscored }: Pick<AttemptSums, 'unscored'>): UnscoredAttempts =>
  unscoredAttempts.parse(
    Object.fromEntries(Array.from(unscored, ([metric, reasons]) => [metric, Object.fromEntries(reasons)])),
  );
