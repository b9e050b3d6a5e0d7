import { findExhaustedPartOfBudget } from '../budget.ts';
import type { EvolutionConfig } from './config.ts';
import type { VariantCounts } from './record.ts';

/** The result of a batch: variants started, accepted, and broken by faults. */
export interface BatchYield {
  readonly written: number;
  readonly accepted: number;
  readonly dropped: number;
}

interface Progress {
  readonly kept: number;
  readonly target: number;
  /** Yields of all batches, oldest first. */
  readonly batches: readonly BatchYield[];
  readonly tokens: number;
  readonly costUsd: number;
  readonly wallMs: number;
  /** Calls of its variants that may have changed a server's state. */
  readonly writes: number;
}

/** Batches over which the yield is computed, because a single one may be an outlier. */
const yieldBatches = 2;

/** Returns why an evolution ends after a batch; null while it continues. */
export function evolutionEndReasonOrNull({ minYield, budget }: EvolutionConfig, progress: Progress): string | null {
  const { kept, target, batches } = progress;
  if (kept >= target) return 'target reached';
  const part = findExhaustedPartOfBudget(budget, { ...progress, batches: batches.length });
  if (part !== null) return `budget: ${part} used up`;
  const last = batches.slice(-yieldBatches);
  if (last.length < yieldBatches) return null;
  const accepted = last.reduce((sum, batch) => sum + batch.accepted, 0);
  // What a fault broke says nothing about the seeds. But if faults break everything, continuing is useless.
  const written = last.reduce((sum, batch) => sum + batch.written - batch.dropped, 0);
  if (written === 0) return `faults broke all variants of the last ${yieldBatches} batches`;
  return accepted / written < minYield ? `yield: ${accepted} of the last ${written} variants were accepted` : null;
}

export const noVariants: VariantCounts = { accepted: 0, review: 0, rejected: 0, lost: 0, dropped: 0, duplicate: 0 };
