import type { CaseResult, EvaluationCase } from '#core/evaluation/case.ts';
import type { SubIntentPlan } from '#core/evaluation/plan.ts';
import type { ModelCall } from '#core/ports.ts';
import type { Trace } from '#core/traces/trace.ts';
import type { RequestSide } from '#core/units/unit.ts';
import type { EvaluationContext, EvaluationWork } from '#durable-objects/evaluation-run.ts';
import type { Stop } from '#durable-objects/exploration-run.ts';

/** What a driver asks of an evaluation. */
export interface DrivenEvaluation {
  context(): Promise<EvaluationContext>;
  openUnits(driver: number, limit: number): Promise<{ kind: 'units'; units: string[]; concurrency: number } | Stop>;
  openUnit(driver: number, id: string): Promise<EvaluationWork | Stop>;
  commitPlan(id: string, plan: SubIntentPlan, calls: readonly ModelCall[]): Promise<SubIntentPlan>;
  commitCase(
    driver: number,
    id: string,
    revision: number,
    result: CaseResult,
  ): Promise<{ case: EvaluationCase; stop: Stop | null }>;
  /** What was recorded of an attempt. */
  attemptTrace(id: string, side: RequestSide): Promise<Trace>;
  closeUnit(driver: number, id: string): Promise<void>;
  handOver(driver: number): Promise<void>;
  fail(driver: number, reason: string): Promise<void>;
}
