import { parseArgs } from 'node:util';
import { type Command, Given, type Operand } from './command.ts';
import type { VerbGroup } from '../guide.ts';
import type { Option } from './options.ts';
import { UsageError } from '../../engine/usage-error.ts';

/** Returns the word that a user probably meant: the nearest one, if it is near enough. */
function findNearestWordOrNull(given: string, words: readonly string[]): string | null {
  const near = words
    .map((word) => ({ word, distance: editDistance(given, word) }))
    .filter(({ word, distance }) => distance <= Math.max(1, Math.floor(word.length / 3)))
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.word ?? null;
}

/** Number of letters to insert, delete or replace. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1];
    for (const [j, other] of Array.from(b).entries()) {
      const [diagonal = 0, above = 0, left = 0] = [row[j], row[j + 1], next[j]];
      next.push(Math.min(above + 1, left + 1, diagonal + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The meaning of a line: a verb, or help on one verb or on all of them. */
export type Request =
  | { readonly kind: 'run'; readonly command: Command; readonly given: Given }
  | { readonly kind: 'help'; readonly commands: readonly Command[] };

/** A program's verbs and their common options. */
export interface Program {
  readonly commands: readonly Command[];
  readonly common: readonly Option<unknown>[];
  /** How the help groups the verbs; it lists them as they come without it. */
  readonly groups?: readonly VerbGroup[];
}

/** Parses the words after the program's name. Throws a UsageError if they are invalid. */
export function parseLineToVerbOrHelp(argv: readonly string[], program: Program): Request {
  const all = listAllOptions(program);
  // Verbs may have different options of one name, so the verb is found first.
  const own = findNamedVerb(argv, program)?.options ?? [];
  const others = all.filter(({ name }) => !own.some((each) => each.name === name));
  const { words, values } = parseWordsAndValues(argv, [...own, ...others]);
  const help = values.has('help') || words[0] === 'help';
  if (words[0] === 'help') words.shift();
  const found = findCommandByLeadingWords(words, program);
  if (found === undefined) {
    const group = program.commands.filter(({ verb }) => verb.split(' ')[0] === words[0]);
    if (help || words.length === 0) return { kind: 'help', commands: group.length > 0 ? group : program.commands };
    throw unknownVerbError(words, group.length > 0 ? group : program.commands);
  }
  if (help) return { kind: 'help', commands: [found] };
  const known = [...listUnreplacedCommonOptions(found, program.common), ...found.options];
  for (const [name, given] of values) {
    const option = known.find((each) => each.name === name);
    if (option === undefined) throw unknownOptionError(name, found.verb, known);
    if (!option.many && given.length > 1)
      throw new UsageError(`--${name} was given ${given.length} times; once is enough`);
  }
  const given = new Given(parseOperands(found, words.slice(countWordsOfVerb(found.verb))), values);
  // Parses all values now, so that a verb does not stop halfway at an invalid one.
  for (const option of known) given.parseOptionValue(option);
  return { kind: 'run', command: found, given };
}

/** Returns the verb that a line names, also if the rest of it is wrong; undefined if it names none. */
export function findNamedVerb(argv: readonly string[], program: Program): Command | undefined {
  const tokens = tokenizeArguments(argv, listAllOptions(program));
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  return findCommandByLeadingWords(words[0] === 'help' ? words.slice(1) : words, program);
}

const listAllOptions = ({ common, commands }: Program): readonly Option<unknown>[] => [
  ...common,
  ...commands.flatMap(({ options }) => options),
];

/** A verb's own option replaces a common one with the same name. */
export const listUnreplacedCommonOptions = (
  { options }: Command,
  common: readonly Option<unknown>[],
): readonly Option<unknown>[] => common.filter(({ name }) => !options.some((own) => own.name === name));

const countWordsOfVerb = (verb: string): number => verb.split(' ').length;

/** A verb of two words goes before one that is the first of them: `watch add` is not `watch` of a run named "add". */
const findCommandByLeadingWords = (words: readonly string[], { commands }: Program): Command | undefined =>
  commands
    .filter(({ verb }) => verb === words.slice(0, countWordsOfVerb(verb)).join(' '))
    .toSorted((one, other) => countWordsOfVerb(other.verb) - countWordsOfVerb(one.verb))[0];

/** Splits a line by which options take a value. */
function tokenizeArguments(argv: readonly string[], options: readonly Option<unknown>[]) {
  const types = options.map(
    ({ name, value }) => [name, { type: value === null ? 'boolean' : 'string', multiple: true }] as const,
  );
  const { tokens } = parseArgs({
    args: [...argv],
    options: { ...Object.fromEntries(types), help: { type: 'boolean', short: 'h' } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens;
}

function parseWordsAndValues(argv: readonly string[], options: readonly Option<unknown>[]) {
  const words: string[] = [];
  const values = new Map<string, string[]>();
  for (const token of tokenizeArguments(argv, options)) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const option = options.find((each) => each.name === name);
    if (rawName.length === 2 && name !== 'help')
      throw new UsageError(`there is no option ${rawName}; options have two hyphens`);
    if (option !== undefined && option.value !== null) {
      if (value === undefined) throw new UsageError(`--${name} wants a value: --${name} ${option.value}`);
      if (!inlineValue && /^-\D/.test(value)) {
        throw new UsageError(
          `--${name} wants a value, and ${value} looks like an option; if it is the value, write --${name}=${value}`,
        );
      }
    } else if (inlineValue && (option !== undefined || name === 'help')) {
      throw new UsageError(`--${name} takes no value`);
    }
    values.set(name, [...(values.get(name) ?? []), value ?? '']);
  }
  return { words, values };
}

function parseOperands(command: Command, words: readonly string[]): Map<string, readonly string[]> {
  const read = new Map<string, readonly string[]>();
  let place = 0;
  for (const operand of command.operands) {
    const taken = operand.many === true ? words.slice(place) : words.slice(place, place + 1);
    if (taken.length === 0 && operand.optional === true) continue;
    if (taken.length === 0 || taken.includes('')) {
      throw new UsageError(`${operand.name} is missing: ${operand.about}; the line is: ${usageText(command)}`);
    }
    read.set(operand.name, taken);
    place += taken.length;
  }
  const [extra] = words.slice(place);
  if (extra !== undefined) throw new UsageError(`"${extra}" is one word too many; the line is: ${usageText(command)}`);
  return read;
}

/** The synopsis of a verb. */
export function usageText({ verb, operands, options }: Command): string {
  const needed = options.filter(({ required }) => required).map(({ name, value }) => `--${name} ${value}`);
  const rest = options.some(({ required }) => !required) ? ['[options]'] : [];
  return [verb, ...operands.map(operandText), ...needed, ...rest].join(' ');
}

const operandText = ({ name, many, optional }: Operand): string =>
  optional === true ? `[${name}]` : `<${name}>${many === true ? '...' : ''}`;

/** More verbs than this are no help in a line. */
const mostOffered = 20;

function unknownVerbError(words: readonly string[], commands: readonly Command[]): UsageError {
  const verbs = commands.map(({ verb }) => verb);
  const asked = words.slice(0, Math.max(...verbs.map(countWordsOfVerb))).join(' ');
  const meant =
    words.length === 1 && words[0] === verbs[0]?.split(' ')[0]
      ? null
      : (findNearestWordOrNull(asked, verbs) ?? findNearestWordOrNull(words[0] ?? '', verbs));
  const offer =
    meant !== null
      ? `; did you mean "${meant}"?`
      : verbs.length > mostOffered
        ? ''
        : `; there are: ${verbs.join(', ')}`;
  return new UsageError(`there is no verb "${asked}"${offer}`);
}

function unknownOptionError(name: string, verb: string, known: readonly Option<unknown>[]): UsageError {
  const names = known.map((option) => option.name);
  const meant = findNearestWordOrNull(name, names);
  const offer = meant === null ? `it has ${names.map((each) => `--${each}`).join(', ')}` : `did you mean --${meant}?`;
  return new UsageError(`"${verb}" has no option --${name}; ${offer}`);
}
