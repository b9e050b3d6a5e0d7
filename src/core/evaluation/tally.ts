import { findExhaustedPartOfBudget } from '#core/exploration/budget.ts';
import { tokensAndCostOfUsage, mayStartUnit, meanCostPerUnit } from '#core/exploration/reservation.ts';
import type { RunEnd } from '#core/exploration/runs.ts';
import { addUsage, noUsage, sumUsageOfCalls, type Usage } from '#core/models/usage.ts';
import type { AttemptRecord, CaseResult, EvaluationCase } from './case.ts';
import type { EvaluationConfig } from './config.ts';
import type { EvaluationProgress } from './progress-record.ts';
import type { NewEvaluation } from './record.ts';

/** What an evaluation counts. */
export interface Tally {
  readonly progress: EvaluationProgress;
  /** Usage of the agents and, separately, of the judges. */
  readonly usage: Usage;
  readonly judgeUsage: Usage;
}

/**
 * Returns the counts after the commit of a result, given the resulting case and whether it was the last one of its
 * unit.
 */
export function tallyAfterResult(
  { progress: before, usage, judgeUsage }: Tally,
  result: CaseResult,
  after: Pick<EvaluationCase, 'agent' | 'attempts'>,
  endsUnit: boolean,
): Tally {
  const progress = { ...before, unitsDone: before.unitsDone + (endsUnit ? 1 : 0) };
  if (result.kind === 'judgement')
    return { progress, usage, judgeUsage: addUsage(judgeUsage, sumUsageOfCalls(result.calls)) };
  const attempt = after.attempts[result.side];
  return {
    usage: addUsage(usage, sumUsageOfCalls(result.calls)),
    judgeUsage: addUsage(judgeUsage, result.userUsage ?? noUsage),
    progress:
      attempt === undefined
        ? { ...progress, relaunched: progress.relaunched + 1 }
        : progressAfterAttempt(progress, after.agent, attempt),
  };
}

const progressAfterAttempt = (
  { madeByAgent, ...progress }: EvaluationProgress,
  agent: string,
  { evaluated }: AttemptRecord,
): EvaluationProgress => ({
  ...progress,
  made: progress.made + 1,
  notEvaluated: progress.notEvaluated + (evaluated ? 0 : 1),
  ...(madeByAgent === undefined ? {} : { madeByAgent: { ...madeByAgent, [agent]: (madeByAgent[agent] ?? 0) + 1 } }),
});

/** Returns how an evaluation that ended for this reason is over: it failed if faults broke every attempt. */
export const evaluationEndStatusAndReason = ({ made, notEvaluated }: EvaluationProgress, reason: string): RunEnd =>
  made > 0 && notEvaluated === made
    ? { status: 'failed', reason: `faults broke every attempt (${reason})` }
    : { status: 'completed', reason };

/**
 * Returns whether a lane may take another case, while lanes work on `open` others. A case takes what its attempts took
 * on average so far, with their judgements; before the first of them is made, every lane may take one.
 */
export function mayLaneTakeCase(
  { progress, usage, judgeUsage }: Tally,
  { agents, config: { trials, budget } }: Pick<NewEvaluation, 'agents' | 'config'>,
  open: number,
): boolean {
  const spent = tokensAndCostOfUsage(addUsage(usage, judgeUsage));
  const cases = Math.max(1, progress.units * agents.length * trials);
  const mean = meanCostPerUnit(spent, progress.made / (progress.attempts / cases));
  return mayStartUnit(budget, { spent, mean, open });
}

/**
 * Returns why an evaluation is over: all its units are done, or a part of its budget is used up. Null while it
 * continues.
 */
export function evaluationEndReasonOrNull(
  { unitsDone, units }: EvaluationProgress,
  budget: EvaluationConfig['budget'],
  spent: Readonly<Record<'tokens' | 'costUsd' | 'wallMs' | 'writes', number>>,
): string | null {
  if (unitsDone === units) return 'all attempts were made';
  const part = findExhaustedPartOfBudget(budget, spent);
  return part === null ? null : `budget: ${part} used up`;
}
