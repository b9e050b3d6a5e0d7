import type { EvaluationResults } from '#core/evaluation/record.ts';
import type { Benchmark } from '#durable-objects/benchmark/benchmark.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import type { Standing } from './evaluation-life.ts';

/** Reports to a benchmark what the null agents of an ended evaluation scored, or why that could not be measured. */
export const reportFloor = async (
  benchmark: RpcOf<Benchmark, 'recordFloor'>,
  { status, reason }: Pick<Standing, 'status' | 'reason'>,
  { floor }: Pick<EvaluationResults, 'floor'>,
): Promise<void> =>
  benchmark.recordFloor(
    status === 'completed' && floor !== null
      ? floor
      : { state: 'unavailable', reason: `its evaluation ended ${status}: ${reason ?? 'no null agent was evaluated'}` },
  );
