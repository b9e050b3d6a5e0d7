import { splitIdentifierIntoWords } from './words.ts';

/** What the name of a tool without a card says. */
export interface ToolWords {
  /** All words of its own name. */
  readonly words: readonly string[];
  /**
   * What the tool is about, in the singular: the words after its verb, or before it if none follow. What comes before is
   * mostly a prefix that all tools of the server have.
   */
  readonly noun: readonly string[];
  /** The verb, if the name has one. */
  readonly verb: string | undefined;
}

/** Returns the words of a tool's own name: after the slash, or after the two underscores of a function's name. */
export const parseVerbAndNounOfToolName = (name: string): ToolWords => {
  const own = name.slice(Math.max(name.lastIndexOf('/') + 1, name.includes('__') ? name.lastIndexOf('__') + 2 : 0));
  const words = splitIdentifierIntoWords(own);
  const verb = words.find((word) => verbs.has(word));
  const after = verb === undefined ? words : words.slice(words.indexOf(verb) + 1);
  const about = after.some((word) => !verbs.has(word)) ? after : words;
  return { words, verb, noun: about.filter((word) => !verbs.has(word)).map(singularOf) };
};

/** Returns whether the tool makes something new, or works on its arguments alone. */
export const isMakingOrComputing = ({ verb }: ToolWords): boolean =>
  verb !== undefined && (ofNew.has(verb) || storesAtGivenPlace({ verb }));

/** Returns whether the tool does nothing but work on its arguments, so that a call without any makes no sense. */
export const worksOnArgumentsAlone = ({ verb }: Pick<ToolWords, 'verb'>): boolean =>
  verb !== undefined && ofArguments.has(verb);

/** Returns whether the tool reads or changes something that has to be there already. */
export const worksOnExisting = ({ verb }: Pick<ToolWords, 'verb'>): boolean =>
  verb !== undefined && ofExisting.has(verb);

/** Returns whether the tool keeps something wherever it is told to, and so also makes the place for it. */
export const storesAtGivenPlace = ({ verb }: Pick<ToolWords, 'verb'>): boolean =>
  verb !== undefined && ofKeeping.has(verb);

/** Returns whether the tool makes what a path names; others, such as those that check or render a file, need one that is there. */
export const makesWhatPathNames = ({ verb, noun }: ToolWords): boolean =>
  storesAtGivenPlace({ verb }) ||
  ofMaking.has(verb ?? '') ||
  (verb === 'generate' && noun.some((word) => word === 'file' || word === 'folder' || word === 'directory'));

/** Returns the singular of an English noun, roughly. */
export const singularOf = (word: string): string => {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|ss|x|z)es$/u.test(word)) return word.slice(0, -2);
  return word.length > 3 && /[^su]s$/u.test(word) ? word.slice(0, -1) : word;
};

const ofKeeping = new Set('write save store put set log record remember register'.split(' '));

const ofMaking = new Set('create add new make insert init initialize'.split(' '));

const ofArguments = new Set(
  (
    'draw render calculate compute convert validate parse format encode decode analyze compare lint translate summarize ' +
    'estimate evaluate measure'
  ).split(' '),
);

const ofNew = new Set([...ofMaking, ...'generate build check send test plan start'.split(' '), ...ofArguments]);

const ofExisting = new Set(
  (
    'get read show view describe fetch retrieve open load delete remove update edit rename move copy complete archive ' +
    'close approve mark assign reopen append patch modify restore download export inspect'
  ).split(' '),
);

const verbs = new Set([
  ...ofExisting,
  ...ofNew,
  ...ofKeeping,
  ...(
    'list search find count query execute run import stop suggest recommend lookup resolve bulk batch merge split filter ' +
    'sort clear reset preview explain duplicate connect disconnect'
  ).split(' '),
]);
