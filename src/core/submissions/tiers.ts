import type { SubmissionTier } from './state.ts';

/** How the tiers differ. */
interface TierRules {
  /**
   * The units that a submission is scored on. Private ones are handed out by the gateway alone, one at a time: a model's endpoint belongs to the
   * submitter, and would see all of them as fast as it answers.
   */
  readonly split: 'public' | 'all';
  /** Who makes the attempts: our lanes, an agent that claims them, or the submitter before it uploaded them. */
  readonly attempts: 'made-by-us' | 'claimed' | 'uploaded';
  /** Whether it queues until a place is free. An agent before the gateway goes at its own pace. */
  readonly queues: boolean;
}

export const tierRules = {
  service: { split: 'public', attempts: 'made-by-us', queues: true },
  gateway: { split: 'all', attempts: 'claimed', queues: false },
  'self-reported': { split: 'public', attempts: 'uploaded', queues: true },
} as const satisfies Record<SubmissionTier, TierRules>;
