import { z } from 'zod';
import { argumentOrigin } from './answers.ts';

const requestText = z.string().min(1).max(4_000);

/** New wording from a reviewer. The chain stays; without `arguments` their sources stay too. */
export const edit = z.strictObject({
  source: requestText,
  followUp: requestText,
  arguments: z.array(argumentOrigin).max(200).optional(),
});

export type Edit = z.infer<typeof edit>;

/** A reviewer's decision on a unit of the middle tier. */
export const verdict = z.discriminatedUnion('decision', [
  z.strictObject({ decision: z.literal('approve') }),
  /** The new wording is audited and needs only the passing score, because a person wrote it. */
  z.strictObject({ decision: z.literal('edit'), edit }),
  z.strictObject({ decision: z.literal('reject'), reason: z.string().trim().min(1).max(2_000) }),
]);
export type Verdict = z.infer<typeof verdict>;

/** A verdict with its author and time, and the critic's score at that moment. */
export const decision = z.object({
  verdict,
  /** The id of the key that decided. */
  reviewer: z.string(),
  at: z.string(),
  /** The critic's score of the wording that was decided on, 0..100. */
  score: z.number(),
});
export type Decision = z.infer<typeof decision>;
