import { z } from 'zod';
import { requestName } from '#core/benchmarks/protocols/case-requests.ts';

/** How an attempt was claimed; never changes. */
export const newAttempt = z.object({
  id: z.string(),
  run: z.string(),
  workspace: z.string(),
  /** The workspace where its servers are registered; absent in attempts of earlier versions. */
  serversOf: z.string().optional(),
  unit: z.string(),
  side: requestName,
  /** What a recording calls the attempt. */
  place: z.string(),
  deadline: z.string(),
  callTimeoutMs: z.number(),
  recording: z.enum(['off', 'record', 'replay']),
  recordingId: z.string().nullable(),
  /** Whether it has the turn at servers that attempts share. */
  hasTurn: z.boolean().default(false),
  at: z.string(),
});
export type NewAttempt = z.infer<typeof newAttempt>;
