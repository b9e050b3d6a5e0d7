import type { Synset, WordNet } from './wordnet.ts';

/**
 * Selects WordNet's nouns that become passages: named places, units of measure, and people who share their name with
 * something.
 */
export const selectPassageSynsets = ({ synsets }: WordNet): Synset[] => {
  const all = [...synsets.values()];
  const places = all.filter((one) => isInstanceSynset(one) && placeFiles.has(one.file));
  const people = all.filter((one) => isInstanceSynset(one) && one.file === peopleFile);
  const units = listUnitSynsets(all);
  const named = [...places, ...people, ...units];
  const taken = new Set(named.flatMap(({ words }) => words));
  // The Ottawa are a people as well as a river and a city: a member of them is a sense of the name, but not an
  // instance.
  const namesakes = all.filter((one) => !isInstanceSynset(one) && isInoffensiveNamesake(one, taken));
  const sharedNames = listNamesOfSeveralSynsets([...named, ...namesakes]);
  const chosen = new Set([
    ...places,
    ...units,
    ...namesakes,
    ...people.filter(({ words }) => words.some((word) => sharedNames.has(word))),
  ]);
  return all.filter((one) => chosen.has(one));
};

/** The files of locations and of natural objects: towns, countries, rivers, mountains, stars. */
const placeFiles = new Set(['15', '17']);
const peopleFile = '18';
const quantityFile = '23';

const unitOfMeasurement = 'unit of measurement';
const timeUnit = 'time unit';

const isInstanceSynset = (one: Synset): boolean => one.pointers.some(({ type }) => type === '@i');

const isInoffensiveNamesake = ({ file, words, gloss }: Synset, taken: ReadonlySet<string>): boolean =>
  (placeFiles.has(file) || file === peopleFile) &&
  words.some((word) => /^\p{Lu}/u.test(word) && taken.has(word)) &&
  !/\b(?:slur|offensive|disparaging|derogatory)\b/u.test(gloss);

/**
 * Every kind of unit, and the units of time that are named after another: the minute of an hour and that of a degree.
 */
const listUnitSynsets = (all: readonly Synset[]): Synset[] => {
  const units = [...findAllHyponyms(unitOfMeasurement, all)].filter(({ file }) => file === quantityFile);
  const names = new Set(units.flatMap(({ words }) => words));
  const times = [...findAllHyponyms(timeUnit, all)].filter(({ words }) => words.some((word) => names.has(word)));
  return [...new Set([...units, ...times])];
};

/** Returns all direct and indirect kinds of a noun. */
const findAllHyponyms = (name: string, all: readonly Synset[]): Set<Synset> => {
  const under = new Map<string, Synset[]>();
  for (const one of all) {
    for (const { type, to } of one.pointers) if (type === '@') under.set(to, [...(under.get(to) ?? []), one]);
  }
  const found = new Set<Synset>();
  // Iterating over a growing set also visits the added items.
  const open = new Set(all.filter(({ words }) => words[0] === name).map(({ offset }) => offset));
  for (const offset of open) {
    for (const kind of under.get(offset) ?? []) {
      found.add(kind);
      open.add(kind.offset);
    }
  }
  return found;
};

const listNamesOfSeveralSynsets = (all: readonly Synset[]): Set<string> => {
  const counts = new Map<string, number>();
  for (const { words } of all) for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count > 1).map(([word]) => word));
};
