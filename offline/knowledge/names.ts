import { readFileSync } from 'node:fs';
import { passagesFile } from './files.ts';
import { passage } from './passage.ts';

/** One thing that bears a name, and what its passage says of it. */
export interface Sense {
  readonly id: string;
  /** The first thing that the passage says, in its own words, without a stop. */
  readonly said: string;
}

/** The names that stand before a passage's colon. */
export const namesOf = (text: string): string[] => text.slice(0, text.indexOf(': ')).split(', ');

/** What a passage says first: up to a semicolon, a bracket or a quotation. */
export const firstSaid = (text: string): string =>
  (text.slice(text.indexOf(': ') + 2).split(/[;("]/u)[0] ?? '').trim().replace(/[.,]$/u, '');

let senses: ReadonlyMap<string, readonly Sense[]> | undefined;

/** The senses of a name, in lower case, that several things bear; none for any other. The file is read once. */
export const sensesOf = (name: string): readonly Sense[] => {
  senses ??= sharedNames();
  return senses.get(name.toLowerCase()) ?? [];
};

/** A country has many passages and is one thing; WordNet has a passage a thing. */
const sharedNames = (): ReadonlyMap<string, readonly Sense[]> => {
  const bearers = new Map<string, Sense[]>();
  for (const line of readFileSync(passagesFile, 'utf8').split('\n')) {
    if (line === '') continue;
    const { id, text } = passage.parse(JSON.parse(line));
    if (!id.startsWith('wordnet:')) continue;
    for (const name of new Set(namesOf(text).map((one) => one.toLowerCase())))
      bearers.set(name, [...(bearers.get(name) ?? []), { id, said: firstSaid(text) }]);
  }
  return new Map([...bearers].filter(([, all]) => all.length > 1));
};
