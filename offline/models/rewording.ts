import { z } from 'zod';
import { splitIdentifierIntoWords } from './words.ts';

const shownTool = z.looseObject({
  n: z.int(),
  name: z.string(),
  title: z.string().nullable().catch(null),
  description: z.string().catch(''),
  arguments: z
    .array(z.looseObject({ name: z.string(), required: z.boolean(), description: z.string(), type: z.string() }))
    .catch([]),
});
type ShownTool = z.infer<typeof shownTool>;
const shownSiblings = z.array(z.looseObject({ name: z.string(), description: z.string().catch('') })).catch([]);
const shownConfusions = z.array(z.looseObject({ expected: z.string(), called: z.string() })).catch([]);

const longestDescription = 1_000;
const longestSentence = 200;

/** Returns the name of a tool behind its server. */
const ownName = (name: string): string => name.slice(name.indexOf('/') + 1);

/** Returns the first sentence of a description; without one, the words of the tool's name. */
const firstSentence = (name: string, description: string): string => {
  const sentence = /^[\s\S]*?(?=[.!?](?:\s|$)|\n|$)/u.exec(description.trim())?.[0].trim() ?? '';
  return (sentence === '' ? splitIdentifierIntoWords(ownName(name)).join(' ') : sentence).slice(0, longestSentence);
};

/**
 * Form `wording`: adds to the description of each tool which arguments it needs, and what the tools do that it was confused with;
 * gives a title to a tool without one, and describes arguments that nobody describes by their names and types.
 */
export const answerWordingForm = (variables: ReadonlyMap<string, unknown>): unknown => {
  const tools = z.array(shownTool).catch([]).parse(variables.get('tools'));
  const confusions = shownConfusions.parse(variables.get('confusions'));
  const known = new Map(
    [...tools, ...shownSiblings.parse(variables.get('siblings'))].map(({ name, description }) => [name, description]),
  );
  return { tools: tools.map((tool) => rewordTool(tool, listConfusedWith(tool.name, confusions), known)) };
};

const listConfusedWith = (name: string, confusions: z.infer<typeof shownConfusions>): string[] => [
  ...new Set(
    confusions.flatMap(({ expected, called }) => (expected === name ? [called] : called === name ? [expected] : [])),
  ),
];

const rewordTool = (
  { n, name, title, description, arguments: given }: ShownTool,
  confusedWith: readonly string[],
  known: ReadonlyMap<string, string>,
) => {
  const needed = given.filter(({ required }) => required).map((argument) => argument.name);
  const parts = [
    description.trim() === '' ? `${sentenceCase(firstSentence(name, ''))}.` : description.trim(),
    ...(needed.length === 0 ? [] : [`It needs ${needed.join(', ')}.`]),
    ...confusedWith.map((other) => `It is not ${ownName(other)}: ${firstSentence(other, known.get(other) ?? '')}.`),
  ];
  return {
    n,
    title: title ?? sentenceCase(splitIdentifierIntoWords(ownName(name)).join(' ')),
    description: joinUpTo(parts, longestDescription),
    arguments: given
      .filter((argument) => argument.description.trim() === '')
      .map((argument) => ({ name: argument.name, description: describeArgument(argument) })),
  };
};

/** Joins parts that are not in the text already, as many as fit; null where only the first one does. */
const joinUpTo = ([first = '', ...others]: readonly string[], longest: number): string | null => {
  let text = first;
  for (const part of others) if (!text.includes(part) && text.length + part.length < longest) text += ` ${part}`;
  return text === first && first.length > longest ? null : text;
};

const schemaType = z.looseObject({ type: z.string().catch('value'), enum: z.array(z.unknown()).catch([]) });

const describeArgument = ({ name, type }: ShownTool['arguments'][number]): string => {
  const words = splitIdentifierIntoWords(name).join(' ');
  const read = schemaType.safeParse(parseOrNull(type));
  if (!read.success) return `The ${words}`;
  const choices = read.data.enum.map((each) => JSON.stringify(each)).join(', ');
  if (choices !== '') return `The ${words}, one of ${choices.slice(0, longestSentence)}`;
  return `The ${words}, ${/^[aeiou]/u.test(read.data.type) ? 'an' : 'a'} ${read.data.type}`;
};

/** A long type is cut in the prompt, and then no JSON. */
const parseOrNull = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return null;
  }
};

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
