import { z } from 'zod';
import { toolEffect } from '#core/catalog/effect.ts';
import { failureClass } from '#core/traces/failure.ts';

/** A share of attempts or calls that had something, with its 95% interval; none for fewer than two units. */
export const observedShare = z.object({
  count: z.int().min(0),
  of: z.int().min(0),
  share: z.number().min(0).max(1).nullable(),
  interval: z.object({ low: z.number(), high: z.number() }).nullable(),
});
export type ObservedShare = Readonly<z.infer<typeof observedShare>>;

/**
 * `works`: at least half of its answered calls succeeded. `struggles`: some did. `fails`: none did. `not-called`: there is no
 * answered call, so nothing is known.
 */
export const toolVerdict = z.enum(['works', 'struggles', 'fails', 'not-called']);
export type ToolVerdict = z.infer<typeof toolVerdict>;

/** What a run found out about one tool. */
export const toolFindings = z.object({
  /** `server/tool` */
  tool: z.string(),
  effect: toolEffect,
  verdict: toolVerdict,
  /** Successful calls among those that were answered. */
  success: observedShare,
  /** Calls to which the environment gave no usable answer. */
  unanswered: z.int().min(0),
  /** Attempts that should have called it and did not, among those that should have. */
  missed: observedShare,
  /** Attempts that called it although nobody expected it. */
  unexpected: z.int().min(0),
  /** The class of most of its failures. */
  commonFailure: z.object({ class: failureClass, count: z.int().min(1) }).nullable(),
  /** The error that it gave most often, shortened, and a unit in which it did. */
  commonError: z.object({ text: z.string(), count: z.int().min(1), unit: z.string() }).nullable(),
  /** The median time of answered calls, in milliseconds; null without any. */
  medianMs: z.number().min(0).nullable(),
  /** The tokens that its definition takes in each request that offers it, by an estimate. */
  schemaTokens: z.int().min(0),
});
export type ToolFindings = Readonly<z.infer<typeof toolFindings>>;

/** A tool that was called where another one was expected. */
export const toolConfusion = z.object({
  expected: z.string(),
  called: z.string(),
  /** Attempts with this confusion, among those that should have called the expected tool. */
  attempts: observedShare,
  /** Units in which it occurred, five at most. */
  units: z.array(z.string()).max(5),
});
export type ToolConfusion = Readonly<z.infer<typeof toolConfusion>>;

/** A tool that was called at requests that no tool fits. */
export const takenTool = z.object({
  tool: z.string(),
  /** Attempts at such requests in which it was called, among all of them. */
  attempts: observedShare,
  /** Units in which it occurred, five at most. */
  units: z.array(z.string()).max(5),
});
export type TakenTool = Readonly<z.infer<typeof takenTool>>;

/** `high`: agents cannot use the tool, or call another one. `medium`: they often fail. `low`: worth a look. */
export const severities = ['high', 'medium', 'low'] as const;

/** What attempts show. */
const attemptFindingKind = z.enum(['failing', 'missed', 'confused', 'taken', 'slow']);
/** What the definitions of tools show without a call; the same for every agent. */
export const definitionFindingKind = z.enum([
  'effect-contradicted',
  'effect-undeclared',
  'schema-refused',
  'schema-rewritten',
  'name-refused',
  'name-shortened',
  'description-missing',
  'description-long',
  'description-shared',
  'arguments-undescribed',
  'definition-costly',
  'list-costly',
]);

/** Something that the owner of a server can do something about. */
export const finding = z.object({
  kind: z.enum([...attemptFindingKind.options, ...definitionFindingKind.options]),
  severity: z.enum(severities),
  /** Null if it is about the list of tools as a whole. */
  tool: z.string().nullable(),
  /** What was seen, with the counts behind it. */
  sentence: z.string(),
  /** What in the definitions shows it, such as a place in a schema or the names of arguments; ten at most. */
  evidence: z.array(z.string()).max(10),
  /** Units whose attempts show it, five at most. */
  units: z.array(z.string()).max(5),
  /** What to try. */
  proposal: z.string(),
});
export type Finding = Readonly<z.infer<typeof finding>>;

/** What a run found out about the tools of its catalog. */
export const toolReport = z.object({
  /** Whether rules stood in for models: calls show what tools do, but not whether agents can use them. */
  offline: z.boolean(),
  /** Whether the run has ended, so that nothing will change. */
  final: z.boolean(),
  units: z.int().min(0),
  attempts: z.int().min(0),
  /** The tokens that the definitions of all tools take in a request that offers them all, by an estimate. */
  schemaTokens: z.int().min(0),
  /** All tools of the catalog, those with problems first. */
  tools: z.array(toolFindings),
  /** The most frequent first. */
  confusions: z.array(toolConfusion),
  /** Attempts at requests that no tool fits. */
  negativeAttempts: z.int().min(0),
  /** Tools that were called in them, the most frequent first. */
  taken: z.array(takenTool),
  /** What stands out, the worst first. */
  findings: z.array(finding),
});
export type ToolReport = Readonly<z.infer<typeof toolReport>>;
