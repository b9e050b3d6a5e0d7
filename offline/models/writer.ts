import { z } from 'zod';
import { chooseOrder, fillSteps, type Filling, type Step } from './chaining.ts';
import { chattyStyles, errandStyles, plainStyles, type Style } from './connectors.ts';
import { drawFlaw, spoil, type Flaw, type Told } from './flaws.ts';
import { rateFacts } from './facts.ts';
import type { Phrase } from './phrases.ts';
import { recoverSteps } from './recovery.ts';
import { hash32, type Dice } from './seeded.ts';
import { toolsOfPrompt, type Cards, type KnownTool } from './tools.ts';
import { originsOf, twoPhrases, wordStep, type Origin } from './wording.ts';

/** The variables of a prompt. */
type Variables = ReadonlyMap<string, unknown>;

interface Worded {
  readonly source: string;
  readonly followUp: string;
  readonly arguments: readonly Origin[];
}

/** A request has at most 4,000 characters; what is longer is no errand. */
const longestRequest = 3_800;

/** Form `scenario`: an errand for the tools, or null when they do not belong together. */
export const writeScenario = (variables: Variables, cards: Cards, dice: Dice): unknown => {
  const tools = toolsOfPrompt(variables.get('tools'), cards);
  const steps = errand(tools, knownFrom(variables.get('known')), dice);
  if (steps === null) return { scenario: null, why: 'Nothing that one of these tools returns is of use to another.' };
  const [subject] = steps.flatMap((step) => step.tool.card.gives.map((output) => output.noun));
  return {
    scenario: {
      request: errandText(steps, dice),
      factQuery: subject === undefined ? 'What is a computation?' : `What is meant by ${subject}?`,
    },
    why: `The ${steps.length} steps serve one errand; values pass in ${passingCount(steps)} of them.`,
  };
};

/** Form `metamorphic-pair`: two requests for the errand that the scenario states. */
export const writePair = (variables: Variables, cards: Cards, dice: Dice): unknown => {
  const tools = toolsOfPrompt(variables.get('tools'), cards);
  const request = requestOf(variables.get('scenario'));
  const steps = recoverSteps(request, tools);
  if (steps.length < 2) return { pair: null, why: 'The errand does not tell which steps it wants.' };
  return {
    pair: pairOf(steps, drawFlaw(dice), rateFacts(variables.get('facts'), request), dice),
    why: `The errand asks for ${steps.length} steps.`,
  };
};

/** Form `catalog-pairs`: pairs from the whole catalog. Left alone with it, the writer comes back to its favourites. */
export const writeCatalogPairs = (variables: Variables, cards: Cards, dice: Dice): unknown => {
  const tools = toolsOfPrompt(variables.get('tools'), cards);
  const count = z.coerce.number().int().min(0).max(20).catch(5).parse(variables.get('count'));
  const favourites = tools.toSorted((one, other) => hash32(one.name) - hash32(other.name));
  const pairs: unknown[] = [];
  for (let attempt = 0; attempt < count * 4 && pairs.length < count; attempt += 1) {
    const steps = errand(drawFavourites(favourites, 3 + dice.below(4), dice), () => false, dice);
    if (steps !== null) pairs.push(pairOf(steps, drawFlaw(dice), [], dice));
  }
  return { pairs };
};

const pairToMend = z.object({ source: z.string(), followUp: z.string(), chain: z.array(z.string()) });

/** Form `refinement`: both requests anew, each completed from the other. What neither says stays unsaid. */
export const writeRefinement = (variables: Variables, cards: Cards, dice: Dice): unknown => {
  const tools = toolsOfPrompt(variables.get('tools'), cards);
  const parsed = pairToMend.safeParse(variables.get('pair'));
  if (!parsed.success) return { source: 'Nothing.', followUp: 'Nothing at all.', arguments: [] };
  const { source, followUp, chain } = parsed.data;
  const steps = mended(chain, tools, recoverSteps(source, tools), recoverSteps(followUp, tools));
  return steps.length === 0 ? { source, followUp, arguments: [] } : wordPair(steps, steps, steps, 'none', dice);
};

const errand = (
  tools: readonly KnownTool[],
  known: (from: string, to: string) => boolean,
  dice: Dice,
): Step[] | null => {
  const order = chooseOrder(tools, known, dice);
  if (order === null) return null;
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const steps = fillSteps(order, dice);
    if (errandText(steps, dice).length <= longestRequest) return steps;
  }
  return null;
};

const errandText = (steps: readonly Step[], dice: Dice): string => {
  const clauses = steps.flatMap((step) => {
    const phrase = dice.pick(step.tool.phrases);
    return phrase === undefined ? [] : [wordStep(step, phrase)];
  });
  return styled(errandStyles, clauses, dice);
};

const pairOf = (steps: readonly Step[], flaw: Flaw, facts: readonly unknown[], dice: Dice): unknown => {
  const { source, followUp } = spoil(steps, flaw, dice);
  return { ...wordPair(steps, source, followUp, flaw, dice), chain: steps.map((step) => step.tool.name), facts };
};

const wordPair = (steps: readonly Step[], source: Told, followUp: Told, flaw: Flaw, dice: Dice): Worded => {
  const phrases = twoPhrases(steps, dice);
  const ways = dice.chance(0.5) ? ([plainStyles, chattyStyles] as const) : ([chattyStyles, plainStyles] as const);
  const one = clausesOf(source, phrases, 0);
  const other = clausesOf(followUp, phrases, 1);
  const later = flaw === 'vague' ? vague(steps, other) : other;
  return {
    source: styled(ways[0], said(one), dice),
    followUp: styled(ways[1], said(later), dice),
    arguments: originsOf(steps, phrases),
  };
};

const clausesOf = (told: Told, phrases: readonly (readonly [Phrase, Phrase])[], which: 0 | 1): (string | null)[] =>
  told.map((step, index) => {
    const phrase = phrases[index]?.[which];
    return step === null || phrase === undefined ? null : wordStep(step, phrase);
  });

const said = (clauses: readonly (string | null)[]): string[] => clauses.filter((clause) => clause !== null);

/** Says "the result" for the first thing that passes from one step to the next, where a careful writer names it. */
const vague = (steps: readonly Step[], clauses: readonly (string | null)[]): (string | null)[] => {
  const changed = [...clauses];
  for (const [index, step] of steps.entries()) {
    const near = Object.values(step.fillings).find((filling) => filling.kind === 'given' && filling.step === index - 1);
    const clause = changed[index];
    if (near?.kind === 'given' && typeof clause === 'string') {
      changed[index] = clause.replace(near.output.noun, 'the result');
      break;
    }
  }
  return changed;
};

const styled = (styles: readonly Style[], clauses: readonly string[], dice: Dice): string => {
  const text = dice.pick(styles)?.(clauses) ?? clauses.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const passingCount = (steps: readonly Step[]): number =>
  steps.filter((step) => Object.values(step.fillings).some((filling) => filling.kind === 'given')).length;

const knownFrom = (listed: unknown): ((from: string, to: string) => boolean) => {
  const parsed = z.array(z.array(z.string())).safeParse(listed);
  const pairs = new Set((parsed.success ? parsed.data : []).map((pair) => pair.join('\u0000')));
  return (from, to) => pairs.has(`${from}\u0000${to}`);
};

const scenario = z.union([z.string(), z.looseObject({ request: z.string() }).transform(({ request }) => request)]);

const requestOf = (variable: unknown): string => {
  const parsed = scenario.safeParse(variable);
  return parsed.success ? parsed.data : '';
};

/** Draws without replacement; each place in the order of preference is a tenth less likely than the one before it. */
const drawFavourites = (favourites: readonly KnownTool[], count: number, dice: Dice): KnownTool[] => {
  const open = [...favourites];
  const drawn: KnownTool[] = [];
  while (drawn.length < count && open.length > 0) {
    const at = Math.floor(Math.log(1 - dice.next()) / Math.log(0.9)) % open.length;
    drawn.push(...open.splice(at, 1));
  }
  return drawn;
};

/** The chain's steps as the two requests tell them together; the source is believed where they differ. */
const mended = (
  chain: readonly string[],
  tools: readonly KnownTool[],
  source: readonly Step[],
  followUp: readonly Step[],
): Step[] => {
  const found = chain.flatMap((name) => {
    const tool = tools.find((one) => one.name === name);
    const tellings = [source, followUp].flatMap((steps) => {
      const step = steps.find((one) => one.tool.name === name);
      return step === undefined ? [] : [{ step, steps }];
    });
    return tool === undefined || tellings.length === 0 ? [] : [{ tool, tellings }];
  });
  const place = new Map(found.map(({ tool }, index) => [tool.name, index]));
  return found.map(({ tool, tellings }) => {
    const fillings: Record<string, Filling> = {};
    for (const { step, steps } of tellings) {
      for (const [slot, filling] of Object.entries(step.fillings)) {
        const moved = filling.kind === 'given' ? place.get(steps[filling.step]?.tool.name ?? '') : undefined;
        if (filling.kind === 'stated') fillings[slot] ??= filling;
        else if (moved !== undefined) fillings[slot] ??= { ...filling, step: moved };
      }
    }
    return { tool, fillings };
  });
};
