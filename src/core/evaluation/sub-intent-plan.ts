import { z } from 'zod';
import { unscoredReasons } from '#core/scoring/score.ts';

/** The sub-intents of a unit's requests, planned once for all agents; or why there is no plan. */
export const subIntentPlan = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.array(z.string()) }),
  z.object({ ok: z.literal(false), reason: z.enum(unscoredReasons) }),
]);
export type SubIntentPlan = z.infer<typeof subIntentPlan>;
