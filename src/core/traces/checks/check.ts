import { z } from 'zod';
import { compilePattern } from '#core/values/json-schema/pattern.ts';
import { Steps } from '#core/values/json-schema/steps.ts';
import { isJsonPointer } from './json-pointer.ts';

/** Maximum checks of a unit: each is a call, and an attempt waits for all of them. */
export const maxChecks = 10;
/** Maximum characters of a check's arguments, as JSON. */
const maxArgumentChars = 10_000;
const maxPatternChars = 1_000;
/** Steps of compiling a pattern. */
const compileSteps = 1_000_000;

const called = {
  /** `server/tool`: one of the benchmark's. */
  tool: z.string().min(3).max(300),
  arguments: z
    .record(z.string(), z.unknown())
    .refine(
      (given) => JSON.stringify(given).length <= maxArgumentChars,
      `at most ${maxArgumentChars} characters of JSON`,
    ),
  /** A JSON Pointer (RFC 6901) into the result, which is then read as JSON. Without one the whole text is meant. */
  at: z.string().max(1_000).refine(isJsonPointer, 'a JSON Pointer: empty, or /a/0/b').optional(),
};

/** Checks arrive as JSON, so that there is nothing else to exclude. */
const jsonValue = z.unknown().refine((value) => value !== undefined, 'a JSON value');

const tolerance = z.number().min(0);

/** What the value has to be. */
export const expectation = z.discriminatedUnion('kind', [
  /** The same JSON value; objects may have their members in any order. Texts are compared without outer spaces. */
  z.strictObject({ kind: z.literal('equal'), value: jsonValue }),
  /** A text that has this text in it, or a list that has this value in it. */
  z.strictObject({ kind: z.literal('contain'), value: jsonValue }),
  /** A text in which this regular expression matches. It is matched without backtracking. */
  z.strictObject({
    kind: z.literal('match'),
    pattern: z
      .string()
      .min(1)
      .max(maxPatternChars)
      .refine(
        (pattern) => compilePattern(pattern, new Steps(compileSteps)) !== null,
        'cannot be matched without backtracking',
      ),
  }),
  /** A number, or a text that is one, at most `tolerance` away from this one. */
  z.strictObject({ kind: z.literal('near'), value: z.number(), tolerance }),
]);
export type Expectation = z.infer<typeof expectation>;

/** How the response has to state a value. */
export const statement = z.discriminatedUnion('kind', [
  /** The response has the value in it, as a whole word or number, in upper or lower case. */
  z.strictObject({ kind: z.literal('contain') }),
  /** The response has a number in it that is at most `tolerance` away from the value. */
  z.strictObject({ kind: z.literal('near'), tolerance }),
]);
export type Statement = z.infer<typeof statement>;

/** A call of a tool whose result decides whether an attempt succeeded. */
export const check = z.discriminatedUnion('when', [
  /** After the attempt: what the agent has left behind is as it should be. */
  z.strictObject({
    when: z.literal('after'),
    ...called,
    expect: expectation,
    /** Set if an error of the tool itself means that the check does not hold, as where a file is missing. Default: nobody knows. */
    errorFails: z.literal(true).optional(),
  }),
  /** Before the attempt: the response has to state the value that there is then. */
  z.strictObject({ when: z.literal('before'), ...called, state: statement }),
]);
export type Check = z.infer<typeof check>;

/** What became of a check in an attempt. */
export const checkResult = z.object({
  /** Null if nobody knows, because the check could not be carried out. */
  held: z.boolean().nullable(),
  /** Why, for a person. */
  why: z.string().max(1_000),
});
export type CheckResult = z.infer<typeof checkResult>;
