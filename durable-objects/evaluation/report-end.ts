import { computeJudgeFigures } from '#core/evaluation/judge-measure/judge-figures.ts';
import type { MeasureState } from '#core/evaluation/judge-measure/judge-measure.ts';
import { listPlantedAttempts } from '#core/evaluation/judge-measure/planted-attempts.ts';
import { plantedVariant } from '#core/evaluation/judge-measure/planted-kinds.ts';
import type { EvaluationResults } from '#core/evaluation/record.ts';
import type { Benchmark } from '#durable-objects/benchmark/benchmark.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import type { Workspace } from '#durable-objects/workspace/workspace.ts';
import type { EvaluationLife, Standing } from './evaluation-life.ts';
import type { CountedVerdict, EvaluationLabels } from './evaluation-labels.ts';
import type { EvaluationReader } from './evaluation-reader.ts';

/** The objects that learn what an evaluation found. */
export interface ReportedObjects {
  readonly BENCHMARK: DurableObjectNamespace<Benchmark>;
  readonly WORKSPACE: DurableObjectNamespace<Workspace>;
}

/**
 * Reports what an ended evaluation found: to its benchmark what null agents scored, to its workspace how well its judge read
 * attempts whose verdict is known, and how the servers marked their errors. Submissions do not say that, because their traces may come from outside. Repeating it changes nothing.
 */
export async function reportFloorMeasureAndErrors(
  env: ReportedObjects,
  { creation, standing }: Pick<EvaluationLife, 'creation' | 'standing'>,
  reader: EvaluationReader,
  labels: Pick<EvaluationLabels, 'listVerdictOfEachAttempt'>,
): Promise<void> {
  const { id, floorOf, measuresJudge, submission, workspace, servers } = creation;
  if (floorOf !== null)
    await reportFloorToBenchmark(env.BENCHMARK.getByName(floorOf), standing, await reader.computeResults());
  if (measuresJudge === true)
    await env.WORKSPACE.getByName(workspace).recordJudgeMeasure(
      id,
      measureOutcome(standing, labels.listVerdictOfEachAttempt()),
    );
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

/** Returns how well a judge read the planted attempts, or why that could not be measured. */
function measureOutcome(
  { status, reason }: Pick<Standing, 'status' | 'reason'>,
  verdicts: readonly CountedVerdict[],
): MeasureState {
  if (status !== 'completed')
    return { state: 'unavailable', reason: `its evaluation ended ${status}: ${reason ?? 'it gives no reason'}` };
  const read = verdicts.flatMap(({ unit, agent, verdict }) => {
    const variant = plantedVariant.safeParse(agent);
    return variant.success ? [{ unit, variant: variant.data, verdict }] : [];
  });
  const figures = computeJudgeFigures(listPlantedAttempts(), read);
  return figures.accuracy.n === 0
    ? { state: 'unavailable', reason: 'the judge gave no verdict that can be read' }
    : { state: 'measured', figures };
}
