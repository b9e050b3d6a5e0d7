import { z } from 'zod';
import { findErrorByRule } from './error-by-rule.ts';
import { hasOnlyLackBesideEcho } from './lack-beside-echo.ts';
import { isErrorByWeight } from './weighed-error.ts';

/** Says that the text of a call which its server marked as a success reports an error. */
export const reportedError = z.object({
  /** The rule that found it, or `weighed`. */
  rule: z.string().max(60),
  /** What a judge made of it: `overruled` makes the call a success again. Missing where no judge answered. */
  judged: z.enum(['confirmed', 'overruled']).optional(),
});
export type ReportedError = z.infer<typeof reportedError>;

/**
 * Returns by what the text of a result that its server marked as a success says that the call failed: the name of a rule, or
 * `weighed` where no rule applies and the weights of its traits say so; null if it does not. Rules and weights prefer to miss
 * an error over taking an answer that mentions one for an error. `tool` is the tool's name, if it is known: with `server/` or
 * without.
 */
export const findRuleOfReportedErrorOrNull = (
  text: string,
  tool = '',
  args: Readonly<Record<string, unknown>> | null = null,
): string | null =>
  findErrorByRule(text, tool) ??
  (hasOnlyLackBesideEcho(text, args) ? 'only-lack' : null) ??
  (isErrorByWeight({ text, tool, arguments: args }) ? weighed : null);

const weighed = 'weighed';
