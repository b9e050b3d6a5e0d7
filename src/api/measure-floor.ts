import type { Context } from 'hono';
import { evaluationConfig, type StoredAgent } from '#core/evaluation/config.ts';
import { gatherEvaluationBasisOrRefuse } from '#core/evaluation/gather-basis.ts';
import type { BenchmarkFloor } from '#core/evaluation/floor.ts';
import { nullPolicy } from '#core/evaluation/null-agents.ts';
import { problemOfEvaluationRefusal } from '#core/evaluation/problems.ts';
import { agentLimits } from '#core/models/limits.ts';
import { noPreflight } from '#core/models/preflight.ts';
import type { ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { isOver } from '#core/exploration/runs.ts';
import type { ApiEnv } from './context.ts';
import { createOwnEvaluation } from './create-own-evaluation.ts';
import { requireBenchmarkOfAnyWorkspace } from './require-benchmark.ts';
import { newId } from './ids.ts';
import { prepareModelForStorage } from './stored-model.ts';

/** Public units that null agents work on: enough to see a floor of 0.2, few enough to cost little. */
const sampledUnits = 20;

/** Attempts at once: nobody waits for a floor. */
const concurrency = 2;

/**
 * Starts the evaluation of the null agents on a benchmark of the caller, unless it was started before. If it cannot be
 * made, for example because the servers are not registered here, the benchmark says why.
 */
export async function startFloorMeasurementIfNone(c: Context<ApiEnv>, benchmark: string): Promise<void> {
  const { services, caller } = c.var;
  const object = await requireBenchmarkOfAnyWorkspace(c, benchmark);
  if (await isFloorMeasuredOrRunning(c, await object.floor())) return;
  const workspace = services.object('workspace', caller.workspace);
  const held = await workspace.findResource('benchmark', benchmark);
  if (held === null) return;
  const agents = nullPolicy.options.map((policy): StoredAgent => ({
    name: policy,
    loop: 'null',
    policy,
    limits: agentLimits.parse({}),
  }));
  const config = evaluationConfig.parse({
    benchmark,
    name: `floor of ${benchmark}`,
    sample: { units: sampledUnits },
    concurrency,
  });
  const basis = await gatherEvaluationBasisOrRefuse(object, workspace, config, { count: agents.length, seen: [] });
  if (!basis.ok) {
    await object.recordFloorUnlessMeasured({
      state: 'unavailable',
      reason: problemOfEvaluationRefusal(basis.problem).detail,
    });
    return;
  }
  const now = new Date();
  const at = now.toISOString();
  const id = newId('evl', now);
  await object.recordFloorUnlessMeasured({ state: 'running', evaluation: id });
  const { servers, ...unitsAndTools } = basis.value;
  await createOwnEvaluation(
    c.var.services,
    {
      id,
      workspace: c.var.caller.workspace,
      config,
      agents,
      judge: await prepareModelForStorage('judge', undefined, services.settings),
      embedder: await prepareModelForStorage('embedder', undefined, services.settings),
      servers,
      floorOf: held.object,
      preflight: noPreflight,
      at,
    },
    unitsAndTools,
  );
}

/** Returns whether a floor is measured or on the way: a crash may have left one on the way without its evaluation. */
async function isFloorMeasuredOrRunning(c: Context<ApiEnv>, floor: BenchmarkFloor | null): Promise<boolean> {
  if (floor === null || floor.state === 'unavailable') return false;
  if (floor.state === 'measured') return true;
  const run = await c.var.services.object('evaluation', floor.evaluation).get();
  return run.ok && !isOver(run.value.status);
}

/** Returns the floor of a benchmark under a protocol, in any workspace; null if nobody has measured it. It is measured under the benchmark's own. */
export async function readFloorIfUnderProtocol(
  c: Context<ApiEnv>,
  benchmark: string,
  protocol: ProtocolKey,
): Promise<BenchmarkFloor | null> {
  const found = await c.var.services.directory.findBenchmark(benchmark);
  if (found === null) return null;
  const object = c.var.services.object('benchmark', found.object);
  return (await object.protocol()) === protocol ? object.floor() : null;
}
