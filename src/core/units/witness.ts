import { z } from 'zod';
import type { Call } from '#core/traces/transitions.ts';

/** The longest chain of a unit. */
const mostSteps = 20;
/** Steps of a chain, counted from 1. */
export const chainSteps = z.array(z.int().min(1).max(mostSteps)).max(mostSteps);

/**
 * Which steps of a unit's chain, counted from 1, have been carried out: those whose tool succeeded when the base agent
 * executed the request of that side. Other calls of the agent and the order of its calls do not matter.
 */
export const witness = z.strictObject({ source: chainSteps, followUp: chainSteps });
export type Witness = z.infer<typeof witness>;

/**
 * How much of a chain is witnessed. `full`: each step in at least one of the two attempts, `none`: no step in either,
 * `partial`: anything between, `unknown`: the unit has no witness, because an earlier release executed it.
 */
export const witnessExtents = ['full', 'partial', 'none', 'unknown'] as const;
export type WitnessExtent = (typeof witnessExtents)[number];

/**
 * Returns the witness of a chain from the calls of both attempts. If the chain names a tool several times, its n-th
 * step with that tool needs n successes of the tool in one attempt.
 */
export const makeWitness = (
  chain: readonly string[],
  calls: { readonly source: readonly Call[]; readonly followUp: readonly Call[] },
): Witness => ({ source: witnessedSteps(chain, calls.source), followUp: witnessedSteps(chain, calls.followUp) });

function witnessedSteps(chain: readonly string[], calls: readonly Call[]): number[] {
  const unused = new Map<string, number>();
  for (const { tool, ok } of calls) if (ok) unused.set(tool, (unused.get(tool) ?? 0) + 1);
  return chain.flatMap((tool, index) => {
    const left = unused.get(tool) ?? 0;
    unused.set(tool, left - 1);
    return left > 0 ? [index + 1] : [];
  });
}

/** Returns how much of a chain is witnessed. */
export function witnessExtent(chain: readonly string[], known: Witness | null | undefined): WitnessExtent {
  if (known === null || known === undefined) return 'unknown';
  const missing = unwitnessedSteps(chain, known).length;
  if (missing === 0) return 'full';
  return missing === chain.length ? 'none' : 'partial';
}

/** Returns the steps, counted from 1, that neither attempt has carried out. */
export function unwitnessedSteps(chain: readonly string[], { source, followUp }: Witness): number[] {
  const carriedOut = new Set([...source, ...followUp]);
  return chain.map((_, index) => index + 1).filter((step) => !carriedOut.has(step));
}

/**
 * Returns the steps, counted from 1, that neither attempt has carried out although their tool has a success elsewhere in
 * the exploration: the tool works, so the unit may only have been too hard for the base agent.
 */
export const unwitnessedStepsProvenElsewhere = (
  chain: readonly string[],
  known: Witness | null,
  hasSuccess: (tool: string) => boolean,
): number[] =>
  unwitnessedSteps(chain, known ?? { source: [], followUp: [] }).filter((step) => hasSuccess(chain[step - 1] ?? ''));

/**
 * Returns whether each step of a unit's chain is known to work: it was carried out in one attempt or the other, or its
 * tool has a success elsewhere in the exploration. A negative unit has no step to prove; of another one without a chain
 * nothing is known.
 */
export function isEveryStepProven({ chain, witness: known, provenElsewhere = [], looksLike }: Provable): boolean {
  if (looksLike !== undefined) return true;
  if (chain.length === 0) return false;
  const proven = new Set([...(known?.source ?? []), ...(known?.followUp ?? []), ...provenElsewhere]);
  return chain.every((_, index) => proven.has(index + 1));
}

/** A unit of a benchmark, as far as it matters to whether it is proven. */
export interface Provable {
  readonly chain: readonly string[];
  readonly witness?: Witness | null | undefined;
  readonly provenElsewhere?: readonly number[] | undefined;
  /** Set for a negative unit. */
  readonly looksLike?: string | undefined;
}
