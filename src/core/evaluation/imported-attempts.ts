import { z } from 'zod';
import { trace } from '#core/traces/trace.ts';
import { maxResponseChars } from './claim.ts';
import { attemptPlace } from './labels.ts';

/** Attempts of an evaluation's uploaded agents, made elsewhere. */
export const importedAttempts = z.strictObject({
  attempts: z
    .array(
      z.strictObject({
        ...attemptPlace.shape,
        trace: trace
          .extend({ finalText: z.string().max(maxResponseChars) })
          .refine(({ end, fault }) => (end === 'fault') === (fault !== null), {
            path: ['fault'],
            message: 'an attempt that ended with a fault, and no other, has one',
          }),
      }),
    )
    .max(200),
  /** Set with the last attempts, or after them: attempts that are not here are not evaluated, and judges begin. */
  complete: z.boolean().default(false),
});
export type ImportedAttempts = z.infer<typeof importedAttempts>;

/** What became of imported attempts. */
export const importedCounts = z.object({
  stored: z.int(),
  /** Attempts that were here already. They stay as they were. */
  unchanged: z.int(),
  /** Attempts that were ended without a trace because no more are imported. */
  missing: z.int(),
  /** Whether cases still wait for attempts. After `complete`, call again with it, and with no attempts, until there are none. */
  waiting: z.boolean(),
});
export type ImportedCounts = z.infer<typeof importedCounts>;
