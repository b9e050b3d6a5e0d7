import { z } from 'zod';

/** For how long an attempt is held for a client that gives no sign of life. */
export const lease = z.object({
  /** In milliseconds. */
  ms: z.int().positive(),
  /** Calls are signs of life of any client. A heartbeat is one only of a client that is trusted to work. */
  renewedBy: z.enum(['calls', 'calls-and-heartbeats']),
});
export type Lease = z.infer<typeof lease>;

/** Holds the attempt of a worker that has promised heartbeats, of which two may be lost. */
export const workerLease: Lease = { ms: 45_000, renewedBy: 'calls-and-heartbeats' };

/** How often a worker that has promised heartbeats gives one, in milliseconds. */
export const heartbeatEveryMs = (leaseMs: number): number => leaseMs / 3;

/** Holds an attempt that another workspace makes on servers that are used one at a time: who has them has to work. */
export const strangerLease: Lease = { ms: 120_000, renewedBy: 'calls' };

/** The longest that somebody may hold an attempt of a leaderboard whose owner says nothing else. */
export const defaultClaimMs = 600_000;

/** An alarm that rings later than this says that the service was down: clients could give no sign of life. */
const latenessMs = 5_000;

/** Repeated signs of life within this time are not stored. */
const renewalMs = 2_000;

/** What has to be done about an attempt when its alarm rings. */
export type AlarmAction =
  | { readonly kind: 'expire' }
  | { readonly kind: 'take-back' }
  | { readonly kind: 'hold'; readonly untilMs: number };

/**
 * Returns what to do when the alarm of an attempt rings. `leasedUntilMs` is null if it has no lease; `isBusy` says whether a call
 * of its agent is under way, or its end.
 */
export function chooseAlarmAction({
  nowMs,
  deadlineMs,
  leaseMs,
  leasedUntilMs,
  isBusy,
}: {
  readonly nowMs: number;
  readonly deadlineMs: number;
  readonly leaseMs: number;
  readonly leasedUntilMs: number | null;
  readonly isBusy: boolean;
}): AlarmAction {
  if (leasedUntilMs === null || nowMs >= deadlineMs) return { kind: 'expire' };
  if (isBusy || nowMs > leasedUntilMs + latenessMs) return { kind: 'hold', untilMs: nowMs + leaseMs };
  return nowMs >= leasedUntilMs ? { kind: 'take-back' } : { kind: 'hold', untilMs: leasedUntilMs };
}

/** Returns until when a sign of life extends a lease; null if that is hardly later than before. */
export const renewedUntilMs = ({ ms }: Lease, leasedUntilMs: number, nowMs: number): number | null =>
  nowMs + ms - leasedUntilMs < renewalMs ? null : nowMs + ms;
