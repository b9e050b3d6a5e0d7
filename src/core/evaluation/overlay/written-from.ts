import { z } from 'zod';
import { unitIdText } from '#core/units/task-unit.ts';

/** Units that a wording may be written from, at most: their ids are stored with every agent that reads it. */
export const mostSeenUnits = 1_000;

/**
 * Where a wording comes from that a model wrote. An evaluation of it leaves out these units and all of their lineages. It is no
 * part of the overlay's hash: the same wording has the same hash, regardless of its author.
 */
export const writtenFrom = z.strictObject({
  /** The evaluation whose attempts the model saw. */
  evaluation: z.string().min(1).max(100),
  units: z.array(unitIdText).min(1).max(mostSeenUnits),
  model: z.string().min(1).max(200),
  /** `name@version` */
  prompt: z.string().min(1).max(100),
  /** Whether rules stood in for the model. */
  offline: z.boolean(),
});
export type WrittenFrom = Readonly<z.infer<typeof writtenFrom>>;

/** An agent with its overlay, if it has one; null agents and imported ones have none. */
type MaybeOverlaid =
  | { readonly overlay?: { readonly writtenFrom?: Pick<WrittenFrom, 'units'> | undefined } | undefined }
  | { readonly loop: 'null' | 'uploaded' };

/** Returns the units that the wordings of agents were written from, each once. */
export const listUnitsThatWordingsWereWrittenFrom = (agents: readonly MaybeOverlaid[]): string[] => [
  ...new Set(agents.flatMap((agent) => ('overlay' in agent ? (agent.overlay?.writtenFrom?.units ?? []) : []))),
];
