import { z } from 'zod';
import { agentLimits } from '#core/models/limits.ts';
import { defaultLoop, modelLoop } from '#core/evaluation/loops.ts';
import { modelChoice } from '#core/models/choices.ts';
import { externalLimits, modelName, storedAgent } from '#core/evaluation/config.ts';
import { evaluationProgress } from '#core/evaluation/progress-record.ts';
import { finding } from './findings.ts';
import { stateChange, submissionState, submissionTier } from './state.ts';

/** What an entry is called: any text, which is stored as it is and shown escaped. */
export const entryName = z
  .string()
  .min(1)
  .max(100)
  .refine((name) => nameKey(name) !== '', 'a name has at least one visible character')
  .refine((name) => !mixesScripts(name), 'a word has letters of one script: those of others may look the same');

/** Words in which letters of scripts stand together that look alike. */
const mixesScripts = (name: string): boolean =>
  (name.match(/[\p{L}\p{M}]+/gu) ?? []).some((word) => alike.filter((script) => script.test(word)).length > 1);
const alike = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

/** What tells names apart: letter case, width, spaces and characters that nobody sees do not. */
export const nameKey = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .toLowerCase();

const common = {
  leaderboard: z.string().min(1).max(100),
  /** The benchmark that the submitter means: refused where the leaderboard is of another version. */
  benchmark: z.string().min(1).max(100).optional(),
  name: entryName,
};

/** A submission whose attempts are still to be made. The third tier is an uploaded file of traces. */
export const newSubmission = z.discriminatedUnion('tier', [
  z.strictObject({
    ...common,
    tier: z.literal('service'),
    agent: z.strictObject({
      loop: modelLoop.default(defaultLoop),
      model: modelName,
      /** Its key is used for this run only. Without it, the deployment's endpoint, which only the leaderboard's own workspace may use. */
      endpoint: modelChoice.omit({ model: true }).optional(),
      /** How long a call may take is the same for all: one that is cut off counts as a fault, and is made again. */
      limits: agentLimits.omit({ callTimeoutMs: true }).prefault({}),
    }),
  }),
  z.strictObject({
    ...common,
    tier: z.literal('gateway'),
    limits: externalLimits.omit({ callTimeoutMs: true }).prefault({}),
  }),
]);
export type NewSubmissionBody = z.output<typeof newSubmission>;

/** All that a submission needs to be created. */
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
  /** The states that it came to, the first one first. */
  history: z.array(stateChange),
  /** What broke a rule, or what a moderator has to look at. */
  findings: z.array(finding),
  /** How far the attempts have come; null before there are any. */
  progress: evaluationProgress.nullable(),
  createdAt: z.string(),
});
export type SubmissionRecord = z.infer<typeof submissionRecord>;

/** What a moderator decides. `publish` and `reject` end a moderation; `hide` takes a published entry off, `show` puts it back. */
export const moderation = z.strictObject({
  action: z.enum(['publish', 'reject', 'hide', 'show']),
  reason: z.string().min(1).max(500),
});
export type Moderation = z.infer<typeof moderation>;
