import { z } from 'zod';
import { modelChoice, storedModel } from './choices.ts';

/** Tools that a search shows: LiveMCPBench's (2025, section 4.2), whose agents gained nothing by more and lost by fewer. */
const defaultFoundTools = 5;
const foundTools = z.int().min(1).max(50);
/** With the search and the functions that are loaded at most, they stay within the 128 that endpoints take. */
const mostShownTools = 20;
const shownTools = z
  .array(z.string().min(1).max(300))
  .min(1)
  .max(mostShownTools)
  .refine((tools) => new Set(tools).size === tools.length, 'each tool once');

/** How an agent with the loop `routing` or `tool-search` finds tools, as a client chooses it. */
export const retrievalChoice = z.strictObject({
  /** How many tools a search shows. */
  tools: foundTools.default(defaultFoundTools),
  /** Tools, by `server/tool`, that a model with the loop `tool-search` has from the start, where they are mounted; by default none. */
  shown: shownTools.optional(),
  /** The model that computes the vectors of tools and queries; by default the deployment's embedder. */
  embedder: modelChoice.optional(),
});
export type RetrievalChoice = z.infer<typeof retrievalChoice>;

/** The same, as a run stores it. */
export const storedRetrieval = z.object({ tools: foundTools, shown: shownTools.optional(), embedder: storedModel });
export type StoredRetrieval = z.infer<typeof storedRetrieval>;

/** How an agent finds tools, as a part of its identity. */
export const shownRetrieval = z
  .object({ tools: foundTools, shown: shownTools.optional(), embedder: z.string().max(200) })
  .meta({ id: 'Retrieval' });

/** Returns how an agent finds tools without the embedder's address and key. */
export const retrievalWithEmbedderNameOnly = ({
  embedder,
  ...rest
}: StoredRetrieval): z.infer<typeof shownRetrieval> => ({
  ...rest,
  embedder: embedder.model,
});

/** Names an embedder by where it is and which model it is: only vectors of the same one can be compared. */
export const makeEmbedderName = ({ baseUrl, model }: { readonly baseUrl: string; readonly model: string }): string =>
  `${baseUrl} ${model}`;
