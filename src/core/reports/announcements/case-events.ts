import type { EventBody } from '../events.ts';
import type { AttemptScores } from '#core/evaluation/attempt-scores.ts';
import { attemptScorerKeys, type AttemptScorerKey } from '#core/evaluation/scorers.ts';
import type { CaseResult, EvaluationCase } from '#core/evaluation/case.ts';

/** Returns the events of a committed result, given the resulting case. */
export function listEventOfCommittedCaseResult(result: CaseResult, after: EvaluationCase): EventBody[] {
  const { id, agent, unit } = after;
  const { side } = result;
  const attempt = after.attempts[side];
  if (result.kind === 'judgement') {
    return [{ type: 'attempt.judged', case: id, side, scores: pickScoreValues(result.scores) }];
  }
  if (attempt === undefined) {
    const { code = '', detail = '' } = result.fault ?? {};
    return [{ type: 'attempt.relaunched', case: id, side, code, detail }];
  }
  const { evaluated, calls, end } = attempt;
  return [{ type: 'attempt.ended', case: id, agent, unit, side, evaluated, calls: calls.length, end }];
}

function pickScoreValues(scores: AttemptScores): Extract<EventBody, { type: 'attempt.judged' }>['scores'] {
  const values: Partial<Record<AttemptScorerKey, number | null>> = {};
  for (const key of attemptScorerKeys) {
    const score = scores[key];
    if (score !== undefined) values[key] = score.value;
  }
  return values;
}
