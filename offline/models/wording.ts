import type { Output } from '../cards/card.ts';
import type { Step } from './chaining.ts';
import { statedTextWithoutQuotes, statedValueText, type SlotValue } from './literals.ts';
import { fillPhrase, type Phrase } from './phrases.ts';
import { spansOfValueInBothRequests, type Relation } from './relating.ts';
import type { Dice } from './seeded.ts';
import { hasValueFixedBySchema } from './schemas.ts';
import { stemsOfContentWords, splitIdentifierIntoWords } from './words.ts';

/** Words a step as a clause in one of its tool's wordings. */
export const stepAsClause = (
  step: Step,
  phrase: Phrase,
  state: (value: SlotValue) => string = statedValueText,
): string =>
  fillPhrase(phrase, (slot) => {
    const filling = step.fillings[slot];
    if (filling === undefined) return unsaid;
    return filling.kind === 'stated' ? state(filling.value) : filling.output.noun;
  });

/** The content of an unfilled slot. */
const unsaid = 'the usual one';

/**
 * Returns two different wordings for each step. If a required argument is implied by the words, the two share such a
 * word if any two do; else two that are `liked`, if any.
 */
export const choosePhrasePairs = (
  steps: readonly Step[],
  dice: Dice,
  liked: (pair: readonly [Phrase, Phrase]) => boolean = () => false,
): [Phrase, Phrase][] =>
  steps.flatMap((step) => {
    const phrases = dice.shuffle(step.tool.phrases);
    const pairs = phrases.flatMap((one) =>
      phrases.filter((other) => other !== one).map((other) => [one, other] as const),
    );
    const [first] = phrases;
    if (first === undefined) return [];
    const sharing = listWordImpliedArguments(step).length === 0 ? undefined : pairs.find(phrasesShareWord);
    const [one, other] = sharing ?? pairs.find(liked) ?? pairs[0] ?? [first, first];
    return [[one, other]];
  });

const listWordImpliedArguments = ({ tool }: Step): string[] =>
  tool.schema.required.filter(
    (name) => tool.card.constants?.[name] !== undefined && !hasValueFixedBySchema(tool.schema.properties[name] ?? {}),
  );

const wordsOutsideSlots = (phrase: Phrase): string[] =>
  phrase.text
    .replace(/\{[^{}]+\}/gu, ' ')
    .split(/[\s,]+/u)
    .filter((word) => stemsOfContentWords(word).length > 0);

const phrasesShareWord = ([one, other]: readonly [Phrase, Phrase]): boolean =>
  wordsOutsideSlots(one).some((word) => wordsOutsideSlots(other).includes(word));

/** The source of an argument's value, in the terms of the forms. */
export type Source =
  | { readonly kind: 'span'; readonly text: string }
  | { readonly kind: 'spans'; readonly source: string; readonly followUp: string }
  | { readonly kind: 'default' }
  | { readonly kind: 'field'; readonly step: number; readonly field: string };

export interface Origin {
  readonly step: number;
  readonly argument: string;
  readonly source: Source;
}

/**
 * Returns the source of every required argument, given the two wordings of each step; steps count from 1. A value that
 * goes into an object or a list is named by its place in it.
 */
export const listArgumentOrigins = (
  steps: readonly Step[],
  phrases: readonly (readonly [Phrase, Phrase])[],
  relation: Relation = 'paraphrase',
): Origin[] =>
  steps.flatMap((step, index) =>
    step.tool.schema.required.flatMap((argument) => {
      const source = findSourceOfArgument(steps, step, argument, { phrases: phrases[index], relation });
      const template = step.fillings[argument] === undefined ? undefined : step.tool.card.slots[argument]?.argument;
      const places = template === undefined ? [argument] : listTemplateValuePaths(template, argument);
      return places.map((place) => ({ step: index + 1, argument: place, source }));
    }),
  );

/** Returns the paths at which a template has the value, each once. */
const listTemplateValuePaths = (template: unknown, path: string): string[] => {
  if (template === '$value') return [path];
  const inner = Array.isArray(template)
    ? template.flatMap((item: unknown) => listTemplateValuePaths(item, `${path}[]`))
    : typeof template === 'object' && template !== null
      ? Object.entries(template).flatMap(([name, value]) => listTemplateValuePaths(value, `${path}.${name}`))
      : [];
  return [...new Set(inner)];
};

const findSourceOfArgument = (
  steps: readonly Step[],
  step: Step,
  argument: string,
  { phrases, relation }: { readonly phrases: readonly [Phrase, Phrase] | undefined; readonly relation: Relation },
): Source => {
  const filling = step.fillings[argument];
  if (filling?.kind === 'stated') {
    const [source, followUp] = spansOfValueInBothRequests(filling.value, relation);
    return source === followUp ? { kind: 'span', text: source } : { kind: 'spans', source, followUp };
  }
  if (filling?.kind === 'given') {
    const field = resultFieldOfOutput(filling.output, steps[filling.step]?.tool.fields ?? []);
    return { kind: 'field', step: filling.step + 1, field };
  }
  const constant = step.tool.card.constants?.[argument];
  if (constant === undefined || phrases === undefined || !listWordImpliedArguments(step).includes(argument)) {
    return { kind: 'default' };
  }
  const text = findImplyingWord(constant, phrases) ?? firstSlotText(step);
  return text === undefined ? { kind: 'default' } : { kind: 'span', text };
};

/**
 * Returns the name of the result field with an output: the path to it; if the value is found in the text, the field of
 * the structured result that contains it; or the noun if results have no fields.
 */
const resultFieldOfOutput = ({ pick, noun }: Output, fields: readonly string[]): string => {
  if ('path' in pick && (fields.length === 0 || fields.includes(pick.path.split('.')[0] ?? ''))) return pick.path;
  const plain = noun.replace(/^(?:the|a|an)\s+/iu, '');
  const wanted = new Set(stemsOfContentWords(plain));
  return (
    fields.find((field) => 'pattern' in pick && pick.pattern.includes(field)) ??
    fields.find((field) =>
      stemsOfContentWords(splitIdentifierIntoWords(field).join(' ')).some((word) => wanted.has(word)),
    ) ??
    fields.find((field) => field !== 'success' && field !== 'mode') ??
    plain
  );
};

/** Number words by value. */
const cardinals = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const ordinals = ['', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

/**
 * Returns the word in both wordings that implies a constant: one that says the number or looks like the text, else the
 * longest common one.
 */
const findImplyingWord = (constant: unknown, [one, other]: readonly [Phrase, Phrase]): string | undefined => {
  const others = new Set(wordsOutsideSlots(other));
  const shared = wordsOutsideSlots(one).filter((word) => others.has(word));
  if (typeof constant === 'number') {
    const said = new Set([String(constant), cardinals[constant], ordinals[constant]]);
    const number = shared.find((word) => word.split('-').some((part) => said.has(part.toLowerCase())));
    if (number !== undefined) return number;
  }
  const root = String(constant).toLowerCase().slice(0, 4);
  const near = shared.find((word) => root.length > 2 && word.toLowerCase().startsWith(root));
  return near ?? shared.toSorted((a, b) => b.length - a.length)[0];
};

/** Without a common word, the content of the first slot shows what is meant. */
const firstSlotText = (step: Step): string | undefined => {
  const [filling] = Object.values(step.fillings);
  if (filling === undefined) return undefined;
  return filling.kind === 'stated' ? statedTextWithoutQuotes(filling.value) : filling.output.noun;
};
