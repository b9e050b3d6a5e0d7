import { z } from 'zod';
import { compilePattern } from '#core/values/json-schema/pattern.ts';
import { Steps } from '#core/values/json-schema/steps.ts';
import { isPatternName } from './named-patterns.ts';
import { parseFieldOrNull } from './fields.ts';

/** Limits of the rules of one server. */
const maxFields = 100;
const maxFieldChars = 200;
const maxPatterns = 20;
const maxPatternChars = 500;

/** Steps that compiling one pattern may take. */
export const compilingSteps = 50_000;

/** The name of a property anywhere, such as `ssn`, or a path from the root, such as `$.customers[*].email`. */
const field = z
  .string()
  .trim()
  .min(1)
  .max(maxFieldChars)
  .refine((text) => parseFieldOrNull(text) !== null, {
    message: 'the name of a property, such as "ssn", or a path, such as "$.customers[*].email"; "*" is any property',
  });

/** The name of a built-in pattern, or a regular expression. */
const pattern = z
  .string()
  .min(1)
  .max(maxPatternChars)
  .refine((text) => isPatternName(text) || compilePattern(text, new Steps(compilingSteps)) !== null, {
    message:
      'a name of a built-in pattern, or a regular expression without references to groups, lookbehinds and flags inside it',
  });

/** What Sextant never keeps of the results and arguments of a server's tools. */
export const redactionRules = z.strictObject({
  fields: z.array(field).max(maxFields).default([]),
  patterns: z.array(pattern).max(maxPatterns).default([]),
});
export type RedactionRules = Readonly<z.infer<typeof redactionRules>>;

export const noRules = { fields: [], patterns: [] } satisfies RedactionRules;

/** Rules that were checked when they were given. */
export const storedRedactionRules = z
  .object({ fields: z.array(z.string()), patterns: z.array(z.string()) })
  .default({ fields: [], patterns: [] });

/** Rules by the server's name. */
export const rulesByServer = z.record(z.string(), redactionRules).default({});
export type RulesByServer = Readonly<z.infer<typeof rulesByServer>>;

/** Returns the rules of the servers that have some. */
export const pickRulesByServer = (
  servers: readonly { readonly name: string; readonly redact: RedactionRules }[],
): z.infer<typeof rulesByServer> =>
  Object.fromEntries(
    servers
      .filter(({ redact: { fields, patterns } }) => fields.length + patterns.length > 0)
      .map(({ name, redact: { fields, patterns } }) => [name, { fields: [...fields], patterns: [...patterns] }]),
  );
