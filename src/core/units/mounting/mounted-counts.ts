import { z } from 'zod';
import { mounting, type Mounting } from './mounting.ts';
import { chooseMountedServersOrTools, sumToolsAndTokens, type MountingInput } from './mounted-tools.ts';

/** How much a mounting shows in one unit. */
export interface MountedCounts {
  readonly tools: number;
  readonly schemaTokens: number;
  /** Whether the unit's own servers did not fit into the budget, so that some of their tools are left out. */
  readonly isCut: boolean;
}

/** Counts the tools that a mounting shows in a unit, and the tokens of their definitions. */
export function countToolsAndTokensMountedInUnit(input: MountingInput): MountedCounts {
  const chosen = chooseMountedServersOrTools(input);
  const { size, schemaTokens } = sumToolsAndTokens(chosen.isCut ? chosen.tools : chosen.servers);
  return { tools: size, schemaTokens, isCut: chosen.isCut };
}

const spread = z.object({ mean: z.number(), least: z.int(), most: z.int() }).meta({ id: 'Spread' });
type Spread = z.infer<typeof spread>;

/** Which tools an agent saw, and how many of them over the units. */
export const mountedSummary = z
  .object({
    mounting,
    tools: spread,
    /** Tokens of the tools' definitions, as estimated. */
    schemaTokens: spread,
    /** Units whose own servers did not fit into the budget, so that some of their tools were left out. */
    cutUnits: z.int(),
  })
  .meta({ id: 'MountedSummary' });
export type MountedSummary = z.infer<typeof mountedSummary>;

/** Summarises what a mounting shows over units. */
export function summariseMountedOverUnits(chosen: Mounting, units: Iterable<MountedCounts>): MountedSummary {
  const counts = [...units];
  return {
    mounting: chosen,
    tools: computeMeanAndExtremes(counts.map(({ tools }) => tools)),
    schemaTokens: computeMeanAndExtremes(counts.map(({ schemaTokens }) => schemaTokens)),
    cutUnits: counts.filter(({ isCut }) => isCut).length,
  };
}

/** Returns zeros without values. */
function computeMeanAndExtremes(values: readonly number[]): Spread {
  let [sum, least, most] = [0, values[0] ?? 0, values[0] ?? 0];
  for (const value of values) {
    sum += value;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return { mean: values.length === 0 ? 0 : sum / values.length, least, most };
}
