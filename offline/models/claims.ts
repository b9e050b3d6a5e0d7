import { z } from 'zod';

/** A passage that a pair's writer says it used, as the forms `audit` and `refinement` show it. */
const claim = z.looseObject({
  passage: z.number().int(),
  text: z.string(),
  name: z.string(),
  settles: z.string(),
  quote: z.string(),
});
export type Claim = z.infer<typeof claim>;

/** Returns the claims in a prompt; skips malformed entries. */
export const parseValidClaims = (listed: unknown): Claim[] =>
  (Array.isArray(listed) ? listed : []).flatMap((entry: unknown) => claim.safeParse(entry).data ?? []);

/** Formats what is settled about a name as a statement. A unit gets an article, a place does not. */
export const formatStatement = (name: string, said: string): string =>
  /^\p{Lu}/u.test(name) ? `${name} is ${said}` : `${/^[aeiou]/iu.test(name) ? 'An' : 'A'} ${name} is ${said}`;

/** Returns what a statement says about a name; null if it does not start with the name. */
export const stripNameFromStatementOrNull = (name: string, statement: string): string | null => {
  const plain = statement.replace(/^(?:an?|the) (?=.)/iu, '');
  const opening = `${name} is `;
  return plain.toLowerCase().startsWith(opening.toLowerCase()) ? plain.slice(opening.length) : null;
};

/** Returns whether a text has a name as a separate word, or in the plural. */
export const hasNameAsWord = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}])${name.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&')}s?(?![\\p{L}\\p{N}])`, 'iu').test(
    text,
  );
