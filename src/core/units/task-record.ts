import { z } from 'zod';

const sentence = z.string().max(2_000);
/** The two thresholds are on this scale. Source: MCP-Bench, section 4.2. */
const grade = z.int().min(1).max(10);

/** The critic's grades of a task, each after its reason, and how its request could be improved. */
export const qualityAnswer = z.object({
  solvabilityReason: sentence,
  solvability: grade,
  utilityReason: sentence,
  utility: grade,
  suggestions: z.array(sentence).max(20),
});
export type QualityAnswer = z.infer<typeof qualityAnswer>;

/** A request in the words of somebody who knows what is wanted and not how it is done. */
export const fuzzyAnswer = z.object({ request: z.string().min(1).max(4_000) });
export type FuzzyAnswer = z.infer<typeof fuzzyAnswer>;

/**
 * What a unit has that becomes a task: then its source is the concrete request, and its follow-up the fuzzy one, once that is
 * written.
 */
export const taskRecord = z.object({
  /** Whether its chain has to use a tool of each server of its candidates. */
  usesAllServers: z.boolean(),
  /** The critic's grades, oldest first, each with the index of the wording that it is about (as many were superseded). */
  qualities: z.array(qualityAnswer.extend({ wording: z.int().min(0) })),
  /** Fuzzy wordings that were not usable, oldest first, and what was wrong with each. */
  rejectedFuzzy: z.array(z.object({ request: z.string(), flaws: z.array(z.string()) })),
});
export type TaskRecord = z.infer<typeof taskRecord>;
