import { z } from 'zod';
import { err, ok, type Result } from '#core/values/result.ts';
import { waitBeforeNextClaimMs, type ClaimAnswer } from '#core/evaluation/claim.ts';
import { evaluationProgress, type EvaluationProgress } from '#core/evaluation/progress-record.ts';
import { finding, type Finding } from './findings.ts';
import type { Moderation } from './record.ts';
import { hasTooManyFaultsHoweverItEnds } from './rule-findings.ts';
import {
  needsNoFurtherWork,
  historyWithChangeOrRefusal,
  stateChange,
  type SubmissionRefusal,
  type StateChange,
  type SubmissionState,
  type SubmissionTier,
} from './state.ts';
import { tierRules } from './tiers.ts';

/**
 * A submission as a pure state machine. `state.ts` says which state may follow which; this file says what each event
 * leads to. Decisions that begin with `ask` or `take` name a question that only the evaluation or the leaderboard can
 * answer.
 */

/** What a submission stores about its state. */
export const submissionStanding = z.object({
  /** Its states so far, oldest first; never empty. */
  history: z.array(stateChange),
  findings: z.array(finding),
  /** The progress of the attempts; null before there are any. */
  progress: evaluationProgress.nullable(),
  /** A moderator's reason to publish it in spite of findings; null without one. */
  approved: z.string().nullable(),
  /** When the number of attempts last grew, and that number. */
  seen: z.object({ at: z.string(), made: z.int() }),
});
export type SubmissionStanding = z.infer<typeof submissionStanding>;

/** Lost drivers after which the submission is given up. */
export const mostDrivers = 40;
/** A `gateway` submission that nobody works on is given up after this time. */
export const idleMs = 7 * 24 * 60 * 60_000;
/** Maximum number of stored findings. */
export const mostFindings = 20;

export const makeStandingOfNewSubmission = (at: string): SubmissionStanding => ({
  history: [{ state: 'queued', at, reason: 'it was received' }],
  findings: [],
  progress: null,
  approved: null,
  seen: { at, made: 0 },
});

/** Returns the current state, with time and reason. */
export function currentStateChangeOrThrow({ history }: Pick<SubmissionStanding, 'history'>): StateChange {
  const last = history.at(-1);
  if (last === undefined) throw new Error('a submission has a state');
  return last;
}

/** Returns the standing after one more move, with its findings. Refused if that state cannot follow. */
export function standingAfterChangeOrRefusal<T extends SubmissionStanding>(
  now: T,
  change: StateChange,
  findings: readonly Finding[] = now.findings,
): Result<T, SubmissionRefusal> {
  const history = historyWithChangeOrRefusal(now.history, change);
  return history.ok ? ok({ ...now, history: history.value, findings: findings.slice(0, mostFindings) }) : history;
}

export const isWaitingForModerator = (now: SubmissionStanding): boolean =>
  currentStateChangeOrThrow(now).state === 'moderation' && now.approved === null;

/** Returns whether its evaluation may be published, because nobody has decided otherwise. */
export const mayBePublished = (now: SubmissionStanding): boolean => {
  const { state } = currentStateChangeOrThrow(now);
  return state === 'scoring' || (state === 'moderation' && now.approved !== null);
};

/** The driver's next action. `validate` includes creating the evaluation; `publish` needs one that is over. */
export type NextWork = 'take-turn' | 'validate' | 'ask-evaluation' | 'publish' | 'nothing';

/** Decides what a driver does next. Remaining lines were not all passed to the evaluation. */
export function decideNextWork(now: SubmissionStanding, hasLines: boolean): NextWork {
  const { state } = currentStateChangeOrThrow(now);
  switch (state) {
    case 'queued':
      return 'take-turn';
    case 'validating':
      return 'validate';
    case 'scoring':
      return hasLines ? 'validate' : 'ask-evaluation';
    case 'moderation':
      return now.approved === null ? 'nothing' : 'publish';
    default:
      return 'nothing';
  }
}

/** Returns whether its upload must still be checked against the rules. */
export const hasUncheckedUpload = (now: SubmissionStanding, tier: SubmissionTier): boolean =>
  tierRules[tier].attempts === 'uploaded' && currentStateChangeOrThrow(now).state === 'validating';

/** What the sweep does with a submission that does not progress by itself. */
export type SweepAction = 'settle' | 'rest' | 'advance' | 'give-up' | 'ask-evaluation' | 'drive';

/** Decides what the sweep does, so that no submission gets stuck silently. */
export function chooseSweepAction(
  now: SubmissionStanding,
  { driver, hasLines }: { readonly driver: number; readonly hasLines: boolean },
): SweepAction {
  const { state } = currentStateChangeOrThrow(now);
  if (needsNoFurtherWork(state)) return 'settle';
  if (isWaitingForModerator(now)) return 'rest';
  if (state === 'queued') return 'advance';
  if (driver >= mostDrivers) return 'give-up';
  return state === 'scoring' && !hasLines ? 'ask-evaluation' : 'drive';
}

/** Decides what happens to a running evaluation with this number of attempts. */
export function chooseEvaluationSweepAction(
  { seen }: SubmissionStanding,
  tier: SubmissionTier,
  made: number,
  nowMs: number,
): 'note' | 'give-up' | 'leave' {
  if (made !== seen.made) return 'note';
  const isIdle = nowMs - Date.parse(seen.at) > idleMs;
  return isIdle && tierRules[tier].attempts === 'claimed' ? 'give-up' : 'leave';
}

/**
 * Decides what its evaluation's progress leads to. A submission that can no longer be published ends, because further
 * attempts would cost money in vain.
 */
export function decideProgressEffect(
  state: SubmissionState,
  progress: EvaluationProgress,
): 'ignore' | 'note' | 'reject' {
  if (state !== 'scoring') return 'ignore';
  return hasTooManyFaultsHoweverItEnds(progress) ? 'reject' : 'note';
}

/** What a moderator's decision leads to. `move-entry` names the leaderboard's method that comes first. */
export type ModerationStep =
  | { readonly kind: 'approve' }
  | { readonly kind: 'move'; readonly to: SubmissionState }
  | { readonly kind: 'move-entry'; readonly call: 'hideEntry' | 'showEntry'; readonly to: SubmissionState };

/** The state to which each moderator's decision applies, and its result. */
const decisions = {
  publish: { about: 'moderation', step: { kind: 'approve' } },
  reject: { about: 'moderation', step: { kind: 'move', to: 'rejected' } },
  hide: { about: 'published', step: { kind: 'move-entry', call: 'hideEntry', to: 'hidden' } },
  show: { about: 'hidden', step: { kind: 'move-entry', call: 'showEntry', to: 'published' } },
} as const satisfies Record<Moderation['action'], { readonly about: SubmissionState; readonly step: ModerationStep }>;

export function moderationStepOrRefusal(
  now: SubmissionStanding,
  action: Moderation['action'],
): Result<ModerationStep, SubmissionRefusal> {
  const present = currentStateChangeOrThrow(now);
  const { about, step } = decisions[action];
  return present.state === about ? ok(step) : err({ reason: 'not-in-state', present, state: about });
}

/** Answers a claim that does not need the evaluation; null if the evaluation must answer. */
export function claimAnswerByStateOrRefusal(
  now: SubmissionStanding,
  tier: SubmissionTier,
  nowMs: number,
): Result<ClaimAnswer | null, SubmissionRefusal> {
  if (tierRules[tier].attempts !== 'claimed') return err({ reason: 'no-attempts-to-claim', tier });
  const { state, at } = currentStateChangeOrThrow(now);
  if (state === 'queued' || state === 'validating')
    return ok({ kind: 'wait', retryAfterMs: waitBeforeNextClaimMs(nowMs - Date.parse(at)) });
  return ok(state === 'scoring' ? null : { kind: 'finished' });
}

/** Returns the reason for rejecting a submission that broke rules: the first of them, and the number of others. */
export function rejectionReasonText(found: readonly Finding[]): string {
  const [first] = found;
  const more = found.length > 1 ? ` (and ${found.length - 1} more findings)` : '';
  return first === undefined ? 'it breaks a rule' : `${first.where}: ${first.message}${more}`;
}

/** Returns the reason for waiting for a moderator. */
export const suspicionReasonText = (found: readonly Finding[]): string =>
  found.map(({ message, where }) => `${message} (${where})`).join('; ');
