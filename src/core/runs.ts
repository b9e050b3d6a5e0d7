import { z } from 'zod';

export const runKind = z.enum(['exploration', 'evaluation']);
export type RunKind = z.infer<typeof runKind>;

/** `running` until it is paused or over; the last three are final. */
export const runStatus = z.enum(['running', 'paused', 'completed', 'cancelled', 'failed']);
export type RunStatus = z.infer<typeof runStatus>;

export const isOver = (status: RunStatus): boolean =>
  status === 'completed' || status === 'cancelled' || status === 'failed';
