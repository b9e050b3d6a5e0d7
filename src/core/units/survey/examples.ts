import { z } from 'zod';
import { canonicalJson } from '#core/values/canonical.ts';
import { makeRandom, shuffle } from '#core/values/random.ts';
import { hasSucceeded } from '#core/traces/step-outcome.ts';
import type { Trace } from '#core/traces/trace.ts';
import type { Unit } from '../unit.ts';

/** A call that succeeded: arguments that a tool accepted, and what came back. */
export const toolExample = z.object({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  /** The beginning of the result. */
  returned: z.string(),
  /** Characters of the result's excerpt that were left out. */
  cutChars: z.int().min(0),
});
export type ToolExample = z.infer<typeof toolExample>;

/** Examples of one tool that a run keeps, and that a prompt shows. */
export const keptExamples = 6;
const shownExamples = 3;

const maxArgumentChars = 1_000;
const maxReturnedChars = 800;
/** Most characters of all examples in a prompt together. */
const maxShownChars = 6_000;

/** An example with its key and its place among all examples of its tool. */
export interface RankedExample {
  readonly example: ToolExample;
  /** The arguments as canonical JSON: a tool has one example of the same arguments. */
  readonly key: string;
  /** Pseudo-random and the same wherever the same arguments occur; a run keeps the examples with the lowest ranks. */
  readonly rank: number;
}

/**
 * Returns the successful calls of a trace as examples. Calls whose arguments are too long are left out, because half a
 * value is none.
 */
export const makeExamplesOfTrace = (trace: Pick<Trace, 'steps'>): RankedExample[] =>
  trace.steps.filter(hasSucceeded).flatMap(({ tool, arguments: given, text }) => {
    if (given === null || text.trim() === '') return [];
    const key = canonicalJson(given);
    if (key.length > maxArgumentChars) return [];
    const returned = text.slice(0, maxReturnedChars).toWellFormed();
    const example = { tool, arguments: given, returned, cutChars: text.length - returned.length };
    return [{ example, key, rank: makeRandom('example', tool, key).below(2 ** 31) }];
  });

/**
 * Returns whether the prompts about a unit show examples. They are feedback from earlier rounds, so a probe has none,
 * and neither has a unit of a strategy without feedback. A variant grows a finished run and always has them.
 */
export const mayPromptsShowExamples = (
  { probe, lineage }: Pick<Unit, 'probe' | 'lineage'>,
  usesFeedback: boolean,
): boolean => !probe && (lineage !== null || usesFeedback);

/**
 * Chooses examples for a prompt, at most three of a tool, and so many of all tools in turn as fit. `keys` seed the
 * choice, so that prompts about the same tools show different examples.
 */
export const drawExamplesThatFit = (
  examples: readonly ToolExample[],
  ...keys: readonly (string | number)[]
): ToolExample[] => {
  const byTool = [...Map.groupBy(examples, ({ tool }) => tool).entries()].map(([tool, own]) =>
    shuffle(makeRandom('shown examples', tool, ...keys), own).slice(0, shownExamples),
  );
  const inTurn = Array.from({ length: shownExamples }, (_, turn) => byTool.flatMap((own) => own[turn] ?? [])).flat();
  let chars = 0;
  return inTurn.filter((example) => {
    chars += JSON.stringify(example).length;
    return chars <= maxShownChars;
  });
};
