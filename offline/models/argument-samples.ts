import type { SampleValue } from '../cards/card.ts';
import {
  freeNames,
  freePaths,
  listNumbersInBounds,
  rotateList,
  acceptsAnyProse,
  textsByFormatPatternOrName,
  listInventedTexts,
} from './free-values.ts';
import { parsePropertySchema, listJsonTypes, type Property } from './schemas.ts';
import type { Seen } from './seen-values.ts';
import { sqlSamplesOrNull } from './sql-samples.ts';
import { examplesInDescription } from './stated-examples.ts';
import {
  isMakingOrComputing,
  makesWhatPathNames,
  singularOf,
  storesAtGivenPlace,
  worksOnExisting,
  type ToolWords,
} from './tool-words.ts';
import { splitIdentifierIntoWords } from './words.ts';

/** An argument to find values for. */
interface Wanted {
  /** `server/tool` */
  readonly tool: string;
  /** What its name says, and its description where the name has no verb. */
  readonly about: ToolWords;
  readonly description: string;
  readonly words: readonly string[];
  readonly property: Property;
  /** Its place among the arguments of its tool; each takes other values. */
  readonly place: number;
}

const deepest = 4;

/**
 * Returns values for an argument, the most certain ones first: values that the tool accepted, that the schema names, that
 * the server has shown, and at last values of our own choice, where any value will do. None if it must be a value of
 * the server that nobody has seen.
 */
export const listArgumentSamples = (wanted: Wanted, argument: string, seen: Seen): SampleValue[] => {
  const accepted = seen.accepted(wanted.tool, argument);
  const rest = samplesOfProperty(wanted, seen, 0);
  return withoutRepeats([...accepted, ...rest]).slice(0, 8);
};

const withoutRepeats = (values: readonly SampleValue[]): SampleValue[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

const samplesOfProperty = (wanted: Wanted, seen: Seen, depth: number): SampleValue[] => {
  const { property } = wanted;
  const listed = [...(property.enum ?? []), ...(property.examples ?? [])].flatMap(listOfPrimitiveOrEmpty);
  if (property.enum !== undefined || listed.length > 0) return listed;
  const [type = property.properties === undefined ? 'string' : 'object'] = listJsonTypes(property).filter(
    (one) => one !== 'null',
  );
  switch (type) {
    case 'string':
      return listTextSamples(wanted, seen).filter((text) => !/["\n]/u.test(text));
    case 'integer':
    case 'number':
      return listNumberSamples(wanted, seen, type === 'integer');
    case 'boolean':
      return [true, false];
    case 'array':
      return depth < deepest ? makeListSamples(wanted, seen, depth) : [];
    default:
      return depth < deepest ? makeObjectSamples(wanted, seen, depth) : [];
  }
};

const listOfPrimitiveOrEmpty = (value: unknown): SampleValue[] =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [value] : [];

const listTextSamples = (wanted: Wanted, seen: Seen): string[] => {
  const { tool, about, words, property, place } = wanted;
  const sql = listSqlSamplesOrNull(wanted, seen);
  if (sql !== null) return rotateList(sql, place);
  const known = listShownTexts(tool, words, about, seen);
  const stated = examplesInDescription(property.description ?? '');
  const free = canTakeInventedValue(words, about, property) ? listInventedTexts(words, property) : [];
  const said = textsByFormatPatternOrName(words, property);
  if (known.length === 0 && stated.length === 0 && isFolderToRead(words, about)) return [currentFolder];
  if (acceptsAnyProse(words, property)) return [...stated, ...(said.length > 0 ? said : rotateList(free, place * 2))];
  if (known.length > 0) return rotateList(known, place);
  const names = namesToRead(tool, words, about, seen);
  if (names.length > 0) return rotateList(names, place);
  if (stated.length > 0) return stated;
  // The form of an id makes none that is there.
  if (isIdOfExisting(words, about)) return [];
  if (said.length > 0 || property.pattern !== undefined) return rotateList(said, place);
  return rotateList(free, place * 2);
};

/** Returns statements for an argument that takes SQL; null for others. */
export const listSqlSamplesOrNull = (
  { tool, about, description, words, property }: Pick<Wanted, 'tool' | 'about' | 'description' | 'words' | 'property'>,
  seen: Seen,
): string[] | null =>
  sqlSamplesOrNull(words, about, `${description} ${property.description ?? ''}`, seen.meant(tool, ['table', 'name']));

const isIdOfExisting = (words: readonly string[], about: ToolWords): boolean => {
  const [last = '', ...owner] = words.toReversed();
  return (
    identifiers.has(last) && !isMakingOrComputing(about) && owner.every((word) => about.noun.includes(singularOf(word)))
  );
};

/** Names of things on the server, where a tool that makes nothing asks for one and does not say of what. */
const namesToRead = (tool: string, words: readonly string[], about: ToolWords, seen: Seen): string[] =>
  !isMakingOrComputing(about) && words.length === 1 && meaningNothing.test(words[0] ?? '') ? seen.names(tool) : [];

/** A bare name, or a letter as in "the path from a to b". */
const meaningNothing = /^(?:name|symbol|node|entity|item|element|from|to|[a-z])$/u;

/** Returns what an argument means: the id of a task for `task_id`, and also for `depends_on_task_id`. */
const listSeenValuesOfArgument = (tool: string, words: readonly string[], seen: Seen): (string | number)[] => {
  const meant = seen.meant(tool, words);
  const mayBeLonger = meant.length === 0 && words.length > 2 && identifiers.has(words.at(-1) ?? '');
  return mayBeLonger ? listSeenValuesOfArgument(tool, words.slice(1), seen) : meant;
};

const places = /^(?:path|directory|dir|folder|filepath|file|filename)$/u;
const origins = /^(?:source|src|origin|from)$/u;
const destinations = /^(?:destination|dest|target|to|output|out)$/u;
const folders = /^(?:director(?:y|ies)|dir|folder|root|cwd|workspace|repo|repository)$/u;

/** The folder in which a server runs: the only one that is there without being shown. */
const currentFolder = '.';

/** Returns whether an argument names a folder that has to be there: a root, or where something is listed or searched. */
const isFolderToRead = (words: readonly string[], about: ToolWords): boolean => {
  if (makesWhatPathNames(about) || isArgumentNamingNewPlace(words)) return false;
  const [last = ''] = words.slice(-1);
  if (last === 'root' || last === 'cwd' || (words.length > 1 && folders.test(last))) return true;
  if (!places.test(last)) return false;
  return (
    folders.test(last) ||
    words.some((word) => folders.test(word) || word === 'project') ||
    listsOrSearchesFolders(about)
  );
};

/** Returns whether a tool lists or searches folders. */
const listsOrSearchesFolders = ({ verb, noun }: ToolWords): boolean =>
  (verb === 'list' || verb === 'search' || verb === 'find') && noun.some((word) => placed.includes(word));

/** Returns whether an argument names a place that a call makes. */
const isArgumentNamingNewPlace = (words: readonly string[]): boolean =>
  destinations.test(words.find((word) => !places.test(word)) ?? '');
const placed = ['file', 'directory', 'folder', 'path', 'tree'];

/** Returns what the server has shown for an argument; for a path the paths that it has, or new ones in its directories. */
const listShownTexts = (tool: string, words: readonly string[], about: ToolWords, seen: Seen): string[] => {
  const [last = ''] = words.slice(-1);
  const meant = listSeenValuesOfArgument(tool, words, seen);
  // A number is the text of an id; of a name it is mostly a count that is called alike.
  const own = meant.filter((value) => typeof value === 'string' || identifiers.has(last)).map(String);
  const isOfPlaces = about.noun.some((word) => placed.includes(word)) || words.some((word) => places.test(word));
  const isNew = isOfPlaces && isArgumentNamingNewPlace(words);
  if (own.length === 0 && isArgumentNamingLinkEnd(words, about)) return seen.names(tool);
  if (!places.test(last) && !(isOfPlaces && (origins.test(last) || isNew))) return own;
  const all = [...new Set([...own, ...seen.paths(tool)])];
  // Where paths start at the root, a bare name may be part of a pattern or of a sentence.
  const rooted = all.filter((path) => path.startsWith('/'));
  const known = rooted.length > 0 ? rooted : all;
  const files = known.filter(isPathWithExtension);
  const directories = known.filter((path) => !files.includes(path) && path.startsWith('/'));
  const isDirectory =
    about.verb === 'search' ||
    about.verb === 'find' ||
    [...about.noun, ...words].some((word) => /^(?:director(?:y|ies)|dir|folder|tree)$/u.test(word));
  if (isNew || makesWhatPathNames(about)) {
    const [base] = directories;
    return base === undefined
      ? []
      : (isDirectory ? freeNames : freePaths).map((name) => `${base.replace(/\/$/u, '')}/${name}`);
  }
  if (isDirectory) return directories.length > 0 ? directories : own;
  const ownFiles = own.filter(isPathWithExtension);
  if (ownFiles.length > 0) return ownFiles;
  const ofFiles = about.noun.includes('file') || words.includes('file') || ofContents.has(about.verb ?? '');
  return ofFiles && files.length > 0 ? files : known.length > 0 ? [...directories, ...files] : own;
};

const isPathWithExtension = (path: string): boolean => /\.[A-Za-z0-9]{1,5}$/u.test(path);

/** Verbs of tools that work on the content of a file. */
const ofContents = new Set('read edit append patch extract parse'.split(' '));

const identifiers = new Set([
  'id',
  'ids',
  'uuid',
  'key',
  'slug',
  'handle',
  'ref',
  'token',
  'cursor',
  'sha',
  'hash',
  'uri',
]);

const naming = new Set(['name', 'title']);

/** What other things are kept in, and so must be there before them. */
const containers = new Set(
  'project table database collection category folder board list workspace repository channel group parent account dataset task'.split(
    ' ',
  ),
);

/** What a call is about: of anybody's choice, unless the tool reads it from its server. */
const subjects = new Set('topic concept subject theme state step steps stage phase aspect focus'.split(' '));

const links = new Set(['relation', 'relationship', 'link', 'edge', 'connection', 'dependency', 'association']);

/** Returns whether an argument names one end of something that connects two things which are there already. */
const isArgumentNamingLinkEnd = (words: readonly string[], about: ToolWords): boolean =>
  about.noun.some((word) => links.has(word)) && words.some((word) => origins.test(word) || destinations.test(word));

/** Returns whether any sensible value will do: not for what must be there already. */
const canTakeInventedValue = (words: readonly string[], about: ToolWords, property: Property): boolean => {
  if (acceptsAnyProse(words, property) || words[0] === 'new') return true;
  if (subjects.has(words.at(-1) ?? '') && !worksOnExisting(about)) return true;
  if (!isMakingOrComputing(about) || isArgumentNamingLinkEnd(words, about)) return false;
  if (words.some((word) => places.test(word)) && !makesWhatPathNames(about) && !isArgumentNamingNewPlace(words))
    return false;
  const isIdentifier = identifiers.has(words.at(-1) ?? '');
  const owner = (isIdentifier ? words.slice(0, -1) : words).map(singularOf);
  // The tool makes the last thing of its name, before any `to`: who adds an activity to a task does not make the task.
  if (isIdentifier && owner.length > 0 && !owner.includes(madeThing(about) ?? '')) return false;
  if (storesAtGivenPlace(about)) return true;
  const named = naming.has(owner.at(-1) ?? '') ? owner.slice(0, -1) : owner;
  return named.every((word) => about.noun.includes(word)) || (!isIdentifier && !containers.has(named.at(-1) ?? ''));
};

const madeThing = ({ noun }: ToolWords): string | undefined => {
  const at = noun.findIndex((word) => /^(?:to|into|for|in|on|from|of)$/u.test(word));
  return noun[(at > 0 ? at : noun.length) - 1];
};

const listNumberSamples = ({ tool, words, property, place }: Wanted, seen: Seen, whole: boolean): number[] => {
  const known = listSeenValuesOfArgument(tool, words, seen).filter((value) => typeof value === 'number');
  const isIdentifier = identifiers.has(words.at(-1) ?? '');
  if (isIdentifier) return known;
  const stated = examplesInDescription(property.description ?? '')
    .map(Number)
    .filter((value) => Number.isFinite(value));
  return [...stated, ...rotateList(listNumbersInBounds(words, property, whole), place)];
};

/** Lists of one to three different items; a list of one for items that must be there. */
const makeListSamples = (wanted: Wanted, seen: Seen, depth: number): SampleValue[] => {
  const { property } = wanted;
  const item: Wanted = {
    ...wanted,
    words: wanted.words.map(singularOf),
    property: parsePropertySchema(property.items),
  };
  const described = examplesInDescription(property.description ?? '');
  const own = samplesOfProperty(item, seen, depth + 1);
  const plain = listJsonTypes(item.property).every((type) => type === 'string' || type === 'null');
  const items = plain && own.length === 0 ? described : own;
  const least = Math.max(property.minItems ?? 1, 1);
  const most = Math.min(property.maxItems ?? 3, 3);
  if (items.length < least) return [];
  const sizes = [
    Math.max(least, Math.min(2, most, items.length)),
    Math.max(least, Math.min(3, most, items.length)),
    least,
  ];
  return withoutRepeats(sizes.map((size, turn) => rotateList(items, turn).slice(0, size)));
};

/** Objects with all required fields; none if one of those has no value. */
const makeObjectSamples = (wanted: Wanted, seen: Seen, depth: number): SampleValue[] => {
  const { required = [], properties = {} } = wanted.property;
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 2);
  const fields = names.map((name, index): [string, SampleValue[]] => {
    const property = parsePropertySchema(properties[name]);
    const settled = [property.const, property.default].flatMap(listOfPrimitiveOrEmpty);
    const inner = { ...wanted, words: splitIdentifierIntoWords(name), property, place: wanted.place + index };
    return [name, settled.length > 0 ? settled : samplesOfProperty(inner, seen, depth + 1)];
  });
  const filled = fields.filter(([name, values]) => required.includes(name) || values.length > 0);
  if (names.length === 0 || filled.length === 0 || filled.some(([, values]) => values.length === 0)) return [];
  const count = Math.min(4, Math.max(...filled.map(([, values]) => values.length)));
  return withoutRepeats(
    Array.from({ length: count }, (_, which) =>
      Object.fromEntries(filled.map(([name, values]) => [name, values[which % values.length] ?? ''])),
    ),
  );
};
