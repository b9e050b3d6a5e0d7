import type { ServerConnection } from '#core/catalog/server.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { Disturbing } from '#core/evaluation/disturbing.ts';
import type { AttemptResult } from '#core/evaluation/case.ts';
import type { AttemptEnd, ClaimAnswer, GivenBack } from '#core/evaluation/claim.ts';
import type { Overlay } from '#core/evaluation/overlay/overlay.ts';
import type { EvaluationProgress } from '#core/evaluation/progress-record.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import type { WakeKind } from '#core/exploration/runs.ts';
import type { BoardSubmission, LeaderboardCreation } from '#core/leaderboards/record.ts';
import type { PrivateHandOut, Publication, Published, ScoredSubmission } from '#core/leaderboards/scored-submission.ts';
import type { TraceHeader, TraceLine } from '#core/leaderboards/submissions/trace-file.ts';
import type { StoredModel } from '#core/models/choices.ts';
import type { InfrastructureFault } from '#core/models/faults.ts';
import type { Usage } from '#core/models/usage.ts';
import type { Result } from '#core/values/result.ts';
import type { NewAttempt } from './new-attempt.ts';

// What objects call on each other, so that no class has to know another one that knows it. Each class says that it answers its interfaces.

/** What a model needs that plays the user of an attempt. */
export interface AttemptUserBasis {
  readonly judge: StoredModel;
  readonly request: string;
  /** The evaluation's seed. */
  readonly seed: number;
}

/** Everything that the recording gateway needs for an attempt. */
export interface AttemptBasis {
  readonly servers: readonly ServerConnection[];
  readonly tools: readonly Tool[];
  /** What the agent reads in place of what the servers say; absent if it reads that. */
  readonly overlay?: Overlay | undefined;
  /** What decides how it is disturbed, if it is. */
  readonly weather: {
    readonly seed: number;
    readonly trial: number;
    readonly chain: readonly string[];
    readonly payloads: Disturbing['payloads'];
  };
  /** What a model needs that plays the user; null if what servers ask is declined. */
  readonly user: AttemptUserBasis | null;
}

/** An attempt that a client claimed of an evaluation. */
export interface ClaimedAttempt {
  openAttemptOrRestoreAlarm(attempt: NewAttempt): Promise<void>;
  endAsEvaluationIsOver(): Promise<void>;
}

/** The evaluation of an attempt. */
export interface AttemptedEvaluation {
  readonly claims: {
    getToolsAndServers(attempt: string): Promise<AttemptBasis>;
    acceptAttemptResultOnce(attempt: string, result: AttemptResult, sha256: string): Promise<Result<AttemptEnd>>;
    findAttemptEndByDigest(attempt: string, sha256: string): Promise<AttemptEnd | null>;
    expireClaim(attempt: string, result: AttemptResult): Promise<void>;
    giveBackClaim(attempt: string, result: AttemptResult): Promise<GivenBack>;
    recordTokenlessRequest(attempt: string): Promise<void>;
  };
  readonly models: {
    admitRequest(attempt: string, asked: AskedModel): Promise<Result<StoredModel>>;
    noteRefusal(attempt: string, fault: InfrastructureFault): Promise<void>;
  };
}

/** What an attempt wants to ask its agent's model, and what it has asked so far. */
export interface AskedModel {
  readonly model: string;
  readonly spent: Usage;
  /** Whether the endpoint answered the latest request. */
  readonly isAnswered: boolean;
}

/** The submission that an evaluation scores. */
export interface EvaluatedSubmission {
  recordProgressOrReject(progress: EvaluationProgress): Promise<void>;
  continueAfterEvaluation(): Promise<void>;
  takePrivateUnitsOrReject(units: readonly string[], progress: EvaluationProgress): Promise<boolean>;
}

/** The evaluation that scores a submission. */
export interface ScoringEvaluation {
  get(): Promise<Result<EvaluationRecord>>;
  cancel(): Promise<Result<EvaluationRecord>>;
  readonly claims: {
    claimAttempt(
      request: { agent: string; attempt: string; key: string | null },
      sight: 'everything',
    ): Promise<Result<ClaimAnswer>>;
  };
  readonly scoring: {
    makeScoredSubmissionIfComplete(): Promise<Result<ScoredSubmission>>;
    listCommonFaultTexts(): Promise<string[]>;
    traceHeader(agent: string, sight: 'everything'): Promise<Result<TraceHeader>>;
    listPublicLines(
      agent: string,
      after: Pick<TraceLine, 'unit' | 'trial'> | null,
      sight: 'everything',
    ): Promise<Result<TraceLine[]>>;
  };
}

/** The leaderboard of a submission. */
export interface PublishingLeaderboard {
  creation(): Promise<Result<LeaderboardCreation>>;
  recordPrivateUnitsGivenOnce(handOut: PrivateHandOut): Promise<Result<null>>;
  publishUnlessSuspicious(publication: Publication): Promise<Published>;
  hideEntry(id: string, reason: string, at: string): Promise<Result<null>>;
  showEntry(id: string, reason: string, at: string): Promise<Result<null>>;
  withdrawEntry(id: string, reason: string, at: string): Promise<Result<null>>;
  admitIfFree(id: string): Promise<boolean>;
  recordSubmissionState(submission: BoardSubmission & { readonly workspace: string }): Promise<void>;
}

/** A submission that waits for its turn on a leaderboard. */
export interface QueuedSubmission {
  startIfAdmitted(): Promise<void>;
}

/** The list of unended runs, which can be woken. */
export interface OpenRuns {
  addRun(id: string, kind: WakeKind, workspace: string): Promise<void>;
  removeRun(id: string): Promise<void>;
}
