import { z } from 'zod';
import type { Step } from './chaining.ts';
import { drawTaskAlongToolsOrNull, makeKnownTransitionTest, longestRequest, fillScenarioForm } from './task-texts.ts';
import type { Named } from './ambiguous-names.ts';
import { readStepsFromRequest } from './recovery.ts';
import { stepsWithOtherValuesAndName, makeUsedInSeedsTests } from './other-values.ts';
import { readSeedUnitFromRequestsOrNull, type Seed } from './seeds.ts';
import type { Dice } from './seeded.ts';
import { collectSeenValues } from './seen-values.ts';
import { toolsOfPrompt, type Cards, type KnownTool } from './tools.ts';
import { drawExtendedOrderOrNull, drawRecombinedOrderOrNull } from './variant-orders.ts';

const asked = z.object({
  kind: z.enum(['entities', 'extended', 'recombined']),
  seeds: z.array(z.object({ source: z.string(), followUp: z.string(), chain: z.array(z.string()) })),
});

/** How often a variant repeats its seed, in other words or except for one value. */
const repeated = 0.12;
const attempts = 6;

/** Form `variant`: a task derived from one or two others according to the kind, or null if none is possible. */
export const answerVariantForm = (variables: ReadonlyMap<string, unknown>, cards: Cards, dice: Dice): unknown => {
  const tools = toolsOfPrompt(variables.get('tools'), cards, collectSeenValues(variables));
  const parsed = asked.safeParse({ kind: variables.get('kind'), seeds: variables.get('seeds') });
  if (!parsed.success) return noVariantAnswer('There is no unit to begin with.');
  const seeds = parsed.data.seeds.flatMap((seed) => readSeedUnitFromRequestsOrNull(seed, tools) ?? []);
  const [first, second] = seeds;
  if (first === undefined) return noVariantAnswer('The tools of the unit are not at hand.');
  const { kind } = parsed.data;
  if (kind === 'entities')
    return drawUnambiguousScenarioAnswer(kind, () => drawTaskWithOtherEntities(first, dice), tools, dice);
  const known = makeKnownTransitionTest(variables.get('known'));
  const order = (): readonly KnownTool[] | null =>
    kind === 'extended'
      ? drawExtendedOrderOrNull(first.order, tools, known, dice)
      : second === undefined
        ? null
        : drawRecombinedOrderOrNull(first.order, second.order, known, dice);
  return drawUnambiguousScenarioAnswer(kind, () => makeTaskAlongOrder(order(), seeds, dice), tools, dice);
};

const noVariantAnswer = (why: string): unknown => ({ scenario: null, why });

const makeTaskAlongOrder = (order: readonly KnownTool[] | null, seeds: readonly Seed[], dice: Dice): Named | null =>
  order === null ? null : drawTaskAlongToolsOrNull(order, dice, makeUsedInSeedsTests(seeds));

/** The seed's steps with other values; occasionally with the same ones, as a writer repeats itself. */
const drawTaskWithOtherEntities = (seed: Seed, dice: Dice): Named | null => {
  const { steps } = seed;
  if (steps === null) return drawTaskAlongToolsOrNull(seed.order, dice, makeUsedInSeedsTests([seed]));
  if (!dice.chance(repeated)) return stepsWithOtherValuesAndName(steps, dice, makeUsedInSeedsTests([seed]));
  const one = dice.below(steps.length);
  const changed = dice.chance(0.5)
    ? stepsWithOtherValuesAndName(steps, dice, makeUsedInSeedsTests([seed])).steps
    : steps;
  return { steps: steps.map((step, at) => (at === one ? (changed[at] ?? step) : step)), question: null };
};

/** Checks every task before it is returned: one that asks for the wrong steps is rewritten. */
const drawUnambiguousScenarioAnswer = (
  kind: string,
  draw: () => Named | null,
  tools: readonly KnownTool[],
  dice: Dice,
): unknown => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const named = draw();
    if (named === null) continue;
    const scenario = fillScenarioForm(named, dice);
    if (
      scenario.request.length > longestRequest ||
      formatChain(readStepsFromRequest(scenario.request, tools)) !== formatChain(named.steps)
    )
      continue;
    return { scenario, why: reasons.get(kind) ?? '' };
  }
  return noVariantAnswer('What can be made of these steps makes no errand of its own.');
};

const formatChain = (steps: readonly Step[]): string => steps.map(({ tool }) => tool.name).join(' ');

const reasons: ReadonlyMap<string, string> = new Map([
  ['entities', 'The same steps serve the same purpose for other things.'],
  ['extended', 'The errand goes on with what the others give.'],
  ['recombined', 'Steps of both serve one purpose.'],
]);
