import type { AttemptSums } from './agent-figures.ts';
import { unscoredAttempts, type UnscoredAttempts } from './results-record.ts';

/** Counts the attempts without a score, by metric and reason. */
export const unscoredCountsByScorerAndReason = ({ unscored }: Pick<AttemptSums, 'unscored'>): UnscoredAttempts =>
  unscoredAttempts.parse(
    Object.fromEntries(Array.from(unscored, ([metric, reasons]) => [metric, Object.fromEntries(reasons)])),
  );
