import type { AttemptRecord } from './case.ts';
import { unscoredAttempts, type UnscoredAttempts } from './results-record.ts';

/** Counts the attempts that have no score, by metric and reason. */
export function unscoredOf(attempts: readonly AttemptRecord[]): UnscoredAttempts {
  const counts: Record<string, Record<string, number>> = {};
  for (const { scores } of attempts) {
    for (const [metric, score] of Object.entries(scores)) {
      if (score.scored) continue;
      const reasons = (counts[metric] ??= {});
      reasons[score.reason] = (reasons[score.reason] ?? 0) + 1;
    }
  }
  return unscoredAttempts.parse(counts);
}
