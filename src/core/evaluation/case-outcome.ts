import { getProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import type { EvaluationCase } from './case.ts';

/** What became of a case, in one word. `unscored`: its verdict is missing, or its protocol has none. */
export const caseOutcomes = ['passed', 'failed', 'unscored', 'not-evaluated', 'under-way'] as const;
export type CaseOutcome = (typeof caseOutcomes)[number];

/** Returns what became of a case: it passed if the verdict on each of its attempts is success, and failed if one is not. */
export function findCaseOutcome(
  { stage, requests, attempts }: Pick<EvaluationCase, 'stage' | 'requests' | 'attempts'>,
  protocol: ProtocolKey,
): CaseOutcome {
  if (stage.kind !== 'done') return 'under-way';
  const made = requests.map((name) => attempts[name]);
  if (made.some((attempt) => attempt?.evaluated !== true)) return 'not-evaluated';
  const { verdict } = getProtocol(protocol);
  const values = made.map((attempt) => (verdict === null ? null : (attempt?.scores[verdict].value ?? null)));
  if (values.some((value) => value !== null && value < 1)) return 'failed';
  return values.includes(null) ? 'unscored' : 'passed';
}
