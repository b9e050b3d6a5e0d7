import type { CaseResult, EvaluationCase } from './case.ts';

/** Whose turn a case is: a lane's, which may have `taken` it; a client's, likewise; or nobody's, once it is done. */
export type Waits = 'lane' | 'taken' | 'client' | 'claimed' | 'nobody';

/** Whose turn a case is after the commit of a result; null where that has not changed. */
export function waitsAfter(
  { stage }: Pick<EvaluationCase, 'stage'>,
  ended: CaseResult['kind'],
  external: boolean,
): Waits | null {
  if (stage.kind === 'done') return 'nobody';
  if (!external || ended === 'judgement') return null;
  return stage.kind === 'attempt' ? 'client' : 'lane';
}
