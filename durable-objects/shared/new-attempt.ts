import { z } from 'zod';
import { lease } from '#core/evaluation/lease.ts';
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
  /** How long it is held without a sign of life; null if to its deadline. */
  lease: lease.nullable().default(null),
  at: z.string(),
});
export type NewAttempt = z.infer<typeof newAttempt>;
