import type { EvaluationRun } from '#durable-objects/evaluation/evaluation-run.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';

/** The calls of an attempt to its evaluation. */
export type AttemptedEvaluation = RpcOf<
  EvaluationRun,
  | 'getAttemptToolsAndServers'
  | 'endAttempt'
  | 'findAttemptEndByDigest'
  | 'expireClaim'
  | 'giveBackClaim'
  | 'recordTokenlessRequest'
>;
