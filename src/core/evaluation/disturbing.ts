import { z } from 'zod';
import { disturbanceKey } from '#core/traces/disturbances/disturbances.ts';
import { payloadFile } from '#core/traces/disturbances/payload.ts';

/** How attempts are disturbed under the protocols `resilience` and `attack`; without it by all kinds, with the shipped payloads. */
export const disturbing = z.strictObject({
  /** The kinds, each once. */
  kinds: z
    .array(disturbanceKey)
    .min(1)
    .refine((kinds) => new Set(kinds).size === kinds.length, 'each kind once')
    .optional(),
  /** The texts that attacks plant, in place of the shipped ones. */
  payloads: payloadFile.optional(),
});
export type Disturbing = z.infer<typeof disturbing>;
