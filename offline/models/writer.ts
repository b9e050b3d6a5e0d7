import { z } from 'zod';
import { canFillAllSlots, chooseToolOrderIfRelated, makeStepsWithFilledSlots, type Step } from './chaining.ts';
import { sayings } from './clarifying.ts';
import { contexts } from './connectors.ts';
import {
  drawTaskAlongToolsOrNull,
  makeKnownTransitionTest,
  countFedSteps,
  fillScenarioForm,
  joinClausesInRandomStyle,
  longestRequest,
} from './task-texts.ts';
import { drawFlaw, stepsOfBothRequestsUnderFlaw, type Flaw, type Told } from './flaws.ts';
import {
  ratePassagesAndUseOne,
  findClarificationWithoutObjection,
  ungrounded,
  type Errand,
  type Grounded,
} from './grounding.ts';
import { mergeStepsOfRequests } from './merged-steps.ts';
import type { SlotValue } from './literals.ts';
import type { Phrase } from './phrases.ts';
import { readStepsFromRequest } from './recovery.ts';
import {
  hasDifferentSlotOrders,
  possibleRelationOrParaphrase,
  writableRelationOrParaphrase,
  drawStylesOfBothRequests,
  valueFormatters,
  type Relation,
} from './relating.ts';
import { listSiblingsThatRequestFits } from './siblings.ts';
import { hash32, type Dice } from './seeded.ts';
import { toolsOfPrompt, type Cards, type KnownTool } from './tools.ts';
import { collectSeenValues } from './seen-values.ts';
import { listUnusedUnwritableTools } from './unwritable.ts';
import { listArgumentOrigins, choosePhrasePairs, stepAsClause, type Origin } from './wording.ts';

/** The variables of a prompt. */
type Variables = ReadonlyMap<string, unknown>;

interface Worded {
  readonly source: string;
  readonly followUp: string;
  readonly arguments: readonly Origin[];
}

/** Form `scenario`: a task for the tools, or null if they do not belong together. */
export const answerScenarioForm = (variables: Variables, cards: Cards, dice: Dice): unknown => {
  const tools = toolsOfPrompt(variables.get('tools'), cards, collectSeenValues(variables));
  const order = chooseOrderOverServers(tools, variables, dice);
  const named = order === null ? null : drawTaskAlongToolsOrNull(order, dice);
  const unwritable = listUnusedUnwritableTools(tools, named?.steps ?? []);
  if (named === null) {
    const names = unwritable.map(({ tool }) => tool).join(', ');
    const why =
      names === ''
        ? 'Nothing that one of these tools returns is of use to another.'
        : `There is nothing to write about with ${names}, and the other tools have no task together.`;
    return { scenario: null, unwritable, why: why.slice(0, 2_000) };
  }
  const { steps } = named;
  return {
    scenario: fillScenarioForm(named, dice),
    unwritable,
    why: `The ${steps.length} steps serve one errand; values pass in ${countFedSteps(steps)} of them.`,
  };
};

const neededServers = z.array(z.string()).catch([]);
const attempts = 10;

/** Returns an order of tools for one task that uses a tool of each of the `servers` of the prompt, if it names any. */
const chooseOrderOverServers = (tools: readonly KnownTool[], variables: Variables, dice: Dice): KnownTool[] | null => {
  const servers = neededServers.parse(variables.get('servers'));
  const known = makeKnownTransitionTest(variables.get('known'));
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const order = chooseToolOrderIfRelated(tools, known, dice);
    if (order === null || servers.every((server) => order.some(({ name }) => name.startsWith(`${server}/`))))
      return order;
  }
  return null;
};

/** Form `metamorphic-pair`: two requests for the task that the scenario states. */
export const answerPairForm = (variables: Variables, cards: Cards, dice: Dice): unknown => {
  const tools = toolsOfPrompt(variables.get('tools'), cards, collectSeenValues(variables));
  const siblings = toolsOfPrompt(variables.get('siblings'), cards, collectSeenValues(variables));
  const [only] = tools;
  if (only !== undefined && siblings.length > 0)
    return writePairForOneTool(only, siblings, writableRelationOrParaphrase(variables.get('relation')), dice);
  const errand = scenario.catch(noErrand).parse(variables.get('scenario'));
  const steps = readStepsFromRequest(errand.request, tools);
  if (steps.length < 2) return { pair: null, why: 'The errand does not tell which steps it wants.' };
  const flaw = drawFlaw(dice);
  const grounded = ratePassagesAndUseOne(variables.get('facts'), errand, dice);
  const { relation, ...pair } = makeFlawedPair(
    steps,
    flaw,
    grounded,
    writableRelationOrParaphrase(variables.get('relation')),
    dice,
  );
  return {
    pair,
    relation,
    why: `The errand asks for ${steps.length} steps.`,
  };
};

/** Writes two requests for one tool that could not be read as requests for its siblings; null if none are found. */
const writePairForOneTool = (
  tool: KnownTool,
  siblings: readonly KnownTool[],
  asked: Relation,
  dice: Dice,
): { readonly pair: unknown; readonly relation?: Relation; readonly why: string } => {
  if (!canFillAllSlots(tool, [])) return { pair: null, why: `There is nothing to write about with ${tool.name}.` };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const steps = makeStepsWithFilledSlots([tool], dice);
    const { relation, ...worded } = wordBothRequestsOfPair(steps, [steps, steps], 'none', asked, dice);
    const requests = [worded.source, worded.followUp];
    if (requests.some((request) => listSiblingsThatRequestFits(request, tool, siblings).length > 0)) continue;
    if (requests.some((request) => request.length > longestRequest)) continue;
    return {
      pair: { ...worded, chain: [tool.name], facts: [] },
      relation,
      why: `The words that ask for ${tool.name} do not ask for ${siblings.map(({ name }) => name).join(', ')}.`,
    };
  }
  return { pair: null, why: `No words were found that set ${tool.name} apart from its siblings.` };
};

/** Form `catalog-pairs`: pairs from the whole catalog. With free choice, the writer returns to its favourites. */
export const answerCatalogPairsForm = (variables: Variables, cards: Cards, dice: Dice): unknown => {
  const tools = toolsOfPrompt(variables.get('tools'), cards, collectSeenValues(variables));
  const count = z.coerce.number().int().min(0).max(20).catch(5).parse(variables.get('count'));
  const favourites = tools.toSorted((one, other) => hash32(one.name) - hash32(other.name));
  const relations = z.array(z.unknown()).catch([]).parse(variables.get('relations'));
  const pairs: unknown[] = [];
  for (let attempt = 0; attempt < count * 4 && pairs.length < count; attempt += 1) {
    const order = chooseToolOrderIfRelated(drawFavouriteTools(favourites, 3 + dice.below(4), dice), () => false, dice);
    const named = order === null ? null : drawTaskAlongToolsOrNull(order, dice);
    if (named === null) continue;
    pairs.push(
      makeFlawedPair(
        named.steps,
        drawFlaw(dice),
        ungrounded,
        writableRelationOrParaphrase(relations[pairs.length]),
        dice,
      ),
    );
  }
  return { pairs };
};

const pairToMend = z.object({ source: z.string(), followUp: z.string(), chain: z.array(z.string()) });

/**
 * Form `refinement`: rewrites both requests, each completed from the other. What neither says stays missing; what a
 * passage settled stays, unless the audit found that the passage does not say so.
 */
export const answerRefinementForm = (variables: Variables, cards: Cards, dice: Dice): unknown => {
  const tools = toolsOfPrompt(variables.get('tools'), cards, collectSeenValues(variables));
  const parsed = pairToMend.safeParse(variables.get('pair'));
  if (!parsed.success) return { source: 'Nothing.', followUp: 'Nothing at all.', arguments: [] };
  const { source, followUp, chain } = parsed.data;
  const steps = mergeStepsOfRequests(
    chain,
    tools,
    readStepsFromRequest(source, tools),
    readStepsFromRequest(followUp, tools),
  );
  if (steps.length === 0) return { source, followUp, arguments: [] };
  const kept = findClarificationWithoutObjection(variables.get('facts'), variables.get('diagnosis'));
  const { relation: _, ...worded } = wordBothRequestsOfPair(
    steps,
    [steps, steps],
    'none',
    writableRelationOrParaphrase(variables.get('relation')),
    dice,
  );
  return pairWithClarification(worded, kept, dice);
};

const makeFlawedPair = (
  steps: readonly Step[],
  flaw: Flaw,
  { facts, clarification }: Grounded,
  asked: Relation,
  dice: Dice,
): Worded & { readonly relation: Relation; readonly chain: readonly string[]; readonly facts: Grounded['facts'] } => {
  const { source, followUp } = stepsOfBothRequestsUnderFlaw(steps, flaw, dice);
  const { relation, ...worded } = wordBothRequestsOfPair(steps, [source, followUp], flaw, asked, dice);
  return {
    ...pairWithClarification(worded, clarification, dice),
    relation,
    chain: steps.map((step) => step.tool.name),
    facts,
  };
};

/** Returns both requests with the sentence that clarifies a name, in different words and at different ends. */
const pairWithClarification = (worded: Worded, clarification: Grounded['clarification'], dice: Dice): Worded => {
  const ways = dice.pick(sayings);
  if (clarification === null || ways === undefined) return worded;
  const { name, said } = clarification;
  const withSentence = (text: string, sentence: string): string =>
    dice.chance(0.3) ? `${sentence} ${text}` : `${text} ${sentence}`;
  return {
    ...worded,
    source: withSentence(worded.source, ways[0](name, said)),
    followUp: withSentence(worded.followUp, ways[1](name, said)),
  };
};

const wordBothRequestsOfPair = (
  steps: readonly Step[],
  [source, followUp]: readonly [Told, Told],
  flaw: Flaw,
  asked: Relation,
  dice: Dice,
): Worded & { readonly relation: Relation } => {
  const phrases =
    asked === 'order' ? choosePhrasePairs(steps, dice, hasDifferentSlotOrders) : choosePhrasePairs(steps, dice);
  const relation = possibleRelationOrParaphrase(asked, steps, phrases);
  const ways = drawStylesOfBothRequests(relation, dice);
  const [first, second] = valueFormatters(relation);
  const one = wordStepsAsClauses(source, phrases, 0, first);
  const other = wordStepsAsClauses(followUp, phrases, 1, second);
  const later = flaw === 'vague' ? clausesWithVagueReference(steps, other) : other;
  const text = joinClausesInRandomStyle(ways[1], clausesWithoutLostOnes(later), dice);
  return {
    source: joinClausesInRandomStyle(ways[0], clausesWithoutLostOnes(one), dice),
    followUp: relation === 'added-context' ? `${dice.pick(contexts) ?? ''} ${text}` : text,
    arguments: listArgumentOrigins(steps, phrases, relation),
    relation,
  };
};

const wordStepsAsClauses = (
  told: Told,
  phrases: readonly (readonly [Phrase, Phrase])[],
  which: 0 | 1,
  state: (value: SlotValue) => string,
): (string | null)[] =>
  told.map((step, index) => {
    const phrase = phrases[index]?.[which];
    return step === null || phrase === undefined ? null : stepAsClause(step, phrase, state);
  });

const clausesWithoutLostOnes = (clauses: readonly (string | null)[]): string[] =>
  clauses.filter((clause) => clause !== null);

/** Says "the result" for the first passing value, which a careful writer would name. */
const clausesWithVagueReference = (steps: readonly Step[], clauses: readonly (string | null)[]): (string | null)[] => {
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

const scenario = z.union([
  z.string().transform((request) => ({ request, factQuery: '' })),
  z.looseObject({ request: z.string(), factQuery: z.string().catch('') }),
]);
const noErrand: Errand = { request: '', factQuery: '' };

/** Draws without replacement; each place in the order of preference is a tenth less likely than the previous one. */
const drawFavouriteTools = (favourites: readonly KnownTool[], count: number, dice: Dice): KnownTool[] => {
  const open = [...favourites];
  const drawn: KnownTool[] = [];
  while (drawn.length < count && open.length > 0) {
    const at = Math.floor(Math.log(1 - dice.next()) / Math.log(0.9)) % open.length;
    drawn.push(...open.splice(at, 1));
  }
  return drawn;
};
