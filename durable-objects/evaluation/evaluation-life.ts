import { z } from 'zod';
import { refuseSplitBeyondSight, type Sight } from '#core/access/access.ts';
import { serverConnection } from '#core/catalog/server.ts';
import { costEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import { decision } from '#core/evaluation/decision.ts';
import { evaluationConfig, storedAgent } from '#core/evaluation/config.ts';
import { evaluationProgress } from '#core/evaluation/progress-record.ts';
import { provenance } from '#core/evaluation/record.ts';
import { storedModel } from '#core/models/choices.ts';
import { defaultProtocol, protocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { noPreflight, preflight } from '#core/models/preflight.ts';
import { usage } from '#core/models/usage.ts';
import { ok, type Result } from '#core/values/result.ts';
import { storedMounting } from '#core/units/mounting/mounting.ts';
import { runStanding, type RunLifecycle } from '#durable-objects/shared/run-lifecycle.ts';

/** How an evaluation was created; never changes, except that keys are deleted. */
export const creation = z.object({
  id: z.string(),
  workspace: z.string(),
  config: evaluationConfig.extend({ mounting: storedMounting }),
  agents: z.array(storedAgent).readonly(),
  judge: storedModel,
  /** The judges beside it; absent in evaluations of earlier versions. */
  panel: z.array(storedModel).readonly().default([]),
  /** The seed of the judges, where it is not the evaluation's. */
  judgeSeed: z.int().optional(),
  embedder: storedModel,
  /** Absent in evaluations of earlier versions, in those that judge again, and in those of submissions and floors. */
  estimate: costEstimate.optional(),
  servers: z.array(serverConnection).readonly(),
  /** The workspace where these are registered, if it is another: that of a submission's leaderboard. */
  serversOf: z.string().optional(),
  offline: z.boolean(),
  /** Absent in evaluations of earlier versions, whose units are pairs. */
  protocol: protocolKey.default(defaultProtocol),
  provenance,
  /** The submission that it scores; absent in evaluations of earlier versions. */
  submission: z.string().nullable().default(null),
  /** The object of the benchmark whose floor it measures; absent in evaluations of earlier versions. */
  floorOf: z.string().nullable().default(null),
  /** Set if it measures its judge on attempts whose verdict is known. */
  measuresJudge: z.literal(true).optional(),
  /** What the evaluation left out that it judges again, because wordings were written from it; absent if it judges none. */
  seen: z.array(z.string()).readonly().optional(),
  /** The evaluation whose attempts it judges again; absent in evaluations of earlier versions. */
  rejudges: z.string().nullable().default(null),
  /** What test questions found; absent in evaluations of earlier versions. */
  preflight: preflight.default(noPreflight),
  at: z.string(),
});

/** How an evaluation stands. */
export const standing = runStanding.extend({
  progress: evaluationProgress,
  usage,
  judgeUsage: usage,
  /** How often the models of agents broke an attempt. */
  endpointFaults: z.int().default(0),
  rowsWritten: z.number(),
  steps: z.number(),
  /** What the drawn units told at the last look; absent where all units are taken. */
  decision: decision.optional(),
});
export type Standing = z.infer<typeof standing>;

/** The life of an evaluation. */
export type EvaluationLife = RunLifecycle<z.infer<typeof creation>, Standing>;

/** Refuses everyone before the evaluation exists. */
export const refuseUnlessCreated = (life: EvaluationLife): Result<null> => life.callReaderIfExists(() => null);

/** Refuses a reader who may not see single units, their chains or their tools, and anyone before the evaluation exists. */
export function refuseUnlessSeesUnits(life: EvaluationLife, sight: Sight): Result<null> {
  const created = refuseUnlessCreated(life);
  return created.ok ? refuseSplitBeyondSight(sight, life.creation.config.split) : created;
}

/** Reads for those whom nothing refuses it. */
export async function readIfAllowed<T>(allowed: Result<null>, read: () => T | Promise<T>): Promise<Result<T>> {
  return allowed.ok ? ok(await read()) : allowed;
}
