import type { EvolutionConfig } from './config.ts';
import type { VariantCounts } from './record.ts';

/** What a batch came to: variants written, and those of them that were accepted. */
export interface BatchYield {
  readonly written: number;
  readonly accepted: number;
}

interface Progress {
  readonly kept: number;
  readonly target: number;
  /** Of all batches, oldest first. */
  readonly batches: readonly BatchYield[];
  readonly tokens: number;
  readonly costUsd: number;
  readonly wallMs: number;
}

/** Batches over which the yield is taken: one alone may be bad luck. */
const yieldBatches = 2;

/** Why an evolution ends after a batch; null while it goes on. */
export function evolutionEnd({ minYield, budget }: EvolutionConfig, progress: Progress): string | null {
  const { kept, target, batches } = progress;
  if (kept >= target) return 'target reached';
  const spent = { ...progress, batches: batches.length };
  const part = (['batches', 'tokens', 'costUsd', 'wallMs'] as const).find(
    (each) => spent[each] >= (budget[each] ?? Infinity),
  );
  if (part !== undefined) return `budget: ${part} used up`;
  const last = batches.slice(-yieldBatches);
  const written = last.reduce((sum, batch) => sum + batch.written, 0);
  const accepted = last.reduce((sum, batch) => sum + batch.accepted, 0);
  const poor = last.length === yieldBatches && written > 0 && accepted / written < minYield;
  return poor ? `yield: ${accepted} of the last ${written} variants were accepted` : null;
}

export const noVariants: VariantCounts = { accepted: 0, review: 0, rejected: 0, lost: 0, dropped: 0, duplicate: 0 };
