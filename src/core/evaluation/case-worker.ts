import type { CaseResult, EvaluationCase } from './case.ts';

/** Who works on a case: a lane, which may have `taken` it; a client, likewise; or nobody, once it is done. */
export type CaseWorker = 'lane' | 'taken' | 'client' | 'claimed' | 'nobody';

/** Returns who works on a case after the commit of a result; null if that has not changed. */
export function workerAfter(
  { stage }: Pick<EvaluationCase, 'stage'>,
  ended: CaseResult['kind'],
  external: boolean,
): CaseWorker | null {
  if (stage.kind === 'done') return 'nobody';
  if (!external || ended === 'judgement') return null;
  return stage.kind === 'attempt' ? 'client' : 'lane';
}
