import type { EventBody } from '#core/events.ts';
import type { CaseResult, EvaluationCase } from '#core/evaluation/case.ts';

/** What a committed result is worth telling, given the case that it led to. */
export function announceResult(result: CaseResult, after: EvaluationCase): EventBody[] {
  const { id, agent, unit } = after;
  const { side } = result;
  const attempt = after.attempts[side];
  if (result.kind === 'judgement') {
    return [{ type: 'attempt.judged', case: id, side, ar: result.ar.value, uic: result.uic.value }];
  }
  if (attempt === null) {
    const { code = '', detail = '' } = result.fault ?? {};
    return [{ type: 'attempt.relaunched', case: id, side, code, detail }];
  }
  const { evaluated, calls, end } = attempt;
  return [{ type: 'attempt.ended', case: id, agent, unit, side, evaluated, calls: calls.length, end }];
}
