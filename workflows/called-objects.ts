import type { EvaluationRejudging } from '#durable-objects/evaluation/evaluation-rejudging.ts';
import type { EvaluationRun } from '#durable-objects/evaluation/evaluation-run.ts';
import type { EvaluationScoring } from '#durable-objects/evaluation/evaluation-scoring.ts';
import type { ExplorationRun } from '#durable-objects/exploration/exploration-run.ts';
import type { Rounds } from '#durable-objects/exploration/rounds.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import type { Submission } from '#durable-objects/submission/submission.ts';

// The methods of objects that workflows call.

/** Units, whose work is requested and committed stage by stage. */
export type DrivenUnits = RpcOf<Rounds, 'takeUnitWork' | 'commitStage' | 'setUnitAside'>;

/** An exploration, driven round by round. */
export type DrivenRun = RpcOf<ExplorationRun, 'context' | 'rounds' | 'fail'>;

/** An exploration in which a reviewer's decision is carried out. */
export type ReviewedRun = RpcOf<ExplorationRun, 'context' | 'reviews'>;

/** An exploration that an evolution grows. */
export type EvolvedRun = RpcOf<ExplorationRun, 'context' | 'evolutions'>;

export type DrivenEvaluation = RpcOf<
  EvaluationRun,
  'context' | 'listTools' | 'lanes' | 'plans' | 'embedding' | 'rejudging' | 'fail'
>;

/** An evaluation whose attempts another one judges again. */
export type RejudgedEvaluation = { readonly rejudging: RpcOf<EvaluationRejudging, 'listCases'> };

/** The evaluation of a self-reported submission, whose attempts are imported. */
export type ImportingEvaluation = { readonly scoring: RpcOf<EvaluationScoring, 'importLines' | 'judgeImported'> };

export type DrivenSubmission = RpcOf<
  Submission,
  | 'creation'
  | 'takeTurnAndFindWork'
  | 'validateUpload'
  | 'markScoringOrCancelEvaluation'
  | 'reject'
  | 'linesAfter'
  | 'deleteImportedLinesAndContinue'
  | 'publishOrReject'
  | 'fail'
>;
