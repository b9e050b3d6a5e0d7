import type { CaseResult, EvaluationCase } from './case.ts';
import type { StoredAgent } from './config.ts';

/**
 * Who works on a case: a lane, which may have `taken` it; a client, likewise; or nobody, once it is done. The cases of a submission
 * wait for its `leaderboard` first, which hands its units out in batches, public and private ones in one order. A case whose attempt
 * `crashed` waits for somebody to say whether it is made again. An `undrawn` one has no attempts unless its unit is drawn.
 */
export type CaseWorker = 'leaderboard' | 'undrawn' | 'lane' | 'taken' | 'client' | 'claimed' | 'crashed' | 'nobody';

/** Returns who works first on the cases of an agent; it does not depend on the unit, so that nothing tells the splits. */
export function firstWorkerOfCases(loop: StoredAgent['loop'], isSubmitted: boolean): CaseWorker {
  if (loop === 'uploaded') return 'client';
  if (isSubmitted) return 'leaderboard';
  return loop === 'external' ? 'client' : 'lane';
}

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
