import type { ModelCall } from '#core/models/model-call.ts';
import type { EmbedderCalibration } from '#core/similarity/calibrate-embedder.ts';
import type { Comparison } from '#core/units/near-duplicate.ts';
import type { UnitShard, VariantPhase } from '#core/units/shards.ts';

/** A unit that must be compared with the kept ones. */
export interface Comparable {
  readonly unit: string;
  readonly text: string;
}

/** What to drive next: a part of the explored units to compare, or the current phase of a batch. An instance that an earlier
 * release began may hold a `survey`, which is the same as `compare-explored`. */
export type EvolutionTurn =
  | { readonly kind: 'compare-explored' | 'survey' }
  | {
      readonly kind: 'shards';
      readonly batch: number;
      readonly phase: VariantPhase;
      readonly shards: readonly UnitShard[];
    }
  /**
   * All variants of the batch are written and must be compared, or all of them are done and the batch can be committed.
   */
  | { readonly kind: 'compare' | 'complete'; readonly batch: number };

/** A part of the explored units that are compared with each other. `to` is its last unit; null for the last part. */
export interface ExploredPart {
  readonly kind: 'part';
  readonly units: readonly Comparable[];
  readonly to: string | null;
}

/** Units that must be compared with the kept ones. */
export interface ToCompare {
  readonly kind: 'compare';
  readonly units: readonly Comparable[];
}

/** The neighbours of some units: `comparisons` by unit, or why there are none that could be relied on. */
export interface Compared {
  readonly comparisons: readonly Comparison[];
  /** That of the embedder whose vectors were compared; absent if it is unknown. */
  readonly calibration?: EmbedderCalibration;
  readonly fault: { readonly code: string; readonly detail: string } | null;
  readonly calls: readonly ModelCall[];
}
