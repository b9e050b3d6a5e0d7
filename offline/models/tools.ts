import { z } from 'zod';
import type { Card } from '../cards/card.ts';
import { deriveCard } from './derived-card.ts';
import { compileWordingsOnce, type Wordings } from './phrases.ts';
import type { FunctionTool } from './protocol.ts';
import { nothingSeen, type Seen } from './seen-values.ts';
import { parseArgumentSchema, type ArgumentSchema } from './schemas.ts';
import { stemsOfContentWords, splitIdentifierIntoWords } from './words.ts';

/** Everything that the rules know about one tool. */
export interface KnownTool extends Wordings {
  /** `server/tool` in prompts; the function's name if an agent got a function without a card. */
  readonly name: string;
  readonly category: string;
  readonly card: Card;
  /** Stems of its name and description. */
  readonly description: ReadonlySet<string>;
  readonly schema: ArgumentSchema;
  /** The fields of its structured results, if it describes them. */
  readonly fields: readonly string[];
}

/** Cards by `server/tool`. */
export type Cards = ReadonlyMap<string, Card>;

const promptTool = z.looseObject({
  name: z.string(),
  category: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.unknown().optional(),
  outputSchema: z.unknown().optional(),
});

/**
 * Returns the tools that a prompt lists; skips malformed entries. With what servers have shown, slots of derived cards have
 * values that are there.
 */
export const toolsOfPrompt = (listed: unknown, cards: Cards, seen: Seen = nothingSeen): KnownTool[] =>
  (Array.isArray(listed) ? listed : []).flatMap((entry: unknown) => {
    const parsed = promptTool.safeParse(entry);
    if (!parsed.success) return [];
    const { name, category, description, inputSchema, outputSchema } = parsed.data;
    const schema = parseArgumentSchema(inputSchema);
    const fields = Object.keys(parseArgumentSchema(outputSchema).properties);
    const card = cards.get(name) ?? deriveCard(name, description ?? '', schema, fields, seen);
    return [{ ...makeKnownTool(name, category ?? '', description ?? '', schema, card), fields }];
  });

/** Returns a function's name for a tool: the slash becomes two underscores, other special characters are replaced. */
export const functionNameOfTool = (tool: string): string => tool.replace('/', '__').replace(/[^A-Za-z0-9_-]/gu, '_');

/** Returns the tools that an agent got as functions, in order, under the functions' names. */
export const readFunctionToolsOnce = (functions: readonly FunctionTool[], cards: Cards): readonly KnownTool[] => {
  const before = functionLists.get(cards) ?? new Map<string, readonly KnownTool[]>();
  functionLists.set(cards, before);
  const key = JSON.stringify(functions);
  const known = before.get(key) ?? makeKnownToolsOfFunctions(functions, cards);
  // Puts the list last; the first one is the one that was not asked for the longest time.
  before.delete(key);
  before.set(key, known);
  const [oldest] = before.keys();
  if (before.size > mostLists && oldest !== undefined) before.delete(oldest);
  return known;
};

/** All turns of an attempt, and all attempts at a unit, come with the same hundred tools. */
const functionLists = new WeakMap<Cards, Map<string, readonly KnownTool[]>>();
const mostLists = 100;

const makeKnownToolsOfFunctions = (functions: readonly FunctionTool[], cards: Cards): readonly KnownTool[] => {
  const byFunction = mapCardsByFunctionOnce(cards);
  return functions.map(({ name, description = '', parameters }) => {
    const schema = parseArgumentSchema(parameters);
    const card =
      byFunction.get(name) ?? findCardOfShortenedName(name, byFunction) ?? deriveCard(name, description, schema);
    return makeKnownTool(name, '', description, schema, card);
  });
};

const functionNames = new WeakMap<Cards, ReadonlyMap<string, Card>>();

const mapCardsByFunctionOnce = (cards: Cards): ReadonlyMap<string, Card> => {
  const known = functionNames.get(cards) ?? new Map([...cards].map(([name, card]) => [functionNameOfTool(name), card]));
  functionNames.set(cards, known);
  return known;
};

/** Long names are cut and end in a hash; the card that shares most of the beginning is meant. */
const findCardOfShortenedName = (name: string, byFunction: ReadonlyMap<string, Card>): Card | undefined => {
  if (name.length < 40) return undefined;
  const fitting = [...byFunction].filter(([whole]) => whole.length > 40 && whole.slice(0, 40) === name.slice(0, 40));
  return fitting.length === 1 ? fitting[0]?.[1] : undefined;
};

const makeKnownTool = (
  name: string,
  category: string,
  description: string,
  schema: ArgumentSchema,
  card: Card,
): KnownTool => {
  return {
    name,
    category,
    card,
    ...compileWordingsOnce(card),
    description: stemsOfTextOnce(`${description} ${splitIdentifierIntoWords(name).join(' ')}`),
    fields: [],
    schema,
  };
};

const stems = new Map<string, ReadonlySet<string>>();
const mostStems = 2_000;

/** The stems of a description, cached because the same ones come with every call. */
const stemsOfTextOnce = (text: string): ReadonlySet<string> => {
  const before = stems.get(text);
  if (before !== undefined) return before;
  const found = new Set(stemsOfContentWords(text));
  if (stems.size < mostStems) stems.set(text, found);
  return found;
};
