import { z } from 'zod';
import type { SampleValue } from '../cards/card.ts';
import { closeCutJson } from './cut-json.ts';
import { freeNames, freePaths } from './free-values.ts';
import { isMakingOrComputing, singularOf, parseVerbAndNounOfToolName, worksOnArgumentsAlone } from './tool-words.ts';
import { splitIdentifierIntoWords } from './words.ts';

/** A plain value that a server returned, or that one of its tools accepted. */
interface Fact {
  /** What the value belongs to: `project` for the items of `projects`. */
  readonly owner: readonly string[];
  /** The words of its field; none for an item of a list of values. */
  readonly field: readonly string[];
  readonly value: string | number;
}

/** What is known about the contents of servers. */
export interface Seen {
  /** Returns the values that a tool accepted for an argument, the first ones first. */
  accepted(tool: string, argument: string): SampleValue[];
  /** Returns the values on a tool's server that an argument seems to mean, the best ones first. */
  meant(tool: string, argument: readonly string[]): (string | number)[];
  /** Returns the names of things on a tool's server. */
  names(tool: string): string[];
  /** Returns the paths of files and directories on a tool's server. */
  paths(tool: string): string[];
  /** Returns the paths of the fields that the results of a tool have had. */
  fieldsOf(tool: string): string[];
}

export const nothingSeen: Seen = {
  accepted: () => [],
  meant: () => [],
  names: () => [],
  paths: () => [],
  fieldsOf: () => [],
};

const surveyed = z.array(z.looseObject({ server: z.string(), from: z.string(), text: z.string() })).catch([]);
const worked = z
  .array(z.looseObject({ tool: z.string(), arguments: z.record(z.string(), z.json()), returned: z.string() }))
  .catch([]);

const longestValue = 120;
const mostValues = 6;

/** Reads the variables `survey` and `values` of a prompt. */
export const collectSeenValues = (variables: ReadonlyMap<string, unknown>): Seen => {
  const calls = worked.parse(variables.get('values'));
  const facts = new Map<string, Fact[]>();
  const note = (server: string, found: readonly Fact[]): void =>
    void facts.set(server, [...(facts.get(server) ?? []), ...found]);
  for (const { server, from, text } of surveyed.parse(variables.get('survey')))
    note(server, listFactsInText(text, from.startsWith(`${server}/`) ? parseVerbAndNounOfToolName(from).noun : []));
  const surveyedValues = new Set([...facts.values()].flat().map(({ value }) => value));
  const factsOfCall = ({ tool, arguments: given, returned }: (typeof calls)[number]): Fact[] => [
    ...factsInValue(given, parseVerbAndNounOfToolName(tool).noun),
    ...listFactsInText(returned, listsParts(tool, given, returned) ? [] : parseVerbAndNounOfToolName(tool).noun),
  ];
  // What a call has made may be gone in the next session, unless a survey has shown it.
  const made = new Set(
    calls.flatMap((call) => (makesSomethingNew(call.tool) ? factsOfCall(call).map(({ value }) => value) : [])),
  );
  const lasts = (value: unknown): boolean =>
    !isShortPlainValue(value) || surveyedValues.has(value) || !(made.has(value) || isAmongInventedTexts(value));
  for (const call of calls)
    note(
      serverOf(call.tool),
      factsOfCall(call).filter(({ value }) => lasts(value)),
    );
  return {
    accepted: (tool, argument) =>
      calls.flatMap((call) => {
        const value = call.tool === tool ? call.arguments[argument] : undefined;
        return value === undefined || value === null || (!makesSomethingNew(tool) && !lasts(value)) ? [] : [value];
      }),
    meant: (tool, argument) =>
      bestValuesForArgument(facts.get(serverOf(tool)) ?? [], argument, parseVerbAndNounOfToolName(tool).noun),
    names: (tool) => [
      ...new Set(
        (facts.get(serverOf(tool)) ?? []).flatMap(({ field, value }) =>
          field.at(-1) === 'name' || (field.length === 0 && isNameLike(value)) ? [String(value)] : [],
        ),
      ),
    ],
    paths: (tool) => [
      ...new Set((facts.get(serverOf(tool)) ?? []).flatMap((fact) => (isPathFact(fact) ? [String(fact.value)] : []))),
    ],
    fieldsOf: (tool) => [
      ...new Set(
        calls.filter((call) => call.tool === tool).flatMap(({ returned }) => listFieldPathsInJsonText(returned)),
      ),
    ],
  };
};

/** Returns whether a result lists parts of the one thing that a call names: the columns of a table are no tables. */
const listsParts = (tool: string, given: Readonly<Record<string, unknown>>, returned: string): boolean => {
  const { noun } = parseVerbAndNounOfToolName(tool);
  const namesThing = (argument: string): boolean =>
    splitIdentifierIntoWords(argument).every((word) => identifying.has(word) || noun.includes(singularOf(word)));
  return returned.trimStart().startsWith('[') && Object.keys(given).some(namesThing);
};

/** Returns whether a value is one that writers invent: it is nowhere unless a call of theirs has put it there. */
const isAmongInventedTexts = (value: string | number): boolean =>
  typeof value === 'string' &&
  (freeNames.includes(value) || inventedFiles.has(/([^/]+)\.\w+$/u.exec(value)?.[1] ?? ''));

/** Returns whether an item of a list is a name: one word, with a letter first. */
const isNameLike = (value: string | number): boolean =>
  typeof value === 'string' && /^[\p{L}_][\p{L}\p{N}_$.-]{1,60}$/u.test(value);

const inventedFiles = new Set(freePaths.map((path) => path.replace(/\.\w+$/u, '')));

const makesSomethingNew = (tool: string): boolean => {
  const about = parseVerbAndNounOfToolName(tool);
  return isMakingOrComputing(about) && !worksOnArgumentsAlone(about);
};

const serverOf = (tool: string): string => tool.slice(0, Math.max(0, tool.indexOf('/')));

const listFieldPathsInJsonText = (text: string): string[] => listPathsOfPlainValues(parseJsonOrUndefined(text), [], 0);

const deepestField = 3;

/** Returns the paths of plain values, `task.id` and `tasks.0.id`, those at the top first; of a list the first item counts. */
const listPathsOfPlainValues = (value: unknown, path: readonly string[], depth: number): string[] => {
  if (depth > deepestField) return [];
  const entries = Array.isArray(value)
    ? value.slice(0, 1).map((item: unknown): [string, unknown] => ['0', item])
    : Object.entries(z.record(z.string(), z.unknown()).safeParse(value).data ?? {});
  const [plain, nested] = [true, false].map((wanted) =>
    entries.filter(([, inner]) => isShortPlainValue(inner) === wanted),
  );
  return [
    ...(plain ?? []).map(([key]) => [...path, key].join('.')),
    ...(nested ?? []).flatMap(([key, inner]) => listPathsOfPlainValues(inner, [...path, key], depth + 1)),
  ];
};

const parseJsonOrUndefined = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
};

const isShortPlainValue = (value: unknown): value is string | number =>
  (typeof value === 'string' && /[\p{L}\p{N}]/u.test(value) && value.length <= longestValue && !/["\n]/u.test(value)) ||
  typeof value === 'number';

/** Reads JSON, also behind an introduction and without its end, or else the lines of a text. */
const listFactsInText = (text: string, noun: readonly string[]): Fact[] => {
  const start = text.search(/[[{]/u);
  for (const piece of [text, start < 0 ? '' : text.slice(start)]) {
    const first = closeCutJson(piece);
    const value = parseJsonOrUndefined(piece) ?? parseJsonOrUndefined(first);
    const rest = piece.startsWith(first) ? piece.slice(first.length).trim() : '';
    if (typeof value === 'object' && value !== null)
      return [...factsInValue(value, noun), ...(/^[[{]/u.test(rest) ? listFactsInText(rest, noun) : [])];
  }
  const joined = parsePureCommaList(text);
  if (joined.length > 0) return joined.map((value) => ({ owner: noun, field: [], value }));
  return text.split('\n').flatMap((line) => [...factsInLine(line, noun), ...pathsInLine(line)]);
};

/** Returns the absolute paths of files that a line names beside other things. */
const pathsInLine = (line: string): Fact[] =>
  Array.from(line.matchAll(/(?<=[\s("'`])(?:\/[\w.@+-]{1,80}){2,12}\.[A-Za-z]\w{0,5}\b/gu), ([value]) => ({
    owner: [],
    field: ['path'],
    value,
  }));

/** Returns the items of a text that is nothing but a list with commas: `brief.md,progress.md`. */
const parsePureCommaList = (text: string): string[] =>
  /^(?=[^\n]*[^\d,\n])[^\s,]{1,120}(?:, ?[^\s,]{1,120})+$/u.test(text.trim()) ? text.trim().split(/, ?/u) : [];

/** Returns whether a value is an absolute path, or the name of a file where paths and names are. */
const isPathFact = ({ field, value }: Fact): boolean =>
  typeof value === 'string' &&
  (/^(?:\/|~\/|[A-Za-z]:\\)[^\s*]+$/u.test(value) ||
    (/^[\w@./-]+\.[A-Za-z][A-Za-z0-9]{0,4}$/u.test(value) &&
      /^(?:path|file|filename|name|)$/u.test(field.at(-1) ?? '')));

/** Words for what holds the items of any answer: what they are is said by the tool. */
export const holders: ReadonlySet<string> = new Set([
  'item',
  'entry',
  'result',
  'data',
  'record',
  'row',
  'response',
  'output',
  'list',
]);

const factsInValue = (value: unknown, owner: readonly string[]): Fact[] => {
  if (Array.isArray(value))
    return value.flatMap((item: unknown) =>
      isShortPlainValue(item) ? [{ owner, field: [], value: item }] : factsInValue(item, owner),
    );
  const parsed = z.record(z.string(), z.unknown()).safeParse(value);
  return Object.entries(parsed.data ?? {}).flatMap(([key, inner]) => {
    const words = splitIdentifierIntoWords(key).map(singularOf);
    return isShortPlainValue(inner)
      ? [{ owner, field: words, value: inner }]
      : factsInValue(inner, words.every((word) => holders.has(word)) ? owner : words);
  });
};

/** What a thing is, before its name: `[function] totalOf`. A check box is none. */
const kindInBrackets = /^\[[\p{L} ]{3,20}\]\s+(?=\S)/u;
const bullet = /^\s*(?:[-*•▸]|\d+[.)])\s+/u;
const labelled = /^\s*(?:[-*•]\s+)?\**([\p{L}][\p{L} _]{0,30}?)\**\s*:\**\s+(\S.*)$/u;

const factsInLine = (line: string, noun: readonly string[]): Fact[] => {
  const label = labelled.exec(line);
  if (label !== null) {
    const value = withoutMarkdownMarks(label[2] ?? '');
    return isShortPlainValue(value)
      ? [{ owner: noun, field: splitIdentifierIntoWords(label[1] ?? '').map(singularOf), value }]
      : [];
  }
  const item = withoutMarkdownMarks(
    line
      .replace(bullet, '')
      .replace(kindInBrackets, '')
      .split(/\s[-–—(]|:\s|\t/u)[0] ?? '',
  );
  const alone = bullet.test(line) || /^\S+$/u.test(line.trim());
  return alone && isShortPlainValue(item) && !item.endsWith(':') ? [{ owner: noun, field: [], value: item }] : [];
};

/** Removes the marks of Markdown around a value. */
const withoutMarkdownMarks = (text: string): string => text.trim().replace(/^[*_`'[]+|[*_`'\],;]+$/gu, '');

/** Fields that say which thing is meant. */
const identifying = new Set(['id', 'name', 'title', 'key', 'slug', 'path', 'uri', 'file', 'uuid']);

const ofPlaces = new Set(['path', 'file', 'uri', 'url']);

const bestValuesForArgument = (
  facts: readonly Fact[],
  argument: readonly string[],
  noun: readonly string[],
): (string | number)[] => {
  const wanted = argument.map(singularOf);
  const scored = facts
    .map((fact) => ({ fact, score: scoreFactForArgument(fact, wanted, noun) }))
    .filter(({ score }) => score > 0);
  const best = Math.max(0, ...scored.map(({ score }) => score));
  return [...new Set(scored.filter(({ score }) => score === best).map(({ fact }) => fact.value))].slice(0, mostValues);
};

const scoreFactForArgument = ({ owner, field }: Fact, wanted: readonly string[], noun: readonly string[]): number => {
  const last = wanted.at(-1) ?? '';
  const about = identifying.has(last) ? wanted.slice(0, -1) : wanted;
  const ofOwner = (words: readonly string[]): boolean =>
    words.length > 0 && words.every((word) => owner.includes(word));
  if (hasSameWords(field, wanted)) {
    // A bare `id` or `name` says nothing without what it belongs to.
    if (wanted.length > 1 || !identifying.has(last)) return 4;
    return owner.some((word) => noun.includes(word)) ? 4 : 0;
  }
  const ownersWanted = about.length > 0 ? about : noun;
  if (!ofOwner(ownersWanted) && !(about.length === 0 && owner.some((word) => noun.includes(word)))) return 0;
  if (hasSameWords(field, [last]) && about.length > 0) return 4;
  if (field.length === 0) return 3;
  // The `filePath` of a component is its path.
  if (about.length > 0 && ofPlaces.has(last) && field.at(-1) === last) return 3;
  return about.length === wanted.length && field.length === 1 && identifying.has(field[0] ?? '') ? 2 : 0;
};

const hasSameWords = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((word, index) => word === other[index]);
