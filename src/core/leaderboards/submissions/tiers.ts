import type { SubmissionTier } from './state.ts';

/** The differences between the tiers. */
interface TierRules {
  /**
   * The units on which a submission is scored. Private ones can only be tried under our eyes: at the gateway or by our own
   * lanes, which shows their requests to the submitter's agent or to its model's endpoint, and to nobody else.
   */
  readonly split: 'public' | 'all';
  /** Who makes the attempts: our lanes, an agent that claims them, or the submitter before the upload. */
  readonly attempts: 'made-by-us' | 'claimed' | 'uploaded';
  /** Whether it queues until a place is free. A `gateway` agent goes at its own pace. */
  readonly queues: boolean;
}

export const tierRules = {
  service: { split: 'all', attempts: 'made-by-us', queues: true },
  gateway: { split: 'all', attempts: 'claimed', queues: false },
  'self-reported': { split: 'public', attempts: 'uploaded', queues: true },
} as const satisfies Record<SubmissionTier, TierRules>;
