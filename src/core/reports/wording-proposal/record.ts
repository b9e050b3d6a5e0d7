import { z } from 'zod';
import { agentName, modelName } from '#core/evaluation/config.ts';
import { modelChoice } from '#core/models/choices.ts';
import { usage } from '#core/models/usage.ts';
import { overlaidToolName, overlay, overlayName } from '#core/evaluation/overlay/overlay.ts';
import { mostRewordedTools, toolTrouble } from './choose-tools.ts';
import { leftOutText } from './read-answer.ts';

/** What a client chooses for a wording that a model is to write. */
export const newProposal = z
  .strictObject({
    /** The name of the overlay. */
    name: overlayName.default('proposed'),
    /** Whose attempts the model sees; by default those of all agents that read what the servers say. */
    agent: agentName.optional(),
    /** Which tools get new texts; by default those that agents had trouble with. */
    tools: z.array(overlaidToolName).min(1).max(mostRewordedTools).optional(),
    /** About which share of the evaluation's units the model sees, whole lineages together; the wording is judged on others. */
    seenShare: z.number().gt(0).lt(1).default(0.5),
    /** Draws these units. */
    seed: z.int().min(0).max(2_147_483_647).default(1),
    /** The model that writes; by default the deployment's writer. */
    model: modelName.optional(),
    /** Its endpoint; by default the deployment's endpoint for writers. */
    endpoint: modelChoice.omit({ model: true }).optional(),
  })
  .refine(({ model, endpoint }) => endpoint === undefined || model !== undefined, {
    path: ['model'],
    message: 'the name of the model at this endpoint',
  })
  .refine(({ tools = [] }) => new Set(tools).size === tools.length, { path: ['tools'], message: 'each tool once' });
export type NewProposal = Readonly<z.infer<typeof newProposal>>;

/** A wording that a model proposes. */
export const wordingProposal = z.object({
  /** The benchmark of the evaluation whose attempts the model saw. */
  benchmark: z.string(),
  overlay,
  /** What agents had trouble with at the tools that the model was asked about, in the units that it saw. */
  asked: z.array(toolTrouble),
  /** What the model wrote that is no part of the overlay. */
  leftOut: z.array(leftOutText),
  /** Units that the model saw, of how many of the evaluation, and how many attempts at them there are. */
  seen: z.object({ units: z.int().min(1), of: z.int().min(1), attempts: z.int().min(1) }),
  usage,
});
export type WordingProposal = Readonly<z.infer<typeof wordingProposal>>;
