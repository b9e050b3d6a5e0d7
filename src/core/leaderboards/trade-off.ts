import { ar } from '#core/scoring/ar.ts';
import { execution } from '#core/scoring/execution.ts';
import { uic } from '#core/scoring/uic.ts';
import type { Entry } from './record.ts';

/** How well an entry's calls were planned, and what its answers are worth, both 0..1. */
export interface TradeOff {
  readonly execution: number;
  readonly completion: number;
}

/**
 * Returns execution (the mean of TCS and MTC) against completion (the mean of AR and UIC), or null if one of them is unknown.
 * Source: SGVEF-Loop, figure 6, with the two halves of equation 8.
 */
export function computeExecutionAndCompletion({ scores }: Pick<Entry, 'scores'>): TradeOff | null {
  const planned = scores[execution.key]?.mean ?? null;
  const relevance = scores[ar.key]?.mean ?? null;
  const coverage = scores[uic.key]?.mean ?? null;
  return planned === null || relevance === null || coverage === null
    ? null
    : { execution: planned, completion: (relevance + coverage) / 2 };
}
