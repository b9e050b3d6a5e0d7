import { z } from 'zod';

/** Rules for submissions; breaking one means rejection. */
export const brokenRules = [
  'catalog',
  'harness',
  'trials',
  'scoring',
  'mounting',
  'configuration',
  'unknown-unit',
  'unknown-request',
  'unit-twice',
  'missing-unit',
  'unmounted-tool',
  'impossible-time',
  'impossible-size',
  'changed-content',
  'not-evaluated',
] as const;

/** What makes a submission suspicious, so that a moderator decides. */
export const suspicions = [
  'identical-traces',
  'responses-without-calls',
  'unreturned-results',
  'many-relaunches',
  'failing-calls',
  'split-difference',
  'model-bypassed',
] as const;

/** A finding about a submission. */
export const finding = z.object({
  kind: z.enum([...brokenRules, ...suspicions]),
  /** The place: a line of the upload, a public unit, a share of the attempts. */
  where: z.string(),
  /** For a person. Never contains anything of a private unit. */
  message: z.string(),
});
export type Finding = z.infer<typeof finding>;
