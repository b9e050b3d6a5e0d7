import { z } from 'zod';
import { textOfVariable } from './coverage.ts';

const field = z.looseObject({
  type: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  enumNames: z.array(z.string()).optional(),
  oneOf: z.array(z.looseObject({ const: z.unknown(), title: z.string().optional() })).optional(),
});
type Field = z.infer<typeof field>;

const form = z.looseObject({ properties: z.record(z.string(), field).catch({}) });

interface Filled {
  readonly value: string | number | boolean;
  readonly quote: string;
}

/**
 * Form `user-answer`: gives a field one of its choices if the request names it, a text or number that follows the field's name in
 * the request, and a yes if the request has all words of the field's name or description that matter.
 */
export const answerForUser = (variables: ReadonlyMap<string, unknown>): unknown => {
  const request = textOfVariable(variables, 'request');
  const { properties } = form.catch({ properties: {} }).parse(variables.get('fields'));
  const answers = Object.entries(properties).flatMap(([name, each]) => {
    const filled = findNamedChoiceOrNull(each, request) ?? findStatedValueOrNull(name, each, request);
    return filled === null ? [] : [{ field: name, ...filled }];
  });
  const why = answers.length === 0 ? 'The request states nothing of it.' : 'The request states it.';
  return { why, answers };
};

/** Finds words in a request, in any case, and returns them as the request writes them. */
const findWordsAsWritten = (words: string, request: string): string | null => {
  const pattern = words
    .split(/[\s_-]+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\s_-]+');
  return new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'iu').exec(request)?.[0] ?? null;
};

function findNamedChoiceOrNull(
  { enum: values = [], enumNames = [], oneOf = [] }: Field,
  request: string,
): Filled | null {
  const choices = [
    ...values.map((value, index) => ({ value, names: [String(value), enumNames[index] ?? ''] })),
    ...oneOf.map(({ const: value, title = '' }) => ({ value, names: [String(value), title] })),
  ];
  for (const { value, names } of choices) {
    const quote = names.filter((each) => each !== '').flatMap((each) => findWordsAsWritten(each, request) ?? [])[0];
    if (quote !== undefined && (typeof value === 'string' || typeof value === 'number')) return { value, quote };
  }
  return null;
}

/** Words of a name that a request need not have. */
const small = new Set([
  'a',
  'an',
  'and',
  'are',
  'do',
  'for',
  'in',
  'is',
  'it',
  'of',
  'on',
  'or',
  'the',
  'to',
  'want',
  'with',
  'you',
  'your',
]);

function findStatedValueOrNull(
  name: string,
  { type, title, description, enum: values, oneOf }: Field,
  request: string,
): Filled | null {
  if (values !== undefined || oneOf !== undefined) return null;
  const label = [name, title ?? ''].flatMap((each) =>
    each === '' ? [] : (findWordsAsWritten(each, request) ?? []),
  )[0];
  if (type === 'boolean') {
    const words = [name, title ?? '', description ?? ''].map((each) =>
      each
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => word.length > 1 && !small.has(word)),
    );
    const quotes = words
      .filter((each) => each.length > 0)
      .map((each) => each.map((word) => findWordsAsWritten(word, request)))
      .find((each) => each.every((quote) => quote !== null));
    const quote = quotes?.[0];
    return quote === undefined || quote === null ? null : { value: true, quote };
  }
  if (label === undefined) return null;
  const after = request.slice(request.indexOf(label) + label.length);
  const pattern =
    type === 'number' || type === 'integer'
      ? /^\W{0,3}(?:is |of |as |to )?(-?\d+(?:\.\d+)?)/i
      : /^\W{0,3}(?:is |of |as |to |called )?["'“]?([\p{L}\p{N}][\p{L}\p{N}@._-]*)/iu;
  const found = pattern.exec(after);
  const text = found?.[1]?.replace(/[.]+$/, '');
  if (found === null || text === undefined) return null;
  const quote = `${label}${found[0]}`;
  return { value: type === 'number' || type === 'integer' ? Number(text) : text, quote };
}
