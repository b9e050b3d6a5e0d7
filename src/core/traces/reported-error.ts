import { z } from 'zod';
import { findErrorByRule } from './error-by-rule.ts';
import { isErrorByWeight } from './weighed-error.ts';
import { isJsonObject } from '#core/values/json-schema/json-object.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { listTextLeavesLongestFirst } from './error-words.ts';

/** Keys under which a server says something to a person. */
const remarkKey = /^(?:note|notes|hint|message|msg|detail|info|reason|warning)$/i;
/** What is needed before there is anything to answer with: `facts require a deep build`. */
const lack = /^[^\n.]{1,80}\b(?:requires?|needs?|(?:is|are) (?:only )?available (?:after|with|in|on)) [^\n]{1,120}$/i;
/** Maximum size of an answer that has nothing to say, in characters. */
const maxChars = 500;

/**
 * Returns whether a result in JSON gives back nothing but texts of the arguments and one remark on what is needed: nothing was
 * found out. An answer with anything else in it has told something.
 */
const hasOnlyLackBesideEcho = (text: string, args: Readonly<Record<string, unknown>> | null): boolean => {
  if (text.length > maxChars || !/^\s*\{/.test(text)) return false;
  const parsed = parseJsonWithinLimits(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return false;
  const given = new Set(listTextLeavesLongestFirst(args));
  const entries = Object.entries(parsed.value);
  const remarks = entries.filter(
    ([key, value]) => remarkKey.test(key) && typeof value === 'string' && lack.test(value),
  );
  const echoes = entries.filter(([, value]) => typeof value === 'string' && given.has(value));
  return remarks.length === 1 && echoes.length === entries.length - 1;
};

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
