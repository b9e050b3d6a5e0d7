import type { Call, Transition } from '#core/traces/transitions.ts';
import type { UnitStatus } from '#core/units/unit.ts';

/** How one unit of a round ended, with everything that the exploration learns from it. */
export interface UnitOutcome {
  readonly unit: string;
  /** Whether it was a probe: drawn and written without feedback, and kept out of it. */
  readonly probe: boolean;
  readonly status: Exclude<UnitStatus, 'duplicate'>;
  /** The candidate tools of each of its draws; empty if nothing is drawn (`gve`). */
  readonly draws: readonly (readonly string[])[];
  /** The expected chain; empty if none was written. */
  readonly chain: readonly string[];
  /** What the base agent did with each request, calls in order of issue; empty if it did not run. */
  readonly traces: readonly { readonly calls: readonly Call[] }[];
  /** Transitions in which a value passed, in either trace. */
  readonly valuePassed: readonly Transition[];
  /** Servers that gave no answer to a call, or could not be reached. */
  readonly faults: readonly { readonly server: string }[];
}
