import type { EvaluationResults } from '#core/evaluation/record.ts';
import type { Benchmark } from '#durable-objects/benchmark/benchmark.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import type { Workspace } from '#durable-objects/workspace/workspace.ts';
import type { EvaluationLife, Standing } from './evaluation-life.ts';
import type { EvaluationReader } from './evaluation-reader.ts';

/** The objects that learn what an evaluation found. */
export interface ReportedObjects {
  readonly BENCHMARK: DurableObjectNamespace<Benchmark>;
  readonly WORKSPACE: DurableObjectNamespace<Workspace>;
}

/**
 * Reports what an ended evaluation found: to its benchmark what null agents scored, to its workspace how the servers marked
 * their errors. Submissions do not say that, because their traces may come from outside. Repeating it changes nothing.
 */
export async function reportFloorAndServerErrors(
  env: ReportedObjects,
  { creation, standing }: Pick<EvaluationLife, 'creation' | 'standing'>,
  reader: EvaluationReader,
): Promise<void> {
  const { id, floorOf, submission, workspace, servers } = creation;
  if (floorOf !== null)
    await reportFloorToBenchmark(env.BENCHMARK.getByName(floorOf), standing, await reader.computeResults());
  if (submission !== null) return;
  const errors = await reader.sumErrorsByServer();
  const reached = servers.flatMap(({ name, url }) =>
    errors.filter(({ server }) => server === name).map(({ marked, reported }) => ({ name, url, marked, reported })),
  );
  if (reached.length > 0) await env.WORKSPACE.getByName(workspace).recordServerErrors(id, reached);
}

/** Reports to a benchmark what the null agents of an ended evaluation scored, or why that could not be measured. */
const reportFloorToBenchmark = async (
  benchmark: RpcOf<Benchmark, 'recordFloorUnlessMeasured'>,
  { status, reason }: Pick<Standing, 'status' | 'reason'>,
  { floor }: Pick<EvaluationResults, 'floor'>,
): Promise<void> =>
  benchmark.recordFloorUnlessMeasured(
    status === 'completed' && floor !== null
      ? floor
      : { state: 'unavailable', reason: `its evaluation ended ${status}: ${reason ?? 'no null agent was evaluated'}` },
  );
