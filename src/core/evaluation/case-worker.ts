import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import type { CaseResult, EvaluationCase } from './case.ts';

/**
 * Who works on a case: a lane, which may have `taken` it; a client, likewise; or nobody, once it is done. A private unit of a
 * submission waits for its `leaderboard` first, which hands the private units out when all public ones are done. A case whose
 * attempt `crashed` waits for somebody to say whether it is made again.
 */
export type CaseWorker = 'leaderboard' | 'lane' | 'taken' | 'client' | 'claimed' | 'crashed' | 'nobody';

/** Returns who works first on the case of an agent. */
export const firstWorkerOfCase = (
  { split }: Pick<BenchmarkUnit, 'split'>,
  isSubmitted: boolean,
  external: boolean,
): CaseWorker => (isSubmitted && split === 'private' ? 'leaderboard' : external ? 'client' : 'lane');

/** Returns who works on a case after the commit of a result; null if that has not changed. */
export function changedWorkerAfterResult(
  { stage }: Pick<EvaluationCase, 'stage'>,
  ended: CaseResult['kind'],
  external: boolean,
): CaseWorker | null {
  if (stage.kind === 'done') return 'nobody';
  if (!external || ended === 'judgement') return null;
  return stage.kind === 'attempt' ? 'client' : 'lane';
}
