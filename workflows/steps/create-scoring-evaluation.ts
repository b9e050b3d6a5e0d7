import { noPreflight } from '#core/models/preflight.ts';
import { evaluationConfig, agentWithMountingUnlessUploaded } from '#core/evaluation/config.ts';
import { createEvaluationOnBasis, type EvaluationCreator } from '#core/evaluation/create-on-basis.ts';
import { gatherEvaluationBasisOrRefuse, type ServerSource, type UnitSource } from '#core/evaluation/gather-basis.ts';
import { problemOfEvaluationRefusal } from '#core/evaluation/problems.ts';
import { oracleMounting } from '#core/units/mounting/mounting.ts';
import { harnessVersion } from '#core/values/harness-version.ts';
import { tierRules } from '#core/leaderboards/submissions/tiers.ts';
import type { Leaderboard } from '#durable-objects/leaderboard/leaderboard.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import type { Caller } from '../caller.ts';
import type { DrivenSubmission } from '../called-objects.ts';

/** The objects that the scoring of a submission needs. */
export interface ScoringPlaces {
  leaderboard(id: string): RpcOf<Leaderboard, 'creation'>;
  benchmark(object: string): UnitSource;
  workspace(id: string): ServerSource;
  readonly evaluation: EvaluationCreator;
  readonly evaluationId: string;
  readonly offline: boolean;
}

/**
 * Creates the evaluation that scores a submission, with the servers and the judge of its leaderboard. Idempotent.
 * Returns false if that is impossible; the submission is then rejected.
 */
export async function createScoringEvaluationOrRejectSubmission(
  submission: Caller<DrivenSubmission>,
  places: ScoringPlaces,
): Promise<boolean> {
  const creation = await submission((object) => object.creation());
  const leaderboard = await places.leaderboard(creation.leaderboard).creation();
  if (!leaderboard.ok) throw new Error(`there is no leaderboard ${creation.leaderboard}`);
  if (leaderboard.value.harness !== harnessVersion) {
    const reason = `the leaderboard takes attempts of ${leaderboard.value.harness}, and this service is ${harnessVersion} by now; open one for a new version of the benchmark`;
    await submission((object) => object.reject(reason));
    return false;
  }
  const {
    benchmark,
    benchmarkObject,
    protocol,
    workspace,
    judge,
    embedder,
    mounting = oracleMounting,
  } = leaderboard.value;
  const { split, attempts } = tierRules[creation.tier];
  const servers = attempts === 'uploaded' ? null : places.workspace(workspace);
  const { id, agent, trials, seed, at } = creation;
  const basis = await gatherEvaluationBasisOrRefuse(
    places.benchmark(benchmarkObject),
    servers,
    { split, trials, protocol },
    { count: 1, seen: [] },
  );
  if (!basis.ok) {
    const reason = `it cannot be evaluated: ${problemOfEvaluationRefusal(basis.problem).detail}`;
    await submission((object) => object.reject(reason));
    return false;
  }
  const { servers: connections, ...units } = basis.value;
  await createEvaluationOnBasis(
    places.evaluation,
    {
      id: places.evaluationId,
      workspace: creation.workspace,
      config: evaluationConfig.parse({ benchmark, name: creation.leaderboard, trials, split, seed, mounting }),
      agents: [agentWithMountingUnlessUploaded(agent, leaderboard.value.mounting)],
      judge,
      embedder,
      servers: connections,
      serversOf: workspace,
      offline: places.offline,
      submission: id,
      floorOf: null,
      panel: [],
      rejudges: null,
      preflight: noPreflight,
      at,
    },
    units,
  );
  return submission((object) => object.markScoringOrCancelEvaluation());
}
