import { z } from 'zod';
import { textOfVariable } from './coverage.ts';
import type { Dice } from './seeded.ts';
import { toolsOfPrompt, type Cards, type KnownTool } from './tools.ts';
import { interpretRequest, recognised } from './understanding.ts';
import { splitIdentifierIntoWords, stemsOfContentWords } from './words.ts';

/** Requests that no tool fits: the matter of a tool, and something done to it for which a tool needs hands, a voice or a car. */

/** Something to be done with a matter, in two wordings, and the words of tools that could do it. */
interface Wish {
  readonly source: (matter: string) => string;
  readonly followUp: (matter: string) => string;
  readonly doers: readonly string[];
}

const wishes: readonly Wish[] = [
  {
    source: (matter) => `Get the ${matter} printed on glossy paper and pinned to the wall behind my chair.`,
    followUp: (matter) => `I want a glossy printout of the ${matter} hanging on the wall behind my chair.`,
    doers: ['print', 'printer', 'paper', 'wall'],
  },
  {
    source: (matter) => `Ring my grandmother and read the ${matter} aloud to her, slowly.`,
    followUp: (matter) => `My grandmother should hear the ${matter} over the telephone, spoken slowly.`,
    doers: ['phone', 'telephone', 'dial', 'speak', 'voice', 'aloud'],
  },
  {
    source: (matter) => `Have a courier carry the ${matter} to the town hall of Aarhus in a sealed envelope.`,
    followUp: (matter) => `The ${matter} must reach the town hall of Aarhus by courier, sealed in an envelope.`,
    doers: ['courier', 'envelope', 'parcel', 'shipment', 'postal'],
  },
  {
    source: (matter) => `Carve the ${matter} into the oak bench that stands in our courtyard.`,
    followUp: (matter) => `I would like the ${matter} cut into the wood of the oak bench in our courtyard.`,
    doers: ['carve', 'engrave', 'wood', 'bench'],
  },
  {
    source: (matter) => `Let a notary swear to the ${matter} and bring me the stamped deed.`,
    followUp: (matter) => `I need the ${matter} sworn to before a notary, with the stamped deed in my hands.`,
    doers: ['notary', 'deed', 'stamp'],
  },
  {
    source: (matter) => `Sing the ${matter} at the next rehearsal of the village choir.`,
    followUp: (matter) => `At the village choir's next rehearsal somebody should sing the ${matter}.`,
    doers: ['sing', 'song', 'choir', 'music'],
  },
];

/** Returns the tools that a request seems to ask for. */
const listToolsThatRequestFits = (request: string, tools: readonly KnownTool[]): KnownTool[] => {
  const fitting = interpretRequest(request, tools).flatMap(({ readings }) =>
    readings.flatMap(({ tool, score }) => (score >= recognised ? [tool] : [])),
  );
  return [...new Set(fitting)];
};

const allToolsOf = (variables: ReadonlyMap<string, unknown>, cards: Cards): KnownTool[] => [
  ...toolsOfPrompt(variables.get('tools'), cards),
  ...toolsOfPrompt(variables.get('others'), cards),
];

/** Form `negative-pair`: something to be done with the matter of a tool that its words, and those of all others, do not ask for. */
export const answerNegativePairForm = (variables: ReadonlyMap<string, unknown>, cards: Cards, dice: Dice): unknown => {
  const [tool] = toolsOfPrompt(variables.get('tools'), cards);
  if (tool === undefined) return { why: 'There is no tool to look like.', pair: null };
  const all = allToolsOf(variables, cards);
  const known = new Set(all.flatMap(({ description }) => [...description]));
  const possible = wishes.filter(({ doers }) => !stemsOfContentWords(doers.join(' ')).some((word) => known.has(word)));
  const matter = matterOfTool(tool);
  for (const wish of dice.shuffle(possible)) {
    const pair = { source: wish.source(matter), followUp: wish.followUp(matter) };
    if (Object.values(pair).some((request) => listToolsThatRequestFits(request, all).length > 0)) continue;
    return {
      why: `It is about the ${matter}, as ${tool.name} is, but nothing is done to it that a tool could do.`,
      pair,
      relation: 'paraphrase',
    };
  }
  return { why: `All that could be asked about ${tool.name} sounds like one of the tools.`, pair: null };
};

/** Returns what a tool is about, by its name: the words behind its verb, or its only word. */
const matterOfTool = ({ name }: KnownTool): string => {
  const words = splitIdentifierIntoWords(name.slice(name.indexOf('/') + 1));
  return (words.length > 1 ? words.slice(1) : words).join(' ');
};

/** Words by which an answer says that something cannot be done. */
const wordsOfInability =
  /\b(?:cannot|can not|can['’]t|unable to|not able to|no tools?\b[^.]*\b(?:for|to|that|can)|none of (?:my|the|these) tools|nothing in the request that I could do|do(?: not|n['’]t) have (?:a|any) (?:tool|way|means))\b/iu;

/** Form `refusal`: whether an answer says that it cannot be done, by its words. */
export const answerRefusalForm = (variables: ReadonlyMap<string, unknown>): unknown => {
  const found = wordsOfInability.exec(textOfVariable(variables, 'response'));
  return found === null
    ? { why: 'Nothing in the answer says that it cannot be done.', refused: false }
    : { why: `The answer says so: ${found[0].slice(0, 200)}`, refused: true };
};

const negativePair = z.looseObject({ source: z.string(), followUp: z.string() });
const sides = ['source', 'followUp'] as const;

interface Issue {
  readonly detail: string;
  readonly request: (typeof sides)[number];
  readonly tool: string | null;
  readonly type: 'hallucination' | 'semantic-mismatch';
}

/** Form `negative-audit`: objects to a request that the words of any tool ask for, and to one that says nothing. */
export const answerNegativeAuditForm = (variables: ReadonlyMap<string, unknown>, cards: Cards, dice: Dice): unknown => {
  const pair = negativePair.safeParse(variables.get('pair')).data;
  const all = allToolsOf(variables, cards);
  const issues = sides.flatMap((request): Issue[] => {
    const text = pair?.[request] ?? '';
    if (stemsOfContentWords(text).length < 2)
      return [{ detail: 'It asks for nothing.', request, tool: null, type: 'hallucination' }];
    return listToolsThatRequestFits(text, all).map(({ name }) => ({
      detail: 'This tool serves the request.',
      request,
      tool: name,
      type: 'semantic-mismatch',
    }));
  });
  const isSame = pair?.source === pair?.followUp;
  const jitter = dice.below(6);
  return {
    issues: issues.slice(0, 50),
    suggestions: issues.length === 0 ? [] : ['Ask for something that none of these tools does.'],
    semanticEquivalence: isSame ? 70 : 93 + jitter,
    unserved: issues.length === 0 ? 93 + jitter : 40 + jitter,
  };
};
