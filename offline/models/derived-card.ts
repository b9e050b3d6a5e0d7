import type { Card, Output, Slot } from '../cards/card.ts';
import { listArgumentSamples, listSqlSamplesOrNull } from './argument-samples.ts';
import { ownKind } from './shared-values.ts';
import { hasValueFixedBySchema, listJsonTypes, type ArgumentSchema, type Property } from './schemas.ts';
import { holders, nothingSeen, type Seen } from './seen-values.ts';
import {
  singularOf,
  parseVerbAndNounOfToolName,
  type ToolWords,
  worksOnArgumentsAlone,
  worksOnExisting,
} from './tool-words.ts';
import { acceptsAnyProse, textsByFormatPatternOrName } from './free-values.ts';
import { stemsOfContentWords, splitIdentifierIntoWords } from './words.ts';

/**
 * Derives a card for a tool without one, from its name, description and schema, and for a writer from what its server
 * has shown. Wordings depend on the name, description and schema alone, so that an agent that has seen nothing else
 * understands them. A slot without samples is one that nobody can fill, except from an earlier result.
 */
export const deriveCard = (
  name: string,
  description: string,
  schema: ArgumentSchema,
  fields: readonly string[] = [],
  seen: Seen = nothingSeen,
): Card => {
  const slots: Record<string, Slot> = {};
  const constants: Record<string, unknown> = {};
  for (const [index, argument] of chooseNeededArguments(name, schema).entries()) {
    const property = schema.properties[argument] ?? {};
    if (hasValueFixedBySchema(property)) constants[argument] = property.default ?? property.const ?? property.enum?.[0];
    else slots[argument] = makeSlotForArgument({ name, description }, argument, property, index, seen);
  }
  const doing = describeTaskOfTool(name, description);
  return {
    tool: name,
    phrases: [
      `${doing}${slotWordingText(slots, (slot, words) => `with ${slot} as the ${words}`)}`,
      `go ahead and ${doing}${slotWordingText(slots, (slot, words) => `using ${slot} for the ${words}`)}`,
      `see to it for me to ${doing}${slotWordingText(slots, (slot, words) => `given that the ${words} is ${slot}`)}`,
    ],
    slots,
    constants,
    gives: describeFieldsAsOutputs(name, [...new Set([...fields, ...seen.fieldsOf(name)])]),
  };
};

/**
 * Returns the arguments that a call has to have: those that the schema requires; if it requires none, the first ones of a tool that
 * works on its arguments alone, the one that has the name of what the tool is about, such as `component` of `get_component`,
 * or the question of one that neither lists nor reads a thing.
 */
const chooseNeededArguments = (name: string, { required, properties }: ArgumentSchema): readonly string[] => {
  const { noun, verb } = parseVerbAndNounOfToolName(name);
  const about = Object.keys(properties).find((argument) => argument.toLowerCase() === noun.join('_'));
  if (required.length > 0) return required;
  const question = Object.keys(properties).find((argument) => questions.test(argument));
  if (question !== undefined && verb !== 'list' && !worksOnExisting({ verb })) return [question];
  if (verb === undefined) return required;
  if (worksOnArgumentsAlone({ verb }))
    return Object.keys(properties)
      .filter((argument) => properties[argument]?.default === undefined)
      .slice(0, 2);
  return about === undefined || verb === 'list' ? [] : [about];
};

/** Arguments that say what is asked for. */
const questions = /^(?:query|question|q|search_?(?:term|query)?|keywords?|terms?)$/iu;

/** Says what a tool does, as an order: by its name if that has a verb, else by the first words of its description. */
const describeTaskOfTool = (name: string, description: string): string => {
  const { verb, words } = parseVerbAndNounOfToolName(name);
  if (verb !== undefined) return [verb, ...words.filter((word) => word !== verb)].join(' ');
  const described = findImperativePhrase(description);
  return described ?? `carry out ${words.join(' ')}`;
};

/** Returns what the name of a tool says; a name without a verb has that of the description, if it begins with one. */
const readToolWords = (name: string, description: string): ToolWords => {
  const words = parseVerbAndNounOfToolName(name);
  return { ...words, verb: words.verb ?? findImperativePhrase(description)?.split(' ')[0] };
};

/** Introductions of descriptions that say nothing about what is done. */
const introduction =
  /^(?:(?:this|the|a|an)\s+)?(?:(?:mcp\s+)?(?:tool|function|endpoint|command|utility)\s*)?(?:(?:that|which|to|for|is used to|can be used to|allows you to|lets you|helps you|used to|use this to|use it to|allows to)\s+)*/iu;

/** Returns the first words of an English description as an order; undefined if they do not begin with a verb. */
const findImperativePhrase = (description: string): string | undefined => {
  const [sentence = ''] = description.split(/[.!?:;\n(,]/u);
  const plain = sentence
    .replace(introduction, '')
    .replace(/["'`“”«»{}[\]]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  const [first = '', ...rest] = plain.split(' ').slice(0, 10);
  const verb = imperativeOfVerb(first);
  return /^[a-z]+$/u.test(verb) && parseVerbAndNounOfToolName(verb).verb !== undefined
    ? [verb, ...rest].join(' ')
    : undefined;
};

const imperativeOfVerb = (verb: string): string => {
  const lower = verb.toLowerCase();
  if (/(?:sh|ch|ss|x)es$/u.test(lower)) return lower.slice(0, -2);
  if (lower.endsWith('ies')) return `${lower.slice(0, -3)}y`;
  return /[^s]s$/u.test(lower) && lower.length > 3 ? lower.slice(0, -1) : lower;
};

const slotWordingText = (slots: Record<string, Slot>, wording: (slot: string, words: string) => string): string => {
  const parts = Object.keys(slots).map((slot) => wording(`{${slot}}`, splitIdentifierIntoWords(slot).join(' ')));
  return parts.length === 0 ? '' : ` ${parts.join(' and ')}`;
};

const makeSlotForArgument = (
  { name: tool, description }: { readonly name: string; readonly description: string },
  argument: string,
  property: Property,
  place: number,
  seen: Seen,
): Slot => {
  const words = splitIdentifierIntoWords(argument);
  const about = readToolWords(tool, description);
  const samples = listArgumentSamples({ tool, about, description, words, property, place }, argument, seen);
  const [type = 'string'] = listJsonTypes(property).filter((one) => one !== 'null');
  // A query that is described as SQL is no sentence.
  const anyText =
    type === 'string' &&
    acceptsAnyProse(words, property) &&
    property.enum === undefined &&
    textsByFormatPatternOrName(words, property).length === 0;
  // The statement of one tool is none for another.
  if (type === 'string' && listSqlSamplesOrNull({ tool, about, description, words, property }, seen) !== null)
    return { kind: `${ownKind}${tool} ${argument}`, samples };
  return { kind: anyText ? 'text' : kindOfValueByName(tool, words), samples };
};

/**
 * The kind of a value by what it is called: the `id` of a task and a `task_id` are of one kind. What is known by it is known on
 * its own server only.
 */
const kindOfValueByName = (tool: string, words: readonly string[]): string => {
  const own =
    words.length === 1 && vague.has(words[0] ?? '') ? [...parseVerbAndNounOfToolName(tool).noun, ...words] : words;
  const server = vague.has(own.at(-1) ?? '') && tool.includes('/') ? tool.slice(0, tool.indexOf('/') + 1) : '';
  const named = own.length > 1 && own.at(-1) === 'name' ? own.slice(0, -1) : own;
  return `${ownKind}${server}${named.map(singularOf).join(' ')}`;
};

const vague = new Set(['id', 'name', 'title', 'key', 'slug', 'path', 'uri', 'uuid', 'file', 'status', 'type']);

/** Fields that say how a call went, not what it found. */
const uninteresting = new Set(['success', 'ok', 'status', 'message', 'error', 'count', 'total', 'text', 'content']);

const describeFieldsAsOutputs = (name: string, paths: readonly string[]): Output[] => {
  const described = paths.flatMap((path) => {
    const words = wordsOfField(path);
    if (uninteresting.has(words.join(' ')) || stemsOfContentWords(words.join(' ')).length === 0) return [];
    return [{ kind: kindOfValueByName(name, words), noun: formatFieldReference(path), pick: { path } }];
  });
  // Two fields of one name could not be told apart by who reads the request.
  return [...new Map(described.toReversed().map((output) => [output.noun, output])).values()]
    .toReversed()
    .toSorted((one, other) => Number(isIdentifying(other)) - Number(isIdentifying(one)))
    .slice(0, 6);
};

const isIdentifying = ({ pick }: Output): boolean =>
  'path' in pick && vague.has(splitIdentifierIntoWords(pick.path).at(-1) ?? '');

/** Returns the words of the field at the end of a path; a vague one has those of what it belongs to: `tasks.0.id`, task id. */
const wordsOfField = (path: string): readonly string[] => {
  const [last = '', owner] = path
    .split('.')
    .filter((step) => !/^\d+$/u.test(step))
    .toReversed();
  const words = splitIdentifierIntoWords(last);
  if (owner === undefined || words.length > 1 || !vague.has(words[0] ?? '')) return words;
  const own = splitIdentifierIntoWords(owner).map(singularOf);
  return holders.has(own.join(' ')) ? words : [...own, ...words];
};

const tail = ' that came back';

/** How a request names a field of an earlier result, so that an agent finds it without knowing the tool. */
export const formatFieldReference = (path: string): string => `the ${wordsOfField(path).join(' ')}${tail}`;

/** Returns the words of the field that such a name means; null for other words. */
export const parseFieldReference = (words: string): string | null =>
  /^(?:the\s+)?(.+) that came back$/iu.exec(words.trim())?.[1]?.toLowerCase() ?? null;
