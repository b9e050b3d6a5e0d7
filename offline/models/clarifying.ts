import { maskLiterals, restoreMaskedLiterals } from './literals.ts';

/**
 * How a request says which of several things a name means: the sentences that the writer uses, and how a reader
 * recognizes them. They are not steps, and their content is not a value.
 */

/** What a sentence clarifies; `name` is null if the statement does not say which word it explains. */
export interface Clarification {
  readonly name: string | null;
  readonly said: string;
}

type Saying = (name: string, said: string) => string;

/** Two different ways to say the same, one for each request. */
export const sayings: readonly (readonly [Saying, Saying])[] = [
  [(name, said) => `By ${name} I mean ${said}.`, (name, said) => `${capitalizeFirst(name)} here is ${said}.`],
  [(name, said) => `When I say ${name}, I mean ${said}.`, (name, said) => `By ${name} I mean ${said}.`],
  [(name, said) => `${capitalizeFirst(name)} here is ${said}.`, (name, said) => `When I say ${name}, I mean ${said}.`],
];

const forms: readonly RegExp[] = [
  /^by (?<name>[\p{L}][\p{L} '-]{0,60}?) i mean (?<said>.+?)[.!]?$/iu,
  /^when i say (?<name>[\p{L}][\p{L} '-]{0,60}?), i mean (?<said>.+?)[.!]?$/iu,
  /^(?<name>[\p{L}][\p{L} '-]{0,60}?) here is (?<said>.+?)[.!]?$/iu,
  /^to be clear, (?<said>.+?)[.!]?$/iu,
];

const sentenceEnd = /(?<=[.;?!])\s+/u;

/** A masked request without its clarifying sentences. */
export const removeClarificationsFromMasked = (masked: string): string =>
  masked
    .trim()
    .split(sentenceEnd)
    .filter((sentence) => parseClarifyingSentenceOrNull(sentence) === null)
    .join(' ');

/** A request without its clarifying sentences. */
export const removeClarifications = (request: string): string => {
  const { text, literals } = maskLiterals(request);
  return restoreMaskedLiterals(removeClarificationsFromMasked(text), literals);
};

/** Returns what a request clarifies, in order. Sentences inside quotes belong to a value. */
export const listClarifications = (request: string): Clarification[] =>
  maskLiterals(request)
    .text.split(sentenceEnd)
    .flatMap((sentence) => parseClarifyingSentenceOrNull(sentence.trim()) ?? []);

const parseClarifyingSentenceOrNull = (sentence: string): Clarification | null => {
  for (const form of forms) {
    const groups = form.exec(sentence)?.groups;
    const said = groups?.['said'];
    if (said !== undefined) return { name: groups?.['name'] ?? null, said };
  }
  return null;
};

const capitalizeFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
