import { z } from 'zod';

/** A passage that a pair's writer says it used: what the forms `audit` and `refinement` are shown. */
const claim = z.looseObject({
  passage: z.number().int(),
  text: z.string(),
  name: z.string(),
  settles: z.string(),
  quote: z.string(),
});
export type Claim = z.infer<typeof claim>;

/** The claims of a prompt; entries that are none are passed over. */
export const claimsOf = (listed: unknown): Claim[] =>
  (Array.isArray(listed) ? listed : []).flatMap((entry: unknown) => claim.safeParse(entry).data ?? []);

/** What is settled about a name, as a statement. A unit gets an article, a place has none. */
export const settle = (name: string, said: string): string =>
  /^\p{Lu}/u.test(name) ? `${name} is ${said}` : `${/^[aeiou]/iu.test(name) ? 'An' : 'A'} ${name} is ${said}`;

/** What a statement says of a name; null where it does not begin with the name. */
export const saidOf = (name: string, statement: string): string | null => {
  const plain = statement.replace(/^(?:an?|the) (?=.)/iu, '');
  const opening = `${name} is `;
  return plain.toLowerCase().startsWith(opening.toLowerCase()) ? plain.slice(opening.length) : null;
};

/** Whether a text has a name as a word of its own, or as several of the same. */
export const speaksOf = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}])${name.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&')}s?(?![\\p{L}\\p{N}])`, 'iu').test(
    text,
  );
