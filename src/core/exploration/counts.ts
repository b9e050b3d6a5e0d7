import { z } from 'zod';

/** The number of steered, accepted units in which a transition occurred; a unit counts once. */
export const transitionCount = z.object({
  /** Units in which the base agent executed it; the richness estimates use these. */
  executed: z.int(),
  /** Units whose chain expects it. */
  expected: z.int(),
  /** Units in which a value of an earlier result was an argument of the later call; at most `executed`. */
  valuePassed: z.int(),
});
export type TransitionCount = Readonly<z.infer<typeof transitionCount>>;

export const neverSeen: TransitionCount = { executed: 0, expected: 0, valuePassed: 0 };

/** A transition with its counts, by the names of its tools. */
export const transitionRecord = z.object({ from: z.string(), to: z.string(), ...transitionCount.shape });
export type TransitionRecord = z.infer<typeof transitionRecord>;

/** Units committed, each in one of these: a probe is a probe, whatever became of it. */
export const unitCounts = z.object({
  accepted: z.int(),
  /** Waiting for a person. */
  review: z.int(),
  rejected: z.int(),
  lost: z.int(),
  dropped: z.int(),
  probes: z.int(),
});
export type UnitCounts = Readonly<z.infer<typeof unitCounts>>;
