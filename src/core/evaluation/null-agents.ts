import { z } from 'zod';
import { effectOfTool } from '#core/catalog/effect.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { shuffle, type Random } from '#core/values/random.ts';

/**
 * Agents that know nothing: they never read the request. What they score is the floor of a figure on a benchmark, the
 * part of its scale that nobody has to earn.
 */
export const nullPolicy = z.enum([
  'call-everything',
  'call-nothing',
  'call-at-random',
  'repeat-request',
  'copy-tools',
  'call-chain',
]);
export type NullPolicy = z.infer<typeof nullPolicy>;

/** What each of them does, for people. */
export const nullPolicyTexts: Readonly<Record<NullPolicy, string>> = {
  'call-everything':
    'calls every tool once, in alphabetical order, with empty arguments, and answers with what came back',
  'call-nothing': 'calls nothing and says that it is done',
  'call-at-random': 'calls some tools at random with made-up arguments, and answers with what came back',
  'repeat-request': 'calls nothing and answers with the request',
  'copy-tools': 'calls nothing and answers with the list of tools',
  'call-chain':
    'looks up the expected chain, which is public, calls it with empty arguments, and answers with what came back',
};

/** What a null agent does with an attempt. */
export interface NullPlan {
  readonly calls: readonly { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }[];
  /** Its answer; null for what its calls returned. */
  readonly answer: string | null;
}

/** Calls of an agent that calls at random. */
const randomCalls = 4;

/** Returns what a null agent does. It never calls a tool that destroys. */
export function planCallsOfNullAgent(
  policy: NullPolicy,
  attempt: {
    readonly request: string;
    readonly tools: readonly Tool[];
    readonly chain: readonly string[];
    readonly random: Random;
  },
): NullPlan {
  const { request, tools, chain, random } = attempt;
  const callable = tools.filter((tool) => effectOfTool(tool) !== 'destroys');
  switch (policy) {
    case 'call-everything':
      return {
        calls: callable
          .map(({ name }) => name)
          .toSorted()
          .map(makeCallWithEmptyArguments),
        answer: null,
      };
    case 'call-nothing':
      return { calls: [], answer: 'Done.' };
    case 'call-at-random':
      return { calls: shuffle(random, callable).slice(0, randomCalls).map(makeCallWithMadeUpArguments), answer: null };
    case 'repeat-request':
      return { calls: [], answer: request };
    case 'copy-tools':
      return { calls: [], answer: tools.map(({ name, description = '' }) => `${name}: ${description}`).join('\n') };
    case 'call-chain': {
      const callableNames = new Set(callable.map(({ name }) => name));
      return { calls: chain.filter((name) => callableNames.has(name)).map(makeCallWithEmptyArguments), answer: null };
    }
  }
}

const makeCallWithEmptyArguments = (tool: string): NullPlan['calls'][number] => ({ tool, arguments: {} });

/** Gives each required argument at the top level a value of its type, the same in every call. */
function makeCallWithMadeUpArguments({ name, inputSchema }: Tool): NullPlan['calls'][number] {
  const { properties = {}, required = [] } = objectSchema.catch({}).parse(inputSchema);
  return {
    tool: name,
    arguments: Object.fromEntries(required.map((key) => [key, makeUpValueForSchema(properties[key])])),
  };
}

const objectSchema = z.object({
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
});
const typedSchema = z.object({ type: z.string(), enum: z.array(z.unknown()).min(1).optional() });

function makeUpValueForSchema(schema: unknown): unknown {
  const typed = typedSchema.safeParse(schema);
  if (!typed.success) return 'x';
  if (typed.data.enum !== undefined) return typed.data.enum[0];
  const values: Readonly<Record<string, unknown>> = {
    string: 'x',
    number: 1,
    integer: 1,
    boolean: true,
    array: [],
    object: {},
  };
  return values[typed.data.type] ?? 'x';
}
