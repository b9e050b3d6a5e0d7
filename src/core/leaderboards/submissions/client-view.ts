import type { BoardSubmission } from '../record.ts';
import type { Publication, ScoredSubmission } from '../scored-submission.ts';
import { currentStateChangeOrThrow, type SubmissionStanding } from './progress.ts';
import type { SubmissionCreation, SubmissionRecord } from './record.ts';

/** Returns a submission as its submitter and the leaderboard's moderators see it. */
export function makeSubmissionRecord(creation: SubmissionCreation, standing: SubmissionStanding): SubmissionRecord {
  const { id, leaderboard, benchmark, name, tier, trials, at } = creation;
  const { history, findings, progress } = standing;
  const { state, reason } = currentStateChangeOrThrow(standing);
  return { id, leaderboard, benchmark, name, tier, trials, state, reason, history, findings, progress, createdAt: at };
}

/** Returns a submission as its leaderboard lists it, with the submitter's workspace. */
export const makeBoardSubmission = (
  { id, workspace, name, tier, at }: SubmissionCreation,
  standing: SubmissionStanding,
): BoardSubmission & { readonly workspace: string } => ({
  id,
  workspace,
  name,
  tier,
  state: currentStateChangeOrThrow(standing).state,
  createdAt: at,
});

/** Returns what is published of a submission; `approved` is a moderator's reason, or null. */
export const makePublication = (
  { id, workspace, name, tier, at: submittedAt }: SubmissionCreation,
  scored: ScoredSubmission,
  approved: string | null,
  at: string,
): Publication => ({ submission: id, workspace, name, tier, submittedAt, scored, approved, at });
