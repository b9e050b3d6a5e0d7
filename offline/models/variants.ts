import { z } from 'zod';
import type { Step } from './chaining.ts';
import { buildTaskIfShortEnough, knownFrom, longestRequest, fillScenarioForm } from './errands.ts';
import type { Named } from './namesakes.ts';
import { recoverSteps } from './recovery.ts';
import { refillAndName, findUsedInSeeds } from './refilling.ts';
import { recoverSeed, type Seed } from './seeds.ts';
import type { Dice } from './seeded.ts';
import { seenIn } from './seen-values.ts';
import { toolsOfPrompt, type Cards, type KnownTool } from './tools.ts';
import { extendedOrder, recombinedOrder } from './variant-orders.ts';

const asked = z.object({
  kind: z.enum(['entities', 'extended', 'recombined']),
  seeds: z.array(z.object({ source: z.string(), followUp: z.string(), chain: z.array(z.string()) })),
});

/** How often a variant repeats its seed, in other words or except for one value. */
const repeated = 0.12;
const attempts = 6;

/** Form `variant`: a task derived from one or two others according to the kind, or null if none is possible. */
export const writeVariant = (variables: ReadonlyMap<string, unknown>, cards: Cards, dice: Dice): unknown => {
  const tools = toolsOfPrompt(variables.get('tools'), cards, seenIn(variables));
  const parsed = asked.safeParse({ kind: variables.get('kind'), seeds: variables.get('seeds') });
  if (!parsed.success) return refuseVariant('There is no unit to begin with.');
  const seeds = parsed.data.seeds.flatMap((seed) => recoverSeed(seed, tools) ?? []);
  const [first, second] = seeds;
  if (first === undefined) return refuseVariant('The tools of the unit are not at hand.');
  const { kind } = parsed.data;
  if (kind === 'entities') return drawRecoverableScenario(kind, () => otherEntities(first, dice), tools, dice);
  const known = knownFrom(variables.get('known'));
  const order = (): readonly KnownTool[] | null =>
    kind === 'extended'
      ? extendedOrder(first.order, tools, known, dice)
      : second === undefined
        ? null
        : recombinedOrder(first.order, second.order, known, dice);
  return drawRecoverableScenario(kind, () => taskAlong(order(), seeds, dice), tools, dice);
};

const refuseVariant = (why: string): unknown => ({ scenario: null, why });

const taskAlong = (order: readonly KnownTool[] | null, seeds: readonly Seed[], dice: Dice): Named | null =>
  order === null ? null : buildTaskIfShortEnough(order, dice, findUsedInSeeds(seeds));

/** The seed's steps with other values; occasionally with the same ones, as a writer repeats itself. */
const otherEntities = (seed: Seed, dice: Dice): Named | null => {
  const { steps } = seed;
  if (steps === null) return buildTaskIfShortEnough(seed.order, dice, findUsedInSeeds([seed]));
  if (!dice.chance(repeated)) return refillAndName(steps, dice, findUsedInSeeds([seed]));
  const one = dice.below(steps.length);
  const changed = dice.chance(0.5) ? refillAndName(steps, dice, findUsedInSeeds([seed])).steps : steps;
  return { steps: steps.map((step, at) => (at === one ? (changed[at] ?? step) : step)), question: null };
};

/** Checks every task before it is returned: one that asks for the wrong steps is rewritten. */
const drawRecoverableScenario = (
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
      formatChain(recoverSteps(scenario.request, tools)) !== formatChain(named.steps)
    )
      continue;
    return { scenario, why: reasons.get(kind) ?? '' };
  }
  return refuseVariant('What can be made of these steps makes no errand of its own.');
};

const formatChain = (steps: readonly Step[]): string => steps.map(({ tool }) => tool.name).join(' ');

const reasons: ReadonlyMap<string, string> = new Map([
  ['entities', 'The same steps serve the same purpose for other things.'],
  ['extended', 'The errand goes on with what the others give.'],
  ['recombined', 'Steps of both serve one purpose.'],
]);
