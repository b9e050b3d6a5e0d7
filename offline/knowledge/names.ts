import { readFileSync } from 'node:fs';
import { passagesFile } from './files.ts';
import { passage } from './passage.ts';

/** One thing with a name, and what its passage says about it. */
export interface Sense {
  readonly id: string;
  /** The first statement of the passage, in its own words, without a full stop. */
  readonly said: string;
}

/** Returns the names before a passage's colon. */
export const parseNamesBeforeColon = (text: string): string[] => text.slice(0, text.indexOf(': ')).split(', ');

/** Returns what a passage says first: up to a semicolon, a bracket or a quotation. */
export const firstStatementOf = (text: string): string =>
  (text.slice(text.indexOf(': ') + 2).split(/[;("]/u)[0] ?? '').trim().replace(/[.,]$/u, '');

let senses: ReadonlyMap<string, readonly Sense[]> | undefined;

/** Returns the senses of a name, in lower case, that several things have; none for any other. The file is read once. */
export const listSensesIfNameShared = (name: string): readonly Sense[] => {
  senses ??= readSensesOfSharedNames();
  return senses.get(name.toLowerCase()) ?? [];
};

/** A country has many passages but is one thing; WordNet has one passage for each thing. */
const readSensesOfSharedNames = (): ReadonlyMap<string, readonly Sense[]> => {
  const bearers = new Map<string, Sense[]>();
  for (const line of readFileSync(passagesFile, 'utf8').split('\n')) {
    if (line === '') continue;
    const { id, text } = passage.parse(JSON.parse(line));
    if (!id.startsWith('wordnet:')) continue;
    for (const name of new Set(parseNamesBeforeColon(text).map((one) => one.toLowerCase())))
      bearers.set(name, [...(bearers.get(name) ?? []), { id, said: firstStatementOf(text) }]);
  }
  return new Map([...bearers].filter(([, all]) => all.length > 1));
};
