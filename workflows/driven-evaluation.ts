import type { Tool } from '#core/catalog/tool.ts';
import type { CaseResult, EvaluationCase } from '#core/evaluation/case.ts';
import type { SubIntentPlan } from '#core/evaluation/plan.ts';
import type { Shard, ShardParams } from '#core/evaluation/shards.ts';
import type { ModelCall } from '#core/ports.ts';
import type { Trace } from '#core/traces/trace.ts';
import type { RequestSide } from '#core/units/unit.ts';
import type { EvaluationContext, EvaluationWork, LaneTurn } from '#durable-objects/evaluation/evaluation-run.ts';
import type { Stop } from '#durable-objects/shared/run-lifecycle.ts';

/** What a driver asks of an evaluation. */
export interface DrivenEvaluation {
  context(): Promise<EvaluationContext>;
  mountedTools(server: string | null): Promise<Tool[]>;
  open(driver: number): Promise<{ kind: 'shards'; shards: Shard[] } | Stop>;
  take(turn: LaneTurn): Promise<EvaluationWork | Stop>;
  planFor(unit: string, by: string): Promise<SubIntentPlan | null>;
  commitPlan(unit: string, plan: SubIntentPlan, calls: readonly ModelCall[]): Promise<SubIntentPlan>;
  commitCase(
    driver: number,
    id: string,
    revision: number,
    result: CaseResult,
  ): Promise<{ case: EvaluationCase; kept: boolean; stop: Stop | null }>;
  setAside(turn: LaneTurn, reason: string): Promise<boolean>;
  /** What was recorded of an attempt. */
  attemptTrace(id: string, side: RequestSide): Promise<Trace>;
  relay(params: ShardParams): Promise<void>;
  fail(driver: number, reason: string): Promise<void>;
}
