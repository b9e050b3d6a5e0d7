import type { BoardSubmission } from '#core/leaderboards/record.ts';
import type { Publication, ScoredSubmission } from '#core/leaderboards/scored.ts';
import { presentOf, type SubmissionStanding } from './progress.ts';
import type { SubmissionCreation, SubmissionRecord } from './record.ts';

/** A submission as its submitter and the leaderboard's moderators see it. */
export function recordOf(creation: SubmissionCreation, standing: SubmissionStanding): SubmissionRecord {
  const { id, leaderboard, benchmark, name, tier, trials, at } = creation;
  const { history, findings, progress } = standing;
  const { state, reason } = presentOf(standing);
  return { id, leaderboard, benchmark, name, tier, trials, state, reason, history, findings, progress, createdAt: at };
}

/** A submission as its leaderboard lists it, with the submitter's workspace. */
export const boardSubmissionOf = (
  { id, workspace, name, tier, at }: SubmissionCreation,
  standing: SubmissionStanding,
): BoardSubmission & { readonly workspace: string } => ({
  id,
  workspace,
  name,
  tier,
  state: presentOf(standing).state,
  createdAt: at,
});

/** What is published of a submission; `approved` is why a moderator decided so, null where none did. */
export const publicationOf = (
  { id, workspace, name, tier, at: submittedAt }: SubmissionCreation,
  scored: ScoredSubmission,
  approved: string | null,
  at: string,
): Publication => ({ submission: id, workspace, name, tier, submittedAt, scored, approved, at });
