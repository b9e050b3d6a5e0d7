import { z } from 'zod';
import { maxJsonDepth } from '#core/values/json-depth.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { malformedTurns, type CallToMake } from './attempt.ts';
import { argumentChars } from './steps.ts';

const plannedCall = z.strictObject({
  /** `server/tool` */
  tool: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()),
});

/** The required form of a plan: the calls of one round, none of which needs the result of another, or the end. */
const planForm = z.discriminatedUnion('continue', [
  z.strictObject({ reasoning: z.string(), continue: z.literal(true), calls: z.array(plannedCall).min(1) }),
  z.strictObject({ reasoning: z.string(), continue: z.literal(false), calls: z.array(plannedCall).max(0) }),
]);

/** The meaning of what a model wrote as a plan. */
export type Plan =
  | { readonly kind: 'calls'; readonly calls: readonly CallToMake[] }
  | { readonly kind: 'stop' }
  /** `text` tells the model what is wrong. */
  | { readonly kind: 'malformed'; readonly text: string };

/** Reads a plan: one JSON object of the required form and nothing else. `names` are those of the mounted tools. */
export function parsePlan(content: string, names: ReadonlySet<string>): Plan {
  const json = parseJsonWithinLimits(content);
  if (!json.ok)
    return makeMalformedPlan(`it is not JSON of at most ${maxJsonDepth} levels, or a number in it is too large`);
  const plan = planForm.safeParse(json.value);
  if (!plan.success) return makeMalformedPlan('it has neither of the two forms');
  return plan.data.continue
    ? { kind: 'calls', calls: plan.data.calls.map((call) => convertPlannedCallToCallToMake(call, names)) }
    : { kind: 'stop' };
}

function convertPlannedCallToCallToMake(
  { tool, arguments: args }: z.infer<typeof plannedCall>,
  names: ReadonlySet<string>,
): CallToMake {
  if (JSON.stringify(args).length > argumentChars)
    return {
      tool,
      arguments: null,
      problem: { text: `The arguments have more than ${argumentChars} characters: the call was not made.` },
    };
  if (!names.has(tool))
    return {
      tool,
      arguments: args,
      problem: { text: `There is no tool called ${JSON.stringify(tool.slice(0, 300))}.` },
    };
  return { tool, arguments: args, problem: null };
}

const makeMalformedPlan = (wrong: string): Plan => ({
  kind: 'malformed',
  text:
    `The last message could not be used: ${wrong}. Nothing was called. A message is one JSON object and nothing else, ` +
    `{"reasoning": "<text>", "continue": true, "calls": [{"tool": "<name>", "arguments": {...}}]} with at least one call, ` +
    `or {"reasoning": "<text>", "continue": false, "calls": []}. ` +
    `After ${malformedTurns} unusable ones in a row the work ends.`,
});
