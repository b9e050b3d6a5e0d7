import { z } from 'zod';
import { sharableRun, shareDays } from './shared-run.ts';

/** Which run to show, and for how many days. */
export const newShare = z.strictObject({ run: sharableRun, days: shareDays.default(7) });

/** A link that shows a run; its token opens the API, and its address the pages. */
export const shareRecord = z.object({ run: z.string(), token: z.string(), url: z.string(), endsAt: z.string() });
export type ShareRecord = z.infer<typeof shareRecord>;
