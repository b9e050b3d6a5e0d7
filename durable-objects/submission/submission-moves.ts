import type { z } from 'zod';
import { mapErr, ok, type Result } from '#core/values/result.ts';
import { agentWithoutOwnKeys } from '#core/evaluation/config.ts';
import type { EvaluationProgress } from '#core/evaluation/progress-record.ts';
import { isOver } from '#core/exploration/runs.ts';
import type { Finding } from '#core/leaderboards/submissions/findings.ts';
import { makeBoardSubmission, makePublication } from '#core/leaderboards/submissions/client-view.ts';
import { makeSubmissionRefusalProblem } from '#core/leaderboards/submissions/problems.ts';
import {
  mayBePublished,
  standingAfterChangeOrRefusal,
  currentStateChangeOrThrow,
  rejectionReasonText,
  submissionStanding,
  suspicionReasonText,
} from '#core/leaderboards/submissions/progress.ts';
import type { SubmissionCreation } from '#core/leaderboards/submissions/record.ts';
import {
  findingsOfTooManyFaults,
  findingsOfTooManyFaultsInSplits,
  hasTooManyFaultsHoweverItEnds,
} from '#core/leaderboards/submissions/rule-findings.ts';
import { moderatorReasonText, needsNoFurtherWork, type SubmissionState } from '#core/leaderboards/submissions/state.ts';
import type { PublishingLeaderboard, ScoringEvaluation } from '#durable-objects/shared/objects.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import { runStanding, type RunLifecycle } from '#durable-objects/shared/run-lifecycle.ts';
import type { Workspace } from '#durable-objects/workspace/workspace.ts';
import type { SubmissionUpload } from './submission-upload.ts';

export const standing = runStanding.extend(submissionStanding.shape);
export type Standing = z.infer<typeof standing>;

/** Long enough for a step that checks a file of many lines. */
export const longestStepMs = 15 * 60_000;

/**
 * What state changes use. The leaderboard and the evaluation are derived from the submission, so they are not available
 * before it exists.
 */
interface Moved {
  readonly life: RunLifecycle<SubmissionCreation, Standing>;
  readonly upload: SubmissionUpload;
  /** The submitter's. */
  readonly workspace: () => RpcOf<Workspace, 'recordPrivateUnitsUnlessGivenElsewhere'>;
  readonly leaderboard: () => PublishingLeaderboard;
  readonly evaluation: () => ScoringEvaluation;
}

/** Moves a submission from state to state, with the effects of each move elsewhere. Idempotent. */
export class SubmissionMoves {
  readonly #moved: Moved;

  constructor(moved: Moved) {
    this.#moved = moved;
  }

  get state(): SubmissionState {
    return currentStateChangeOrThrow(this.#moved.life.standing).state;
  }

  /** Transitions to `state` and records the findings. Refused if that state cannot follow. */
  async changeState(
    state: SubmissionState,
    reason: string,
    findings: readonly Finding[] = this.#moved.life.standing.findings,
  ): Promise<Result<null>> {
    const { life } = this.#moved;
    const moved = standingAfterChangeOrRefusal(
      life.standing,
      { state, at: new Date().toISOString(), reason },
      findings,
    );
    const next = mapErr(moved, makeSubmissionRefusalProblem);
    if (!next.ok) return next;
    life.transaction(() => {
      life.standing = next.value;
      life.emit([{ type: 'submission.changed', state, reason }]);
    });
    if (needsNoFurtherWork(state)) await this.endSettledAndCleanUp();
    else await this.reportStateToLeaderboard();
    return ok(null);
  }

  /** Rejects the submission for a reason that its submitter is told. */
  async reject(reason: string): Promise<void> {
    await this.changeState('rejected', reason);
  }

  /** Rejects a submission that broke rules. */
  async rejectWithFindings(found: readonly Finding[]): Promise<void> {
    await this.changeState('rejected', rejectionReasonText(found), found);
  }

  /**
   * Returns whether units may be tried now, private ones among them. First the workspace remembers the private ones, so that it is not given
   * them again on any leaderboard, and the leaderboard's log says so. Rejects a submission that may not have them, or could not be published
   * anyway. Idempotent.
   */
  async claimPrivateUnitsOrReject(units: readonly string[], progress: EvaluationProgress): Promise<boolean> {
    const { life, workspace: givenTo, leaderboard, evaluation } = this.#moved;
    const isWanted = (): boolean => this.state === 'validating' || this.state === 'scoring';
    if (!isWanted()) return false;
    if (hasTooManyFaultsHoweverItEnds(progress)) {
      await this.rejectWithFindings(
        findingsOfTooManyFaults(progress, await evaluation().scoring.listCommonFaultTexts()),
      );
      return false;
    }
    const { id: submission, workspace, name } = life.creation;
    const at = new Date().toISOString();
    const taken = await givenTo().recordPrivateUnitsUnlessGivenElsewhere(units, submission);
    const handOut = { submission, workspace, name, units: units.length, at };
    const handed = taken.ok ? await leaderboard().recordPrivateUnitsGivenOnce(handOut) : taken;
    if (!handed.ok) await this.reject(handed.problem.detail);
    return handed.ok && isWanted();
  }

  /** Publishes the result of the evaluation, or rejects the submission with the reason. */
  async publishOrReject(): Promise<void> {
    const { life, leaderboard, evaluation } = this.#moved;
    if (!mayBePublished(life.standing)) return;
    const scored = await evaluation().scoring.makeScoredSubmissionIfComplete();
    if (!scored.ok) return this.reject(scored.problem.detail);
    const { figures } = scored.value;
    if (findingsOfTooManyFaultsInSplits(figures, []).length > 0)
      return this.rejectWithFindings(
        findingsOfTooManyFaultsInSplits(figures, await evaluation().scoring.listCommonFaultTexts()),
      );
    const { approved } = life.standing;
    const at = new Date().toISOString();
    const published = await leaderboard().publishUnlessSuspicious(
      makePublication(life.creation, scored.value, approved, at),
    );
    switch (published.kind) {
      case 'refused':
        return this.reject(published.reason);
      case 'suspicious':
        await this.changeState('moderation', suspicionReasonText(published.findings), published.findings);
        return;
      case 'published':
        // If the decision has changed meanwhile, the entry is removed again.
        if (mayBePublished(life.standing))
          await this.changeState('published', approved === null ? 'it kept all rules' : moderatorReasonText(approved));
        else await this.endSettledAndCleanUp();
    }
  }

  /** Ends the run of a settled submission, and everything that it has started elsewhere. */
  async endSettledAndCleanUp(): Promise<void> {
    await this.reportStateToLeaderboard();
    const { life, upload } = this.#moved;
    const { state, reason } = currentStateChangeOrThrow(life.standing);
    if (state === 'withdrawn' || state === 'rejected') await this.#cancelEvaluationAndWithdrawEntry(reason);
    upload.clear();
    this.#removeModelKey();
    if (isOver(life.standing.status)) return life.restartLostDriverOrReportEnd(false, longestStepMs);
    await life.end('completed', `${state}: ${reason}`);
  }

  /** Reports the submission's state to the leaderboard, for its moderators and its queue. */
  async reportStateToLeaderboard(): Promise<void> {
    const { life, leaderboard } = this.#moved;
    await leaderboard().recordSubmissionState(makeBoardSubmission(life.creation, life.standing));
  }

  /** Removes what a crash or a decision in between has left: a running evaluation, a published entry. */
  async #cancelEvaluationAndWithdrawEntry(reason: string): Promise<void> {
    const { life, leaderboard, evaluation } = this.#moved;
    await evaluation().cancel();
    const gone = await leaderboard().withdrawEntry(life.creation.id, reason, new Date().toISOString());
    if (!gone.ok && gone.problem.code !== 'not-found') throw new Error(gone.problem.detail);
  }

  /** The submitter's key was for this run only. */
  #removeModelKey(): void {
    const { life } = this.#moved;
    life.creation = { ...life.creation, agent: agentWithoutOwnKeys(life.creation.agent) };
  }
}
