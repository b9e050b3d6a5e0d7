import type { AttemptSums } from './agent-figures.ts';
import { unscoredAttempts, type UnscoredAttempts } from './results-record.ts';

/** The attempts that have no score, by metric and reason. */
export const unscoredOf = ({ unscored }: Pick<AttemptSums, 'unscored'>): UnscoredAttempts =>
  unscoredAttempts.parse(
    Object.fromEntries(Array.from(unscored, ([metric, reasons]) => [metric, Object.fromEntries(reasons)])),
  );
