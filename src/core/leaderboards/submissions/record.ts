import { z } from 'zod';
import { agentLimits } from '#core/models/limits.ts';
import { modelLoop } from '#core/benchmarks/protocols/loops.ts';
import { modelChoice } from '#core/models/choices.ts';
import { agentProgram, externalLimits, modelName, paidGatewayModels, storedAgent } from '#core/evaluation/config.ts';
import { evaluationProgress } from '#core/evaluation/progress-record.ts';
import { finding } from './findings.ts';
import { stateChange, submissionState, submissionTier } from './state.ts';

/** The name of an entry: any text, stored unchanged and shown escaped. */
export const entryName = z
  .string()
  .min(1)
  .max(100)
  .refine((name) => normalizeName(name) !== '', 'a name has at least one visible character')
  .refine(
    (name) => !hasWordOfMixedScripts(name),
    'a word has letters of one script: those of others may look the same',
  );

/** Words that mix letters of scripts that look alike. */
const hasWordOfMixedScripts = (name: string): boolean =>
  (name.match(/[\p{L}\p{M}]+/gu) ?? []).some((word) => alike.filter((script) => script.test(word)).length > 1);
const alike = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

/** Normalizes a name: letter case, width, spaces and invisible characters do not distinguish names. */
export const normalizeName = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .toLowerCase();

const common = {
  leaderboard: z.string().min(1).max(100),
  /** The benchmark that the submitter means; refused if the leaderboard belongs to another version. */
  benchmark: z.string().min(1).max(100).optional(),
  name: entryName,
};

/** A submission whose attempts are still to be made. The third tier is an uploaded trace file. */
export const newSubmission = z.discriminatedUnion('tier', [
  z.strictObject({
    ...common,
    tier: z.literal('service'),
    agent: z.strictObject({
      /** By default the loop of the leaderboard's protocol. */
      loop: modelLoop.optional(),
      model: modelName,
      /**
       * Its key is used for this run only. The default is the deployment's endpoint, which only the leaderboard's own
       * workspace may use.
       */
      endpoint: modelChoice.omit({ model: true }).optional(),
      /**
       * The time limit of a call is the same for all, because a call that is cut off counts as a fault and is repeated.
       */
      limits: agentLimits.omit({ callTimeoutMs: true }).prefault({}),
    }),
  }),
  z.strictObject({
    ...common,
    tier: z.literal('gateway'),
    /** The models that it may ask through the model gateway, its main one first; without them its tokens and cost are unknown. */
    models: paidGatewayModels.optional(),
    program: agentProgram.optional(),
    /** By default the time that the leaderboard gives. */
    limits: z.strictObject({ timeMs: externalLimits.shape.timeMs.unwrap().optional() }).prefault({}),
  }),
]);
export type NewSubmissionBody = z.output<typeof newSubmission>;

/** Everything that a new submission needs. */
export const submissionCreation = z.object({
  id: z.string(),
  /** The submitter's. */
  workspace: z.string(),
  leaderboard: z.string(),
  benchmark: z.string(),
  name: z.string(),
  tier: submissionTier,
  agent: storedAgent,
  trials: z.int().min(1),
  seed: z.int(),
  at: z.string(),
});
export type SubmissionCreation = z.infer<typeof submissionCreation>;

/** A submission as its submitter and the leaderboard's moderators see it. */
export const submissionRecord = z.object({
  id: z.string(),
  leaderboard: z.string(),
  benchmark: z.string(),
  name: z.string(),
  tier: submissionTier,
  trials: z.int(),
  state: submissionState,
  /** Why it is in this state. */
  reason: z.string(),
  /** Its states so far, oldest first. */
  history: z.array(stateChange),
  /** Which rules it broke, or what a moderator must check. */
  findings: z.array(finding),
  /** The progress of the attempts; null before there are any. */
  progress: evaluationProgress.nullable(),
  createdAt: z.string(),
});
export type SubmissionRecord = z.infer<typeof submissionRecord>;

/**
 * A moderator's decisions. `publish` and `reject` end a moderation; `hide` removes a published entry, `show` restores
 * it.
 */
export const moderation = z.strictObject({
  action: z.enum(['publish', 'reject', 'hide', 'show']),
  reason: z.string().min(1).max(500),
});
export type Moderation = z.infer<typeof moderation>;
