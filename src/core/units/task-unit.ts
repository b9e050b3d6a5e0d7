import { z } from 'zod';
import { argumentOrigin } from './answers.ts';
import { lineage } from './unit.ts';
import { chainSteps, witness } from './witness.ts';
import { check, maxChecks } from '#core/traces/checks/check.ts';
import { split } from './split.ts';
import { canonicalJson, sha256Hex } from '#core/values/canonical.ts';

/** Maximum goals that a judge decides on at once, which are the sub-intents of a unit where it planned them. */
export const maxSubIntents = 10;

/** Maximum key points of a task: with the right answer, as many goals as a judge decides on at once. */
export const maxKeyPoints = maxSubIntents - 1;

export const unitIdText = z.string().regex(/^u_[0-9a-f]{24}$/);

/** A unit with one request, and with what counts as its success. */
export const taskUnit = z.strictObject({
  kind: z.literal('task'),
  id: unitIdText,
  split,
  request: z.string().min(1).max(20_000),
  /** The request as a person would put it who knows no tools: what is wanted, not how. Absent if nobody wrote one. */
  fuzzy: z.string().min(1).max(20_000).optional(),
  /** What a success has to reach; a judge plans it where there is none. */
  keyPoints: z.array(z.string().min(1).max(1_000)).max(maxKeyPoints),
  /** The answer that is right, where one is. */
  truth: z.string().min(1).max(20_000).optional(),
  /** Calls whose results decide on its outcome; all of them have to hold. */
  checks: z.array(check).min(1).max(maxChecks).optional(),
  /** How hard it is, as its collection says: 1 is easiest. */
  level: z.int().min(1).max(3).optional(),
  /** Set if the right answer changes with time. */
  timeSensitive: z.literal(true).optional(),
  /** The tools that people used, in their order; empty if nobody says. Another path can be a success too. */
  chain: z.array(z.string().min(3).max(300)).max(50),
  /** What has to be known before what, in words; judges see it, agents do not. Absent if nobody says. */
  dependencies: z.string().min(1).max(20_000).optional(),
  /** Where the arguments of the chain's calls come from; absent if nobody says. */
  arguments: z.array(argumentOrigin).min(1).max(200).optional(),
  /** Which steps of the chain the base agent carried out at the concrete request (`source`) and at the fuzzy one (`followUp`). */
  witness: witness.optional(),
  /** As of pairs: the steps whose tool has a success elsewhere in the exploration. */
  provenElsewhere: chainSteps.min(1).optional(),
  /** The servers without which it cannot be done; those of the chain are among them without being named. */
  servers: z.array(z.string().min(1).max(100)).max(50),
  /** Where the task comes from. */
  provenance: z.strictObject({
    /** The published collection, or the exploration that made it. */
    collection: z.string().min(1).max(200),
    /** Its id there. */
    task: z.string().min(1).max(200),
    category: z.string().max(200),
    /** How an exploration made it; absent if people or others did. */
    made: z
      .strictObject({
        round: z.int().min(1),
        models: z.record(z.string(), z.string()),
        prompts: z.array(z.string()),
        harness: z.string(),
        /** The critic's grades, 1 to 10. */
        solvability: z.int().min(1).max(10),
        utility: z.int().min(1).max(10),
        /** Set for variants. */
        lineage: lineage.optional(),
      })
      .optional(),
  }),
});
export type TaskUnit = z.infer<typeof taskUnit>;

/**
 * Returns the id of a task: `u_` and 24 hex digits of the SHA-256 of what it asks and expects. Fields that came later count only
 * where they are present, so that ids from before stay.
 */
export async function computeTaskUnitId(task: Omit<TaskUnit, 'id' | 'split' | 'provenance'>): Promise<string> {
  const { kind, request, keyPoints, truth, chain, servers, fuzzy, dependencies, checks, level, timeSensitive } = task;
  const content = { kind, request, keyPoints, truth: truth ?? null, chain, servers };
  const later = Object.entries({ fuzzy, dependencies, checks, level, timeSensitive });
  const present = Object.fromEntries(later.filter(([, value]) => value !== undefined));
  return `u_${(await sha256Hex(canonicalJson({ ...content, ...present }))).slice(0, 24)}`;
}

/** Returns what a task's success is judged by: its key points, and agreement with the right answer. Empty if it states nothing. */
export const goalsOfTask = ({ keyPoints, truth }: Pick<TaskUnit, 'keyPoints' | 'truth'>): string[] => [
  ...keyPoints,
  ...(truth === undefined ? [] : [`The answer agrees with the right one, which is: ${truth}`]),
];
