import type { SubmissionTier } from '#core/leaderboards/submissions/state.ts';
import type { Stop } from '#durable-objects/shared/run-lifecycle.ts';

/** What the driver of a submission has to do next. */
export type SubmissionWork =
  | { readonly kind: 'validate'; readonly tier: SubmissionTier }
  | { readonly kind: 'publish' }
  | Stop;
