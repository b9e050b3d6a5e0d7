import type { z } from 'zod';
import { issueText } from '#core/values/issue-text.ts';
import { UsageError } from '../../engine/usage-error.ts';

/** An option of a verb, `--name VALUE` or the flag `--name`. */
export interface Option<T> {
  readonly name: string;
  /** The placeholder for the value in the help; null for a flag. */
  readonly value: string | null;
  readonly about: string;
  readonly many: boolean;
  readonly required: boolean;
  /** Parses the given values; none if the option was not given. Throws a UsageError for invalid ones. */
  parse(given: readonly string[]): T;
}

/** Parses one value. */
export type ValueParser<T> = (text: string) => T;

/** An optional option. */
export const optionalOption = <T>(
  name: string,
  value: string,
  about: string,
  reader: ValueParser<T>,
): Option<T | undefined> => ({
  name,
  value,
  about,
  many: false,
  required: false,
  parse: ([first]) => (first === undefined ? undefined : parseOrThrowWithOptionName(name, first, reader)),
});

/** A required option. */
export const requiredOption = <T>(name: string, value: string, about: string, reader: ValueParser<T>): Option<T> => ({
  name,
  value,
  about,
  many: false,
  required: true,
  parse([first]) {
    if (first === undefined) throw new UsageError(`--${name} ${value} is missing: ${about}`);
    return parseOrThrowWithOptionName(name, first, reader);
  },
});

/** A repeatable option. */
export const repeatableOption = <T>(
  name: string,
  value: string,
  about: string,
  reader: ValueParser<T>,
): Option<T[]> => ({
  name,
  value,
  about,
  many: true,
  required: false,
  parse: (given) => given.map((text) => parseOrThrowWithOptionName(name, text, reader)),
});

/** An option without a value. */
export const flagOption = (name: string, about: string): Option<boolean> => ({
  name,
  value: null,
  about,
  many: false,
  required: false,
  parse: (given) => given.length > 0,
});

const parseOrThrowWithOptionName = <T>(name: string, text: string, reader: ValueParser<T>): T => {
  try {
    return reader(text);
  } catch (error) {
    throw new UsageError(`--${name} "${text}": ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
};

/** Any non-empty text. */
export const parseNonEmptyText: ValueParser<string> = (given) => {
  if (given === '') throw new UsageError('give a text that is not empty');
  return given;
};

/** One of a list of words. */
export const makeOneOfParser =
  <T extends string>(words: readonly T[]): ValueParser<T> =>
  (given) => {
    const found = words.find((word) => word === given);
    if (found === undefined) throw new UsageError(`give one of ${words.join(', ')}`);
    return found;
  };

/** A number that a schema of the API accepts. */
export const makeSchemaNumberParser =
  (schema: z.ZodType<number | undefined>): ValueParser<number> =>
  (given) => {
    const number = given.trim() === '' ? Number.NaN : Number(given);
    if (!Number.isFinite(number)) throw new UsageError('give a number');
    const parsed = schema.safeParse(number);
    if (!parsed.success) throw new UsageError(parsed.error.issues.map(issueText).join('; '));
    return number;
  };

/** A text that a schema of the API accepts. */
export const makeSchemaTextParser =
  (schema: z.ZodType<string>): ValueParser<string> =>
  (given) => {
    const parsed = schema.safeParse(given);
    if (!parsed.success) throw new UsageError(parsed.error.issues.map(issueText).join('; '));
    return parsed.data;
  };
