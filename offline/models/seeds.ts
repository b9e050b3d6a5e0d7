import type { Step } from './chaining.ts';
import { mergeStepsOfRequests } from './merged-steps.ts';
import { readStepsFromRequest } from './recovery.ts';
import type { KnownTool } from './tools.ts';

/** A unit that a variant is written from. */
export interface Seed {
  readonly source: string;
  readonly followUp: string;
  /** The tools of its chain. */
  readonly order: readonly KnownTool[];
  /** Its steps as its requests state them; null if they do not state all of them. */
  readonly steps: readonly Step[] | null;
}

/** Reads a seed from its requests; null if a tool of its chain is not available. */
export const readSeedUnitFromRequestsOrNull = (
  { source, followUp, chain }: { source: string; followUp: string; chain: readonly string[] },
  tools: readonly KnownTool[],
): Seed | null => {
  const order = chain.flatMap((name) => tools.find((tool) => tool.name === name) ?? []);
  if (order.length !== chain.length || order.length === 0) return null;
  const steps = mergeStepsOfRequests(
    chain,
    order,
    readStepsFromRequest(source, order),
    readStepsFromRequest(followUp, order),
  );
  return { source, followUp, order, steps: steps.length === order.length ? steps : null };
};
