import { z } from 'zod';

export const runKind = z.enum(['exploration', 'evaluation', 'evolution', 'submission']);
export type RunKind = z.infer<typeof runKind>;

/** What must be woken after a restart: runs, and the units of an exploration that a reviewer approved or edited. */
export const wakeKind = z.enum([...runKind.options, 'reviewed-units']);
export type WakeKind = z.infer<typeof wakeKind>;

/** A run that has not ended. */
export interface OpenRun {
  readonly id: string;
  readonly kind: WakeKind;
}

/** `running` until it is paused or over; the last three are final. */
export const runStatus = z.enum(['running', 'paused', 'completed', 'cancelled', 'failed']);
export type RunStatus = z.infer<typeof runStatus>;

/** How a run ended by itself, and why. */
export interface RunEnd {
  readonly status: 'completed' | 'failed';
  readonly reason: string;
}

export const isOver = (status: RunStatus): boolean =>
  status === 'completed' || status === 'cancelled' || status === 'failed';

/** Uploaded or prepared data of a run that is never created is deleted after this time. */
export const abandonedMs = 60 * 60_000;
