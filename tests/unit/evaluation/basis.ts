import type { ResultsBasis } from '#core/evaluation/basis.ts';
import type { AttemptRecord, EvaluationCase } from '#core/evaluation/case.ts';
import { scored } from '#core/metrics/score.ts';
import type { FailureClass } from '#core/traces/failure.ts';
import { chain, finished, type Made } from './cases.ts';

/** A basis of units with the chain of the fixtures, and tools of two servers in two domains. */
export const basisOf = (cases: readonly EvaluationCase[], more: Partial<ResultsBasis> = {}): ResultsBasis => ({
  units: ['u0', 'u1'].map((id) => ({ id, chain })),
  tools: [
    { name: 'fruit/apple', server: 'fruit', domain: 'food', category: 'read' },
    { name: 'fruit/pear', server: 'fruit', domain: 'food', category: 'read' },
    { name: 'trees/oak', server: 'trees', domain: 'forest', category: 'read' },
  ],
  cases,
  trials: 1,
  seed: 1,
  ...more,
});

/** An attempt that passes, and one that does not. */
export const passing: Made = { tools: chain };
export const failing: Made = { tools: chain, grades: { pass: scored(0, null) } };

/** A case whose failed calls have classes, those of the source first. */
export function classified(
  place: Parameters<typeof finished>[0],
  made: Made,
  ...classes: readonly (FailureClass | null)[]
): EvaluationCase {
  const each = finished(place, made);
  const left = [...classes];
  const decided = (attempt: AttemptRecord | null): AttemptRecord | null =>
    attempt && {
      ...attempt,
      calls: attempt.calls.map((call) =>
        call.outcome === 'failure' ? { ...call, failure: left.shift() ?? null } : call,
      ),
    };
  return { ...each, attempts: { source: decided(each.attempts.source), followUp: decided(each.attempts.followUp) } };
}
